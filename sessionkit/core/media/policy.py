"""Which media are spilled; apart from what does it, which costs start-up."""

from __future__ import annotations

from enum import Enum, auto

from sessionkit.dataclass import dataclass


class Choice(Enum):
    """Which media are spilled."""

    ALL = auto()
    IMAGES = auto()


class Spelling(Enum):
    """Whether only base64 that comes back byte for byte is spilled, or every spelling, which then comes back equal in value."""

    EXACT = auto()
    ANY = auto()


@dataclass(frozen=True, slots=True)
class Policy:
    """What to spill; `least` in decoded bytes."""

    choice: Choice = Choice.ALL
    least: int = 0
    spelling: Spelling = Spelling.EXACT
