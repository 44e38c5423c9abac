"""The part of a conversation that is summarised: as the summary's model may see it, and what should be known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.base import Compat, Note, NoteKind
from sessionkit.compaction.inputs.texts import sound
from sessionkit.compaction.payloads import clear_text
from sessionkit.core.model import Media, Role, Text
from sessionkit.dataclass import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sessionkit.compaction.base import Plan
    from sessionkit.core.model import Message

UNSEEN = frozenset({Role.SYSTEM, Role.META})
"""Roles that are never summarised, and that no cut is made for."""


def seen(messages: Iterable[Message]) -> list[Message]:
    """Leave out what is never summarised."""
    return [message for message in messages if message.role not in UNSEEN]


def earlier_summary(compaction: Message, compat: Compat) -> str:
    """Give the text of an earlier summary, as far as a request can hold it."""
    text = "".join(block.text for block in compaction.content if isinstance(block, Text))
    return sound(text if compat is Compat.UPSTREAM else clear_text(text), compat)


def noted(plan: Plan, messages: Sequence[Message]) -> Plan:
    """Add what should be known of a plan."""
    return replace(plan, notes=(*plan.notes, *_notes(plan, messages)))


def _notes(plan: Plan, messages: Sequence[Message]) -> Iterator[Note]:
    newest = next((index for index in reversed(range(len(messages))) if _shows_media(messages[index])), len(messages))
    if newest in range(plan.history.start, plan.cut):
        yield Note(NoteKind.NEWEST_MEDIA_SUMMARISED, f"the newest media of the user, in #{newest}, are summarised")
    if plan.traceless:
        yield Note(NoteKind.MEDIA_WITHOUT_TRACE, f"{len(plan.traceless)} media leave no trace in what is summarised")
    if plan.snapped_from is not None:
        yield Note(NoteKind.SNAPPED_FROM, f"the cut moved back from #{plan.snapped_from}, where it would part a result from its call")
    for part, text in ((plan.history, plan.summary_input), (plan.prefix, plan.prefix_input)):
        if part and not text and seen(messages[part.start : part.stop]):
            yield Note(NoteKind.EMPTY_REQUEST, f"#{part.start} to #{part.stop - 1} hold nothing that a summary could be made from")


def _shows_media(message: Message) -> bool:
    return message.role is Role.USER and any(isinstance(block, Media) for block in message.content)
