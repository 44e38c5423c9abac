"""What a migration holds until its last session is done."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from sessionkit.core.stores.base import LockKind

if TYPE_CHECKING:
    from sessionkit.core.stores.base import AssetStore


class Custody(ExitStack):
    """What lasts from before the first part until the last session is joined: temporary files, and the locks of stores.

    Between a part that has put its assets and the session that names them nobody else would hold the lock.
    """

    def __init__(self) -> None:
        super().__init__()
        self._held: set[str] = set()

    def hold(self, store: AssetStore) -> None:
        """Share the lock of a store; LockedError if that would take any waiting."""
        if store.address not in self._held:
            self.enter_context(store)
            self.enter_context(store.lock(LockKind.SHARED, 0))
            self._held.add(store.address)
