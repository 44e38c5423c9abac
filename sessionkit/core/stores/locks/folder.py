"""Lock a folder by the way that its file system allows, and wait for others to let go of it."""

from __future__ import annotations

import os
import time
from itertools import chain, count, repeat
from typing import TYPE_CHECKING, Self

from sessionkit.core.files import unwritable
from sessionkit.core.stores.locks.flocked import Flocked, NoFlockError
from sessionkit.core.stores.locks.holder import barred, locked
from sessionkit.core.stores.locks.names import LOCK
from sessionkit.core.stores.locks.way import BarredError, Turn, Way

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.stores.base import LockKind
    from sessionkit.core.stores.locks.locking import Locking
    from sessionkit.errors import LockedError

_LEAST_WAIT = 0.02
"""Seconds: whoever is just letting go is no reason to fail."""
_PAUSES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05)
"""Seconds between attempts; the last one again and again."""
_WAITS = (1, 2, 4, 8, 16, 30)
"""Seconds between rests, longer and longer: what others do in turn takes less, some time, and what this one waits for may wait itself."""
_REST = 0.1


class FolderLock:
    """A lock of a folder that is not held yet."""

    def __init__(self, path: Path, folder: int, mode: int, locking: Locking) -> None:
        """Take over an open folder, which `release` closes, and the mode of what is made in it."""
        self._path = path
        self._folder = folder
        self._locking = locking
        self._way: Way = Flocked(folder, mode, locking)
        self._is_barred = False

    def acquire(self, kind: LockKind, timeout: float) -> Self:
        """Wait so many seconds for the lock; LockedError, UnwritableError. After an error nothing is held."""
        try:
            self._wait(kind, timeout)
        except OSError as error:
            self.release()
            raise unwritable(self._path / LOCK, error) from error
        except BaseException:
            self.release()
            raise
        return self

    def release(self) -> None:
        """Let go of the lock and close the folder."""
        self._way.release()
        os.close(self._folder)

    def _wait(self, kind: LockKind, timeout: float) -> None:
        begin = time.monotonic()
        for number in count():
            waited = time.monotonic() - begin
            left = max(timeout, _LEAST_WAIT) - waited
            turn = Turn.LAST if left <= 0 else _turn(waited)
            if self._attempt(kind, turn):
                return
            if turn is Turn.LAST:
                raise self._refusal(kind, timeout)
            time.sleep(min(left, _PAUSES[min(number, len(_PAUSES) - 1)]))

    def _refusal(self, kind: LockKind, timeout: float) -> LockedError:
        if self._is_barred:
            return barred(self._path / LOCK, timeout)
        return locked(self._path, [holder for holder in self._way.holders() if holder.excludes(kind)], timeout)

    def _attempt(self, kind: LockKind, turn: Turn) -> bool:
        self._is_barred = False
        try:
            return self._way.attempt(kind, turn)
        except BarredError:  # who made the file removes it, as a rule
            self._is_barred = True
            return False
        except NoFlockError:
            from sessionkit.core.stores.locks.beside import Beside  # noqa: PLC0415  few file systems need it

            self._way.release()
            self._way = Beside(self._folder, self._locking)
            return self._way.attempt(kind, turn)


def _turn(waited: float) -> Turn:
    for wait in chain(_WAITS, repeat(_WAITS[-1])):
        if waited < wait:
            break
        waited -= wait + _REST
        if waited < 0:
            return Turn.RESTING
    return Turn.WAITING
