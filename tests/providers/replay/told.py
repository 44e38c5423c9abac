"""Messages made short, so that a table can hold what a rule does to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import Conversation
from tests.formats.outlines import outline

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.model import Message
    from sessionkit.providers.replay.remarks import Outcome


def told(messages: Iterable[Message]) -> list[str]:
    """A line for each message."""
    return outline(Conversation("", tuple(messages)))


def noted(outcome: Outcome) -> list[str]:
    return [str(note) for note in outcome.notes]
