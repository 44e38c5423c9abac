"""Walks from an entry to the root of its tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import Skipped
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.formats.records import Record


@dataclass(frozen=True, slots=True)
class Chain:
    """Entries from a root to a leaf; `broken` tells why the first of them is no real root."""

    records: tuple[Record, ...]
    broken: tuple[Skipped, ...] = ()


def walk(leaf: Record | None, by_id: dict[str, Record]) -> Chain:
    """Follow the parents. A missing parent ends the walk, and so does the first entry that comes a second time."""
    steps = list(ancestors(leaf, by_id)) if leaf else []
    broken = tuple(_break(steps, by_id)) if steps else ()
    return Chain(tuple(reversed(steps)), broken)


def ancestors(record: Record, by_id: dict[str, Record]) -> Iterator[Record]:
    """Yield the record and those above it, each once."""
    seen: set[int] = set()
    step: Record | None = record
    while step is not None and id(step) not in seen:
        seen.add(id(step))
        yield step
        step = by_id.get(step.parent)


def other_roots(records: Iterable[Record], chain: Iterable[Record]) -> Iterator[Skipped]:
    """Say of the roots of other trees that what hangs on them is no part of the chain."""
    reached = {id(record) for record in chain}
    for record in records:
        if not record.parent and id(record) not in reached:
            yield Skipped("root of another tree, out of reach of this branch", record.origin)


def index(records: Iterable[Record]) -> dict[str, Record]:
    """Find entries by id; the last of an id counts."""
    return {record.id: record for record in records if record.id}


def _break(steps: list[Record], by_id: dict[str, Record]) -> Iterator[Skipped]:
    top = steps[-1]
    if top.parent in by_id:
        yield Skipped(f"its parents run in a circle: entry {top.parent} comes again", top.origin, is_beginning=True)
    elif top.parent:
        earlier = sum(record.origin.line < top.origin.line for record in by_id.values())
        lost = {0: "", 1: ": 1 earlier entry is out of reach"}.get(earlier, f": {earlier} earlier entries are out of reach")
        yield Skipped(f"its parent {top.parent} is missing{lost}", top.origin, is_beginning=True)
