"""Stores that keep nothing, for work that is only tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.stores.base import Stored
from sessionkit.errors import AssetCorruptError, AssetMissingError

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from sessionkit.core.assets import AssetName
    from sessionkit.core.stores.base import AssetStore


class Nowhere:
    """Takes media in and keeps nothing: only what would be taken is asked."""

    def put(self, _name: AssetName, _data: Buffer) -> Stored:
        """Forget it."""
        return Stored.NEW

    def holds(self, _name: AssetName, _data: Buffer) -> bool:
        """Hold nothing."""
        return False


class RehearsalStore(Nowhere):
    """Tells what `put` would find in the real store, by name and size: a dry run does not read what is stored."""

    def __init__(self, real: AssetStore) -> None:
        self._real = real
        self._known: set[AssetName] = set()

    def put(self, name: AssetName, data: Buffer) -> Stored:
        """Look for the asset, and keep nothing."""
        if name in self._known:
            return Stored.KNOWN
        self._known.add(name)
        try:
            held = self._real.stat(name)
        except AssetMissingError:
            return Stored.NEW
        except AssetCorruptError:
            return Stored.REPAIRED
        return Stored.REUSED if held.size == memoryview(data).nbytes else Stored.REPAIRED
