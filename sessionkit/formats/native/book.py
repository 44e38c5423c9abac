"""my-pi-agent, whose newest generation keeps images in files by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.calls import name_results
from sessionkit.core.dialects.content import string
from sessionkit.core.dialects.native import member
from sessionkit.core.model import Conversation, Skipped
from sessionkit.formats.base import Format
from sessionkit.formats.chain import index, other_roots, walk
from sessionkit.formats.holders import Use, holder_of_lock
from sessionkit.formats.native.branch import KINDS, kind, project
from sessionkit.formats.records import Names, Record, find_record, read_records, repeated_ids
from sessionkit.formats.skips import unknown_parts, unknown_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sessionkit.core.entries import Defect, Entry
    from sessionkit.formats.head import Head, JsonObject

_NAMES = Names("id", ("parentId", "parent_id"))


class Native(Format):
    """A header of snake_case keys without a type, or a `session_info` on line 1; images stand in the lines."""

    id = "native"
    agent = "my-pi-agent"

    def recognises(self, head: Head) -> bool:
        return _is_header(head.first)

    def conversation(self, entries: Iterable[Entry | Defect], path: str, leaf: str | None) -> Conversation:
        everything, skipped = read_records(entries, path, _NAMES)
        records = [record for record in everything if not _is_header(record.value)]
        tip, lost = (find_record(records, leaf, path), []) if leaf is not None else _newest(everything)
        chain = walk(tip, index(records))
        messages = name_results(project(chain.records))
        skipped += [
            *lost,
            *unknown_types(records, lambda type_: kind(type_) in KINDS),
            *repeated_ids(records),
            *other_roots(records, chain.records),
            *chain.broken,
            *unknown_parts(messages),
        ]
        return Conversation(self.id, messages, tuple(skipped))

    def in_use(self, path: Path) -> Use | None:
        """Look at the lock `.<file>.lock` beside the session, then at open files."""
        return holder_of_lock(path.with_name(f".{path.name}.lock")) or super().in_use(path)


class NativeSpill(Native):
    """The generation that writes image blocks with `asset_path` and reads them back before each request."""

    reads_references = True

    def recognises(self, head: Head) -> bool:
        return super().recognises(head) and any(_has_reference(entry) for entry in head.objects)


def _is_header(entry: JsonObject) -> bool:
    return _is_typed_header(entry) or _is_early_header(entry)


def _is_typed_header(entry: JsonObject) -> bool:
    match entry:
        case {"type": "session_info" | "sessionInfo", "createdAt": _} | {"type": "session_info" | "sessionInfo", "cwd": _}:
            return True
        case _:
            return False


def _is_early_header(entry: JsonObject) -> bool:
    match entry:
        case {"created_at": _, "current_id": _} | {"created_at": _, "root_id": _}:
            return entry.get("type", "session") == "session" and "role" not in entry  # the earliest ones had the type
        case _:
            return False


def _has_reference(entry: JsonObject) -> bool:
    match entry:
        case {"message": {"content": list(blocks)}}:
            return any(_is_reference(block) for block in blocks)
        case _:
            return False


def _is_reference(block: object) -> bool:
    """Tell the agent's own reference from one that `migrate` wrote, which names the field that it replaced."""
    match block:
        case {"asset_field": _}:
            return False
        case {"type": "image", "asset_path": str()} | {"type": "image", "assetPath": str()}:
            return True
        case _:
            return False


def _newest(everything: list[Record]) -> tuple[Record | None, list[Skipped]]:
    """Find the entry that the last `leaf` names, or the header; else the last one. Older generations rewrite their header."""
    by_id = index(record for record in everything if not _is_header(record.value))
    last = next((record for record in reversed(everything) if not _is_header(record.value)), None)
    naming = next((record for record in _by_rank(everything) if _named(record)), None)
    if naming is None:
        return last, []
    found = by_id.get(_named(naming))
    if found:
        return found, []
    return last, [Skipped(f"it names the entry {_named(naming)} as the newest, which is missing", naming.origin)]


def _by_rank(everything: list[Record]) -> Iterator[Record]:
    yield from (record for record in reversed(everything) if kind(record.type) == "leaf")
    yield from (record for record in reversed(everything) if _is_header(record.value))


def _named(record: Record) -> str:
    """Id of the newest entry by a `leaf` entry, or by a header of either form."""
    holders = (record.value, record.value.get("metadata"))
    return next((id_ for holder in holders for name in ("leaf_id", "current_id") if (id_ := string(member(holder, name)))), "")
