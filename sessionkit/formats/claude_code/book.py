"""Claude Code, with the files of its subagents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.calls import name_results
from sessionkit.core.dialects.content import string
from sessionkit.core.model import Conversation, Skipped
from sessionkit.formats.base import Format
from sessionkit.formats.chain import index, other_roots
from sessionkit.formats.claude_code.branch import branch_of, is_boundary, is_sidechain, newest_terminal
from sessionkit.formats.records import Names, Record, find_record, read_records, repeated_ids
from sessionkit.formats.skips import unknown_parts, unknown_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.entries import Defect, Entry
    from sessionkit.formats.head import Head, JsonObject

_NAMES = Names("uuid", ("parentUuid",))
_LINKS = frozenset({"user", "assistant", "system", "attachment", "progress"})
_ASIDES = frozenset(
    {
        "queue-operation",
        "last-prompt",
        "mode",
        "permission-mode",
        "ai-title",
        "custom-title",
        "summary",
        "tag",
        "pr-link",
        "bridge-session",
        "atis-latch",
        "content-replacement",
    }
)
_ASIDE_PREFIXES = ("agent-", "file-history-")


class ClaudeCode(Format):
    """A chain of records by `uuid` and `parentUuid`, with records beside the chain; any of them can come first."""

    id = "claude-code"
    agent = "Claude Code"

    def recognises(self, head: Head) -> bool:
        return any(_is_chain_member(entry) or _is_side_record(entry) for entry in head.objects)

    def conversation(self, entries: Iterable[Entry | Defect], path: str, leaf: str | None) -> Conversation:
        from sessionkit.formats.claude_code.messages import project

        records, skipped = read_records(entries, path, _NAMES)
        links = [record for record in records if record.id and (record.type in _LINKS or "parentUuid" in record.value)]
        by_id = index(links)
        branch = branch_of(newest_terminal(by_id) if leaf is None else find_record(links, leaf, path), by_id)
        messages = name_results(project(branch))
        skipped += [
            *unknown_types(records, _is_known),
            *repeated_ids(links),
            *_other_sessions(links, branch.records),
            *other_roots(_first_turns(links), branch.records),
            *branch.skipped,
            *_without_message(branch.records),
            *unknown_parts(messages),
        ]
        return Conversation(self.id, messages, tuple(skipped))


def _is_chain_member(entry: JsonObject) -> bool:
    return "sessionId" in entry and ("isSidechain" in entry or "userType" in entry)


def _is_side_record(entry: JsonObject) -> bool:
    match entry:
        case {"sessionId": _, "type": "queue-operation" | "last-prompt" | "mode" | "permission-mode" | "ai-title" | "custom-title"}:
            return True
        case {"type": "file-history-snapshot", "messageId": _} | {"type": "summary", "leafUuid": _}:
            return True
        case _:
            return False


def _is_known(type_: str) -> bool:
    return type_ in _LINKS or type_ in _ASIDES or type_.startswith(_ASIDE_PREFIXES)


def _other_sessions(links: list[Record], branch: tuple[Record, ...]) -> Iterator[Skipped]:
    """Two agents that write into one file leave lines of two conversations."""
    seen = {string(record.value.get("sessionId")) for record in branch}
    for record in links:
        session = string(record.value.get("sessionId"))
        if session not in seen:
            seen.add(session)
            yield Skipped(f"records of another session, {session}", record.origin)


def _first_turns(links: list[Record]) -> Iterator[Record]:
    """Records but the first that may begin a conversation: not those of compactions and subagents, each of which is a root."""
    return (record for record in links[1:] if not record.parent and not is_boundary(record) and not is_sidechain(record))


def _without_message(branch: Iterable[Record]) -> Iterator[Skipped]:
    for record in branch:
        if record.type in {"user", "assistant"} and not isinstance(record.value.get("message"), dict):
            yield Skipped("entry without a message", record.origin)
