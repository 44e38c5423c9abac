"""Ink-like sessions: known from a published description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import Conversation
from sessionkit.formats.base import Format
from sessionkit.formats.chain import index, walk
from sessionkit.formats.projection import is_known, passed_over, project, retained_tail
from sessionkit.formats.records import Names, Record, find_record, read_records, record_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.entries import Defect, Entry
    from sessionkit.formats.head import Head, JsonObject

_NAMES = Names("id", ("parentId",))


class Ink(Format):
    """Entries like those of Pi without its header; one `toolResult` message holds several results.

    A Pi session that has lost its header reads the same way.
    """

    id = "ink"
    agent = "Ink"

    def recognises(self, head: Head) -> bool:
        return any(_is_entry(entry) for entry in head.objects)

    def conversation(self, entries: Iterable[Entry | Defect], path: str, leaf: str | None) -> Conversation:
        everything, skipped = read_records(entries, path, _NAMES)
        records = [_as_compaction(record) for record in everything]
        last = records[-1] if records else None
        chain = walk(last if leaf is None else find_record(records, leaf, path), index(records))
        messages = project(chain.records)
        skipped += passed_over(records, chain, messages)
        return Conversation(self.id, messages, tuple(skipped))


def _is_entry(entry: JsonObject) -> bool:
    match entry:
        case {"type": "message", "id": _, "parentId": _, "message": {"role": _}}:
            return True
        case _:
            return False


def _as_compaction(record: Record) -> Record:
    """The name of a compaction is not published: an entry of another kind that holds messages is one."""
    if is_known(record.type) or retained_tail(record) is None:
        return record
    return record_of({**record.value, "type": "compaction"}, record.origin, record.id, record.parent)
