"""The entries of a session as a book sees them: with their ids, their parents and their places."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from sessionkit.core.entries import Defect
from sessionkit.core.model import Origin, Skipped
from sessionkit.dataclass import dataclass
from sessionkit.errors import Place, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.entries import Entry, JsonObject

_MANY = 5


@dataclass(frozen=True, slots=True)
class Names:
    """What a format calls an entry's id, and the id of the entry before it; with other spellings."""

    id: str
    parent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """An entry. `id` is empty if it has none, `parent` at a root, `type` if it is no string."""

    value: JsonObject
    origin: Origin
    id: str
    parent: str
    type: str


def record_of(value: JsonObject, origin: Origin, id_: str = "", parent: str = "") -> Record:
    """Make the record of an entry."""
    type_ = value.get("type")
    return Record(value, origin, id_, parent, type_ if isinstance(type_, str) else "")


def read_records(entries: Iterable[Entry | Defect], path: str, names: Names) -> tuple[list[Record], list[Skipped]]:
    """Part the entries, in the order of the file, from the lines that hold none."""
    records: list[Record] = []
    skipped: list[Skipped] = []
    for entry in entries:
        if isinstance(entry, Defect):
            skipped.append(Skipped(entry.cause, Origin(path, entry.line)))
        else:
            id_ = _id(entry.value, names.id)
            records.append(record_of(entry.value, Origin(path, entry.line, id_), id_, _id(entry.value, *names.parent)))
    return records, skipped


def find_record(records: list[Record], leaf: str, path: str) -> Record:
    """Find the entry of that id, the last of them; UsageError, which names the newest ids, if there is none."""
    found = next((record for record in reversed(records) if record.id == leaf), None)
    if leaf and found:
        return found
    newest = ", ".join(islice((record.id for record in reversed(records) if record.id), _MANY))
    raise UsageError(
        f"no entry has the id {leaf!r}",
        place=Place(path),
        why=f"the newest are {newest}" if newest else "its entries have no ids",
        hint="name one of its entries, or none for the newest branch",
    )


def repeated_ids(records: Iterable[Record]) -> Iterator[Skipped]:
    """Say of an id that stands again later that its earlier entry does not count."""
    seen: dict[str, Record] = {}
    for record in records:
        if record.id in seen:
            yield Skipped(f"entry of the same id on line {record.origin.line} takes its place", seen[record.id].origin)
        if record.id:
            seen[record.id] = record


def _id(value: JsonObject, *names: str) -> str:
    """Read the first id that stands under one of the names; some are numbers."""
    for name in names:
        id_ = value.get(name)
        if id_ and isinstance(id_, str):
            return id_
        if isinstance(id_, int) and id_ is not False:
            return str(id_)
    return ""
