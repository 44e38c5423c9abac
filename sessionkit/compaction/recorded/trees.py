"""Compactions of Pi, Ink and my-pi-agent: entries of a tree, which hold or name what they kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.recorded.base import Recorded, summarised
from sessionkit.compaction.recorded.past import Links, Past
from sessionkit.core.dialects.content import string
from sessionkit.core.model import Origin
from sessionkit.formats.projection import is_known, retained_tail
from sessionkit.formats.records import record_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.entries import Entry, JsonObject
    from sessionkit.formats import Format

_OF_HEADERS = frozenset({"cwd", "created_at", "createdAt"})


def find(book: Format, entries: Sequence[Entry], path: str) -> Iterator[Recorded]:
    """Find those of Pi and Ink. When an entry has just been written, its branch is the newest."""
    headers = [entry.value for entry in entries if entry.value.get("type") == "session"]
    is_numbered = any(header.get("version", 1) == 1 for header in headers[:1])  # then entries have no ids
    past = Past(book, entries, path, None if is_numbered else Links("id", "parentId", _kept))
    for at, entry in enumerate(entries):
        if _is_compaction(entry.value):
            id_, parent = string(entry.value.get("id")), string(entry.value.get("parentId"))
            yield summarised(Origin(path, entry.line, id_), past.until(at, parent), past.until(at + 1, id_), entry.line)


def find_native(book: Format, entries: Sequence[Entry], path: str) -> Iterator[Recorded]:
    """Find those of my-pi-agent, whose summaries may leave messages of any age as they are. Its entries tell which branch is meant."""
    ids: set[str] = set()
    for at, entry in enumerate(entries):
        id_ = string(entry.value.get("id"))
        if _is_compaction(entry.value) and id_:
            parent = string(entry.value.get("parentId")) or string(entry.value.get("parent_id"))
            before = book.conversation(entries[:at], path, parent).messages if parent in ids else ()
            after = book.conversation(entries[: at + 1], path, id_).messages
            yield summarised(Origin(path, entry.line, id_), before, after, entry.line)
        if not entry.value.keys() & _OF_HEADERS:
            ids.add(id_)


def _is_compaction(value: JsonObject) -> bool:
    """The name of Ink's is not published; it holds messages."""
    record = record_of(value, Origin())
    return record.type == "compaction" or (not is_known(record.type) and retained_tail(record) is not None)


def _kept(value: JsonObject) -> list[str] | None:
    return [string(value.get("firstKeptEntryId"))] if _is_compaction(value) else None
