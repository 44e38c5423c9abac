"""Find out which assets the roots name. That only ever grows, so an asset is kept once too often, never once too seldom."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final

from sessionkit.core.digests import digests_in
from sessionkit.errors import ChangedError, Place, UnreadableError
from sessionkit.ops.roots import identity_of, open_root

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sessionkit.ops.roots import Identity, Root

_ROUNDS: Final = 5
_SETTLED_AFTER: Final = 10_000_000_000
"""Nanoseconds without a change after which the times of a file tell the next one: clocks of file systems are coarse."""
_STOPS: Final = "nothing is freed while something that may name assets cannot be read"


class Marker:
    """Reads roots for the digests of a set. What was read once is read again only if it has changed."""

    def __init__(
        self,
        roots: Callable[[], Iterable[Root]],
        wanted: set[str],
        tick: Callable[[int], None],
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self.named: set[str] = set()
        self._roots = roots
        self._wanted = wanted
        self._tick = tick
        self._clock = clock
        self._seen: dict[str, tuple[int, Identity | None]] = {}

    @property
    def count(self) -> int:
        """Number of roots."""
        return len(self._seen)

    @property
    def size(self) -> int:
        """Bytes of all roots, packed as they are."""
        return sum(size for size, _ in self._seen.values())

    def mark(self) -> None:
        """Read all roots, and look for them again until there is none that was not read: they may be moved meanwhile.

        Raises UnreadableError, and ChangedError if they do not come to rest.
        """
        done: set[str] = set()
        for _ in range(_ROUNDS):
            new = [root for root in self._roots() if root.path not in done]
            if not new:
                return
            done.update(root.path for root in new if self._mark(root))
        hint = f"run again when nobody moves sessions; {_STOPS}"
        raise ChangedError("sessions come and go while they are read", place=Place(new[0].path), hint=hint)

    def _mark(self, root: Root) -> bool:
        """Read a root unless it is known; False if it is gone."""
        _, known = self._seen.get(root.path, (0, None))
        if known is not None and known == root.identity:
            return True
        try:
            self._read(root)
        except UnreadableError as error:
            if not os.path.lexists(root.path):
                return False
            raise UnreadableError(error.what, place=error.place, why=error.why, hint=f"{error.hint}; {_STOPS}") from error
        return True

    def _read(self, root: Root) -> None:
        now = self._clock()
        with open_root(root) as stream:
            self.named |= digests_in(stream, self._wanted, self._tick)
            status = stream.status
        is_settled = max(status.st_mtime_ns, status.st_ctime_ns) < now - _SETTLED_AFTER
        self._seen[root.path] = status.st_size, identity_of(status) if is_settled else None
