"""How a folder is locked."""

from __future__ import annotations

import fcntl
import time
from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable


class Leaving(Enum):
    """What the last holder does with the file of the lock."""

    REMOVE = auto()
    EMPTY = auto()
    """To make it anew for each of many sessions takes longer than all else that a lock takes."""


@dataclass(frozen=True, slots=True)
class Locking:
    """The most seconds that a put waits for others, what tells the time in seconds since 1970, and the system's flock(2).

    A put whose caller holds the lock does not wait (None). `flock` raises OSError where the file system has no locks.
    """

    timeout: float | None = 60.0
    leaving: Leaving = Leaving.REMOVE
    clock: Callable[[], float] = time.time
    flock: Callable[[int, int], None] = fcntl.flock
