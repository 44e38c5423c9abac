"""Replies of Claude Code's model: a record for each block, of which a chain may hold but some."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sessionkit.core.dialects.content import string

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from sessionkit.core.entries import JsonObject
    from sessionkit.formats.records import Record


def with_parallel_calls(chain: Sequence[Record], pool: Collection[Record]) -> list[Record]:
    """Add the blocks and the results that a chain leaves out: of parallel calls it holds the last result only.

    The chain is a part of the pool; where it is the whole, it leaves out nothing.
    """
    if len(chain) == len(pool):
        return [*chain]
    known, held = _Index(pool), _Index(chain)
    behind: dict[str, list[Record]] = defaultdict(list)
    for reply, lines in held.replies.items():
        siblings = _siblings(lines, known.replies[reply])
        calls = [call for record in (*lines, *siblings) for call in _calls(record)]
        for record in siblings:
            behind[_before(record, lines).id].append(record)
        anchors = [lines[-1], *(record for call in calls for record in held.results.get(call, ()))]
        for record in _late_results(calls, known, held):
            behind[_before(record, anchors).id].append(record)
    return [record for link in chain for record in (link, *behind[link.id])]


def reply_id(record: Record) -> str:
    """Id of the model's reply that a record is a block of; empty for other records."""
    if record.type != "assistant":
        return ""
    message = record.value.get("message")
    return string(message.get("id")) if isinstance(message, dict) else ""


class _Index:
    """Records by the reply that they are a block of, and by the calls whose results they hold."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.replies: dict[str, list[Record]] = defaultdict(list)
        self.results: dict[str, list[Record]] = defaultdict(list)
        for record in records:
            if reply := reply_id(record):
                self.replies[reply].append(record)
            for call in _answered(record):
                self.results[call].append(record)


def _siblings(lines: list[Record], reply: list[Record]) -> list[Record]:
    """Records of a reply that the chain lacks; not copies of those that it has."""
    ids, contents = {record.id for record in lines}, [_message(record).get("content") for record in lines]
    return [record for record in reply if record.id not in ids and _message(record).get("content") not in contents]


def _late_results(calls: list[str], known: _Index, held: _Index) -> list[Record]:
    """The newest result of each call that the chain does not answer; a record may answer several."""
    results = {record.id: record for call in calls if call not in held.results for record in known.results.get(call, ())[-1:]}
    return sorted(results.values(), key=_line)


def _before(record: Record, anchors: list[Record]) -> Record:
    """Choose the last anchor that stands before the record in the file; the first, if none does."""
    return max((anchor for anchor in anchors if _line(anchor) < _line(record)), key=_line, default=anchors[0])


def _line(record: Record) -> int:
    return record.origin.line


def _calls(record: Record) -> list[str]:
    return [string(block.get("id")) for block in _blocks(record) if block.get("type") == "tool_use"]


def _answered(record: Record) -> list[str]:
    return [string(block.get("tool_use_id")) for block in _blocks(record) if block.get("type") == "tool_result"]


def _blocks(record: Record) -> list[JsonObject]:
    content = _message(record).get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _message(record: Record) -> JsonObject:
    message = record.value.get("message")
    return message if isinstance(message, dict) else {}
