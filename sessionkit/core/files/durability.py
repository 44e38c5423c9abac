"""Whether what is written must survive a power cut."""

from __future__ import annotations

from enum import Enum, auto


class Durability(Enum):
    """With NO_SYNC nothing is synced; all else stays the same."""

    SYNC = auto()
    NO_SYNC = auto()
