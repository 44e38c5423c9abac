"""What every way of locking a folder answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessionkit.core.stores.base import LockKind
    from sessionkit.core.stores.locks.holder import Holder


class Turn(Enum):
    """What an attempt may do to others that wait."""

    WAITING = auto()
    RESTING = auto()
    """Let those pass that come later: they may hold what this one waits for already."""
    LAST = auto()
    """Take what is free, whoever else waits for it."""


class BarredError(Exception):
    """Another user's file stands for the lock, and this one may not open it."""


class Way(ABC):
    """A lock of one open folder; OSError as it comes.

    A folder in which this user may make no files is taken for locked if there is nothing to lock: nothing can be put there.
    """

    @abstractmethod
    def attempt(self, kind: LockKind, turn: Turn) -> bool:
        """Take the lock if that is possible now; BarredError.

        One who wants it alone keeps newcomers out until then, but for turns of rest.
        """

    @abstractmethod
    def holders(self) -> list[Holder]:
        """Tell of others that have the lock, as far as they are known."""

    @abstractmethod
    def release(self) -> None:
        """Let go of it, or stop waiting for it; once more does no harm."""
