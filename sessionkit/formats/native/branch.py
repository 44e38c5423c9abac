"""From a branch of my-pi-agent's entries to messages, in the words of all its generations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sessionkit.core.dialects.content import below, carry, token_count
from sessionkit.core.dialects.native import decode_message, member, spelled
from sessionkit.core.dialects.pi import decode_blocks
from sessionkit.core.model import Message, Role, Text, UserKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.formats.records import Record

KINDS = frozenset(
    {
        "message",
        "compaction",
        "branch_summary",
        "session_info",
        "model_change",
        "thinking_level_change",
        "label",
        "leaf",
        "custom",
    }
)
_capital = re.compile("[A-Z]").sub


def kind(type_: str) -> str:
    """Spell the type of an entry in snake case; one without a type is a message."""
    return _capital(lambda found: f"_{found[0].lower()}", type_) or "message"


def project(branch: Sequence[Record]) -> tuple[Message, ...]:
    """Select what the model sees: the system's messages, the newest compaction with its tail, and what neither of them covers."""
    at = next((at for at in reversed(range(len(branch))) if kind(branch[at].type) == "compaction"), None)
    if at is None:
        return tuple(map(_message, branch))
    before = [message for message in map(_message, branch[:at]) if message.role is not Role.META]
    system = [message for message in before if message.role is Role.SYSTEM]
    spoken = [message for message in before if message.role is not Role.SYSTEM]
    tail = tuple(_retained(branch[at]))
    covered = _covered(branch[at], len(spoken)) + len(tail)
    return (*system, _summary(branch[at], len(tail)), *tail, *spoken[covered:], *map(_message, branch[at + 1 :]))


def _message(record: Record) -> Message:
    match kind(record.type), record.value:
        case "message", {"message": dict(message)}:
            return decode_message(message, below(record.origin, "message"))
        case "message", {"role": _}:  # the first generation has no envelope
            return decode_message(record.value, record.origin)
        case "branch_summary", {"summary": str(summary)} if summary:
            text = Text(summary, below(record.origin, "summary"))
            return Message(Role.USER, (text,), record.origin, UserKind.BRANCH_SUMMARY, plain=True)
        case _:
            return Message(Role.META, (), record.origin, carried=carry(record.value, "type"))


def _summary(compaction: Record, kept: int) -> Message:
    """The first generation writes the summary as content."""
    name = "summary" if "summary" in compaction.value else "content"
    blocks, plain = decode_blocks(compaction.value.get(name), below(compaction.origin, name))
    before = token_count(member(compaction.value.get("metadata"), "tokens_before"))
    return Message(Role.COMPACTION, blocks, compaction.origin, plain=plain, kept=kept, tokens_before=before)


def _retained(compaction: Record) -> Iterator[Message]:
    metadata = compaction.value.get("metadata")
    tail = member(metadata, "retained_tail")
    if not isinstance(metadata, dict) or not isinstance(tail, list):
        return
    place = below(compaction.origin, "metadata", spelled(metadata, "retained_tail"))
    for at, message in enumerate(tail):
        if isinstance(message, dict):
            yield decode_message(message, below(place, at))


def _covered(compaction: Record, most: int) -> int:
    """Count the messages that the summary stands for: all before it, unless it says less."""
    covered = member(compaction.value.get("metadata"), "covered_count")
    return covered if isinstance(covered, int) and covered >= 0 else most
