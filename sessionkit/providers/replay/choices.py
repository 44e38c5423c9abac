"""What a person decides about what cannot be sent as it is."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from sessionkit.providers.base import Tool


class Orphans(StrEnum):
    """What becomes of a result whose call is not in the conversation: nothing, or a message of the user."""

    DROP = "drop"
    KEEP = "keep"


class Missing(StrEnum):
    """Whether a medium that cannot be read stops all, or a text stands for it."""

    REFUSE = "refuse"
    PLACEHOLDER = "placeholder"


class Bad(StrEnum):
    """Whether an image of a type that the interface does not take stops all, a text stands for it, or it stays for others to judge."""

    REFUSE = "refuse"
    PLACEHOLDER = "placeholder"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Choices:
    """`system` and `tools` are for sessions that hold none."""

    orphans: Orphans = Orphans.DROP
    missing: Missing = Missing.REFUSE
    bad: Bad = Bad.REFUSE
    system: str | None = None
    tools: tuple[Tool, ...] | None = None
