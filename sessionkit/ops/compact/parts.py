"""What becomes of each message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.base import Cleared, Nothing, Plan
from sessionkit.core.model import NOWHERE, Role
from sessionkit.ops.compact.result import STAYING, At, Part
from sessionkit.ops.compact.saying import says

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.compaction.base import Outcome
    from sessionkit.core.model import Message


def parts_of(messages: Sequence[Message], outcome: Outcome) -> list[Part]:
    """Tell of each message what becomes of it."""
    return [Part.SYSTEM if message.role is Role.SYSTEM else part for message, part in zip(messages, _parts(messages, outcome), strict=True)]


def at(messages: Sequence[Message], index: int | None) -> At | None:
    """Tell what stands at an index, and how it begins."""
    if index is None:
        return None
    message = messages[index] if index < len(messages) else None
    return At(index, message.role, message.origin, says(message)) if message else At(index, None, NOWHERE)


def left_of(messages: Sequence[Message], outcome: Outcome) -> Sequence[Message]:
    """What stays of a conversation, without any summary."""
    if isinstance(outcome, Cleared):
        return outcome.messages
    return [message for message, part in zip(messages, parts_of(messages, outcome), strict=True) if part in STAYING]


def _parts(messages: Sequence[Message], outcome: Outcome) -> list[Part]:
    match outcome:
        case Nothing():
            return [Part.KEPT] * len(messages)
        case Cleared(cleared=references):
            changed = {reference.message for reference in references}
            return [Part.CLEARED if index in changed else Part.KEPT for index in range(len(messages))]
        case Plan():
            return [_part(index, outcome) for index in range(len(messages))]


def _part(index: int, plan: Plan) -> Part:
    if index == plan.dropped:
        return Part.DROPPED
    if index >= plan.cut:
        return Part.KEPT
    if plan.prefix is not None and index in plan.prefix:
        return Part.PREFIX
    return Part.HISTORY if index in plan.history else Part.EARLIER
