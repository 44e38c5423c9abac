"""Pi, storage versions 1 to 3, and its forks (oh-my-pi, OpenClaw)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import Conversation, Role, Skipped
from sessionkit.core.slices import whole
from sessionkit.formats.base import Format
from sessionkit.formats.chain import Chain, index, walk
from sessionkit.formats.projection import passed_over, project
from sessionkit.formats.records import Names, find_record, read_records, record_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sessionkit.core.entries import Defect, Entry
    from sessionkit.core.model import Json, Message
    from sessionkit.formats.head import Head, JsonObject
    from sessionkit.formats.records import Record

_NAMES = Names("id", ("parentId",))


class Pi(Format):
    """A header `{"type":"session","version":3,"id":…}`, then a tree of entries."""

    id = "pi"
    agent = "Pi"

    def recognises(self, head: Head) -> bool:
        return any(_is_header(entry) for entry in head.objects)

    def conversation(self, entries: Iterable[Entry | Defect], path: str, leaf: str | None) -> Conversation:
        everything, skipped = read_records(entries, path, _NAMES)
        records = _linked(everything)
        chain = _chain(records, leaf, path)
        messages = project(chain.records)
        skipped += [*_later_headers(everything), *passed_over(records, chain, messages)]
        return Conversation(self.id, messages, tuple(skipped), tuple(_tools(messages).values()))


def _is_header(entry: JsonObject) -> bool:
    is_header = entry.get("type") == "session" and isinstance(entry.get("id"), str)
    return is_header and "created_at" not in entry  # early native sessions have it


def _linked(everything: list[Record]) -> list[Record]:
    """All but the headers. Version 1 has no ids: each entry gets its index, the header being 0, and follows the one before."""
    header = next((record.value for record in everything if record.type == "session"), {})
    numbered = [(at, record) for at, record in enumerate(everything) if record.type != "session"]
    if header.get("version", 1) != 1:
        return [record for _, record in numbered]
    parents = ("", *(str(at) for at, _ in numbered))
    return [_with_ids(record, str(at), parent) for (at, record), parent in zip(numbered, parents, strict=False)]


def _with_ids(record: Record, id_: str, parent: str) -> Record:
    kept = record.value.get("firstKeptEntryIndex")
    value = record.value if kept is None else {**record.value, "firstKeptEntryId": str(kept)}
    return record_of(value, record.origin, id_, parent)


def _chain(records: list[Record], leaf: str | None, path: str) -> Chain:
    by_id = index(records)
    if leaf is not None:
        return walk(find_record(records, leaf, path), by_id)
    last = records[-1] if records else None
    if last and last.type == "leaf" and "targetId" in last.value:
        target = last.value["targetId"]
        last = None if target is None else by_id.get(str(target), last)
    return walk(last, by_id)


def _later_headers(everything: list[Record]) -> Iterator[Skipped]:
    for record in [record for record in everything if record.type == "session"][1:]:
        yield Skipped("another header: the first one counts", record.origin)


def _tools(messages: Iterable[Message]) -> dict[str, Json]:
    """Definitions by name: the latest wins, and keeps the place of the first."""
    tools: dict[str, Json] = {}
    system = Role.SYSTEM
    for message in messages:
        if message.role is system:
            for name in _names(message.carried, "toolsRemoved"):
                tools.pop(name, None)
            tools.update(zip(_names(message.carried, "toolsAdded"), map(whole, _list(message.carried, "toolsAdded")), strict=True))
    return tools


def _names(carried: Mapping[str, Json], member: str) -> list[str]:
    return [str(tool.get("name")) if isinstance(tool, dict) else str(tool) for tool in _list(carried, member)]


def _list(carried: Mapping[str, Json], member: str) -> list[Json]:
    tools = carried.get(member)
    return tools if isinstance(tools, list) else []
