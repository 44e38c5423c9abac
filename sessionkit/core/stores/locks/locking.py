"""How a folder is locked."""

from __future__ import annotations

import fcntl
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Locking:
    """The most seconds that a put waits for others, what tells the time in seconds since 1970, and the system's flock(2).

    A put whose caller holds the lock does not wait (None). `flock` raises OSError where the file system has no locks.
    """

    timeout: float | None = 60.0
    clock: Callable[[], float] = time.time
    flock: Callable[[int, int], None] = fcntl.flock
