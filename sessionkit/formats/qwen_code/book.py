"""qwen-code: Claude Code's chain of records with the Gemini API's messages in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.calls import name_results
from sessionkit.core.model import Conversation
from sessionkit.formats.base import Format
from sessionkit.formats.chain import index, other_roots, walk
from sessionkit.formats.records import Names, find_record, read_records
from sessionkit.formats.skips import unknown_parts, unknown_types

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.entries import Defect, Entry
    from sessionkit.formats.head import Head, JsonObject

_NAMES = Names("uuid", ("parentUuid",))
_TYPES = ("user", "assistant", "tool_result", "system")


class QwenCode(Format):
    """Records `{"uuid","parentUuid","sessionId","type","message":{"role","parts"}}`."""

    id = "qwen-code"
    agent = "qwen-code"

    def recognises(self, head: Head) -> bool:
        return any(_is_record(entry) for entry in head.objects)

    def conversation(self, entries: Iterable[Entry | Defect], path: str, leaf: str | None) -> Conversation:
        from sessionkit.formats.qwen_code.history import is_known, join_fragments, other_sessions, replay

        records, skipped = read_records(entries, path, _NAMES)
        fragments = join_fragments(records)
        first = [group[0] for group in fragments.values()]
        last = next((record for record in reversed(records) if record.id), None)
        end = last if leaf is None else find_record(records, leaf, path)
        chain = walk(fragments[end.id][0] if end else None, index(first))
        messages = name_results(replay([fragments[record.id] for record in chain.records]))
        skipped += [
            *unknown_types(records, is_known),
            *other_sessions(records),
            *other_roots(first, chain.records),
            *chain.broken,
            *unknown_parts(messages),
        ]
        return Conversation(self.id, messages, tuple(skipped))


def _is_record(entry: JsonObject) -> bool:
    is_named = isinstance(entry.get("uuid"), str) and isinstance(entry.get("sessionId"), str) and "parentUuid" in entry
    return is_named and entry.get("type") in _TYPES and _is_qwens_own(entry)


def _is_qwens_own(record: JsonObject) -> bool:
    """Tell the record from one of Claude Code, which has the same four keys."""
    message = record.get("message")
    parts = message.get("parts") if isinstance(message, dict) else None
    return record["type"] == "tool_result" or "systemPayload" in record or isinstance(parts, list)
