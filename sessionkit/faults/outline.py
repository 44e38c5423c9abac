"""A session in outline: its entries without long strings, for questions about ids, parents, kinds and places."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from sessionkit.core.entries import Defect, Entry
from sessionkit.core.jsonl import TooDeepError
from sessionkit.core.slices import Slice
from sessionkit.dataclass import dataclass
from sessionkit.formats.documents import read_document
from sessionkit.formats.records import Names, read_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.entries import JsonObject
    from sessionkit.faults.lines import Lines
    from sessionkit.formats.records import Record

_SHORT: Final = 256
"""Characters of a string that is kept whole."""
_DEPTH: Final = 10
"""Containers in containers that are kept: the results of calls of messages that Gemini CLI sets stand deepest."""
_TOO_DEEP: Final = str(TooDeepError())
_LEFT_OUT: Final = frozenset({"toolUseResult", "toolCallResult", "resultDisplay", "usage", "cost", "details", "args", "arguments", "input"})
"""Members that may be large, and that no fault of structure is about."""

_UUIDS: Final = Names("uuid", ("parentUuid",))
_IDS: Final = Names("id", ("parentId", "parent_id"))
_NAMES: Final = {"claude-code": _UUIDS, "qwen-code": _UUIDS}


@dataclass(frozen=True, slots=True)
class Outline:
    """The entries in the order of the file, and the lines on which something is no JSON; both empty for a document of many lines.

    Of a long string its beginning, its length and a hash are left, so that equal ones stay equal. `odd` are the lines that are not
    one JSON value, blank ones apart: torn and glued ones. `deep` are those on which something is nested too deep to be read.
    """

    records: tuple[Record, ...]
    odd: tuple[int, ...]
    deep: tuple[int, ...] = ()

    def at(self, line: int) -> tuple[Record, ...]:
        """Find the entries of a line."""
        number = attrgetter("origin.line")
        return self.records[bisect_left(self.records, line, key=number) : bisect_right(self.records, line, key=number)]

    @property
    def first(self) -> JsonObject:
        """The first entry; an empty one if there is none."""
        return self.records[0].value if self.records else {}


def outline_of(lines: Lines, path: str, format_: str) -> Outline:
    """Read a session once more; `path` is for origins."""
    document, entries = read_document(lines.entries(), str(lines.path))
    return Outline((), ()) if document is not None else outlined(entries, path, format_)


def outlined(entries: Iterable[Entry | Defect], path: str, format_: str) -> Outline:
    """Outline the entries of a session that is no document."""
    odd: dict[int, None] = {}
    deep: dict[int, None] = {}
    short = (_shortened(entry) for entry in _watched(entries, odd, deep))
    records, _ = read_records(short, path, _NAMES.get(format_, _IDS))
    return Outline(tuple(records), tuple(odd), tuple(deep))


def _watched(entries: Iterable[Entry | Defect], odd: dict[int, None], deep: dict[int, None]) -> Iterator[Entry | Defect]:
    """Note the lines that hold several values, or what is none, and those with what is nested too deep."""
    last = 0
    for entry in entries:
        if isinstance(entry, Defect) and entry.cause == _TOO_DEEP:
            deep[entry.line] = None
        if entry.line == last or (isinstance(entry, Defect) and entry.cause.startswith("not JSON")):
            odd[entry.line] = None
        last = entry.line
        yield entry


def _shortened(entry: Entry | Defect) -> Entry | Defect:
    if isinstance(entry, Defect):
        return entry
    return Entry({name: _cut(member, _DEPTH) for name, member in entry.value.items() if name not in _LEFT_OUT}, entry.line)


def _cut(value: object, depth: int) -> object:
    match value:
        case str():
            return value if len(value) <= _SHORT else _beginning(value)
        case Slice(size=size):
            return f"…{size}"
        case dict():
            return {name: _cut(member, depth - 1) for name, member in value.items() if name not in _LEFT_OUT} if depth else {}
        case list():
            return [_cut(item, depth - 1) for item in value] if depth else []
        case _:
            return value


def _beginning(text: str) -> str:
    return " " if text.isspace() else f"{text[:_SHORT]}…{len(text)}:{hash(text):x}"
