"""From a branch of Pi's entries to messages; Ink writes the same entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.content import below, carry, string, token_count
from sessionkit.core.dialects.pi import decode_blocks
from sessionkit.core.dialects.pi_messages import decode_message, replace_content
from sessionkit.core.model import Message, Role, Skipped, Text, UserKind
from sessionkit.formats.chain import other_roots
from sessionkit.formats.records import repeated_ids
from sessionkit.formats.skips import unknown_parts, unknown_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sessionkit.formats.chain import Chain
    from sessionkit.formats.records import Record

_ENTRIES_THAT_SHOW = frozenset({"message", "custom_message", "branch_summary", "compaction", "context_edit"})
_ENTRIES_THAT_DO_NOT = frozenset({"session", "model_change", "thinking_level_change", "label", "session_info", "usage", "custom", "leaf"})

_SUMMARY = ("summary", "text", "content")
"""Where the summary may stand: the names of Ink's compaction are not published."""


def is_known(type_: str) -> bool:
    """Whether Pi writes entries of that type."""
    return type_ in _ENTRIES_THAT_SHOW or type_ in _ENTRIES_THAT_DO_NOT


def project(branch: Sequence[Record]) -> tuple[Message, ...]:
    """Select what the model sees of a branch: the newest compaction, what it kept, and what came later.

    An entry that the model never sees becomes a meta message that carries its type.
    """
    edits = {_target(record): record for record in branch if record.type == "context_edit" and _target(record)}
    at = _newest_compaction(branch)
    if at is None:
        return tuple(_messages(branch, edits))
    compaction = branch[at]
    kept = _kept(branch[:at], compaction, edits)
    return (*_system(compaction), _summary(compaction, len(kept)), *kept, *_messages(branch[at + 1 :], edits))


def passed_over(records: Sequence[Record], chain: Chain, messages: Iterable[Message]) -> Iterator[Skipped]:
    """Say what a reader of these records passes over, or cannot follow."""
    yield from unknown_types(records, is_known)
    yield from repeated_ids(records)
    yield from other_roots(records, chain.records)
    yield from chain.broken
    yield from _lost_kept(chain.records)
    yield from _lost_targets(chain.records)
    yield from unknown_parts(messages)


def retained_tail(compaction: Record) -> tuple[str, list[object]] | None:
    """Find the messages that a compaction keeps in itself: `retainedTail`, or any list of messages; with the list's name."""
    match compaction.value.get("retainedTail"):
        case list(tail):
            return "retainedTail", tail
        case _:
            lists = ((name, _messages_in(value)) for name, value in compaction.value.items())
            return next(((name, messages) for name, messages in lists if messages), None)


def _messages_in(value: object) -> list[object]:
    """A list of messages, and nothing for anything else."""
    items = value if isinstance(value, list) else []
    return items if all(isinstance(item, dict) and "role" in item for item in items) else []


def _target(edit: Record) -> str:
    return string(edit.value.get("targetId"))


def _lost_kept(branch: Sequence[Record]) -> Iterator[Skipped]:
    at = _newest_compaction(branch)
    if at is None or retained_tail(branch[at]):
        return
    first = branch[at].value.get("firstKeptEntryId")
    if first is not None and all(record.id != first for record in branch[: at + 1]):
        yield Skipped(f"the entry {first} from which it keeps is missing: nothing before it is kept", branch[at].origin)


def _lost_targets(branch: Sequence[Record]) -> Iterator[Skipped]:
    ids = {record.id for record in branch}
    for record in branch:
        if record.type == "context_edit" and _target(record) not in ids:
            yield Skipped(f"it edits the entry {_target(record)}, which is not on this branch", record.origin)


def _newest_compaction(branch: Sequence[Record]) -> int | None:
    return next((at for at in reversed(range(len(branch))) if branch[at].type == "compaction"), None)


def _kept(before: Sequence[Record], compaction: Record, edits: dict[str, Record]) -> tuple[Message, ...]:
    tail = retained_tail(compaction)
    if tail is not None:
        return tuple(_retained(compaction, *tail))
    first = compaction.value.get("firstKeptEntryId")
    start = next((at for at, record in enumerate(before) if record.id == first), len(before))
    kept = (record for record in before[start:] if record.type != "compaction")
    return tuple(message for message in _messages(kept, edits) if message.role is not Role.SYSTEM)


def _retained(compaction: Record, name: str, tail: list[object]) -> Iterator[Message]:
    for at, message in enumerate(tail):
        if isinstance(message, dict):
            yield decode_message(message, below(compaction.origin, name, at))


def _system(compaction: Record) -> Iterator[Message]:
    message = compaction.value.get("systemMessage")
    if isinstance(message, dict):
        yield decode_message(message, below(compaction.origin, "systemMessage"))


def _summary(compaction: Record, kept: int) -> Message:
    name = next((name for name in _SUMMARY if isinstance(compaction.value.get(name), str)), "summary")
    text = Text(string(compaction.value.get(name)), below(compaction.origin, name))
    before = token_count(compaction.value.get("tokensBefore"))
    carried = carry(compaction.value, "details", "fromHook")
    return Message(Role.COMPACTION, (text,), compaction.origin, plain=True, kept=kept, tokens_before=before, carried=carried)


def _messages(records: Iterable[Record], edits: dict[str, Record]) -> Iterator[Message]:
    for record in records:
        if record.id in edits:
            yield from _edited(record, edits[record.id])
        else:
            yield _message(record)


def _edited(record: Record, edit: Record) -> Iterator[Message]:
    match edit.value.get("replacement"):
        case None:
            return
        case {"content": content}:
            yield replace_content(_message(record), content, below(edit.origin, "replacement", "content"))
        case _:
            yield _message(record)


def _message(record: Record) -> Message:
    match record.type:
        case "message" if isinstance(message := record.value.get("message"), dict):
            return decode_message(message, below(record.origin, "message"))
        case "custom_message":
            blocks, plain = decode_blocks(record.value.get("content"), below(record.origin, "content"))
            return Message(Role.USER, blocks, record.origin, UserKind.NOTE, plain)
        case "branch_summary" if summary := string(record.value.get("summary")):
            text = Text(summary, below(record.origin, "summary"))
            return Message(Role.USER, (text,), record.origin, UserKind.BRANCH_SUMMARY, plain=True)
        case _:
            return Message(Role.META, (), record.origin, carried=carry(record.value, "type"))
