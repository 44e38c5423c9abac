"""Bring the splices of several cures together, so that they can be done at once."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass, replace
from sessionkit.faults.base import Lengths, Splice
from sessionkit.faults.cures.tokens import growth, in_order
from sessionkit.faults.places import outer_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sessionkit.faults.lines import Lines


@dataclass(frozen=True, slots=True)
class Combined:
    """Splices in order, which do not overlap; and the indices of the cures that have to wait for the next round."""

    splices: tuple[Splice, ...]
    waiting: tuple[int, ...] = ()


def combine(lines: Lines, cures: Sequence[tuple[Splice, ...]], lengths: Lengths = Lengths.FREE) -> Combined:
    """Bring cures together. A cure that wants bytes which an earlier one changes otherwise waits as a whole; equal splices count once.

    Items that go from one container share its commas. Where lines keep their length, one that got shorter is filled up with spaces
    before its line feed, and a cure by which a line would get longer waits.
    """
    by_line, busy = _at_once(lines, cures, lengths)
    waiting: list[int] = []
    for index, cure in enumerate(cures):
        if busy.isdisjoint(_lines_of(cure)):
            continue
        together = {line: _settled(lines, (*by_line.get(line, ()), *run)) for line, run in groupby(in_order(cure), key=attrgetter("line"))}
        if all(_is_possible(splices, lengths) for splices in together.values()):
            by_line |= together
        else:
            waiting.append(index)
    padded = (_padded(lines, splices) if lengths is Lengths.KEPT else splices for _, splices in sorted(by_line.items()))
    return Combined(tuple(_joined(chain.from_iterable(padded))), tuple(waiting))


def _at_once(lines: Lines, cures: Sequence[tuple[Splice, ...]], lengths: Lengths) -> tuple[dict[int, tuple[Splice, ...]], set[int]]:
    """Bring together the cures of lines on which nothing stands in the way of anything; and tell the lines of all others."""
    wanted = {line: _settled(lines, run) for line, run in groupby(in_order(chain.from_iterable(cures)), key=attrgetter("line"))}
    busy = {line for line, splices in wanted.items() if not _is_possible(splices, lengths)}
    size = -1
    while size != len(busy):
        size = len(busy)
        for touched in map(_lines_of, cures if busy else ()):
            if not busy.isdisjoint(touched):
                busy |= touched
    return {line: splices for line, splices in wanted.items() if line not in busy}, busy


def _lines_of(cure: Iterable[Splice]) -> set[int]:
    return {splice.line for splice in cure}


def _settled(lines: Lines, splices: Iterable[Splice]) -> tuple[Splice, ...]:
    """Sort the splices of one line, and share out the commas among items that go together."""
    unique = _once(splices)
    gone: dict[str, list[Splice]] = defaultdict(list)
    for splice in unique:
        if splice.taken_out:
            gone[outer_of(splice.taken_out)].append(splice)
    left = (splice for splice in unique if not splice.taken_out)
    return in_order(chain(left, *(_shared(lines, group) for group in gone.values())))


def _once(splices: Iterable[Splice]) -> list[Splice]:
    """Leave out what is there twice; of an item that goes twice the bytes may differ, since commas were shared before."""
    found: dict[object, Splice] = {}
    for splice in splices:
        found.setdefault(splice.taken_out or splice, splice)
    return list(found.values())


def _shared(lines: Lines, group: Sequence[Splice]) -> Iterator[Splice]:
    by_pointer = {splice.taken_out: splice for splice in group}
    for pointer, span in lines.places(group[0].line).taken_out(list(by_pointer)):
        yield replace(by_pointer[pointer], start=span.start, stop=span.stop)


def _is_possible(splices: Sequence[Splice], lengths: Lengths) -> bool:
    """Whether no two of a line want the same bytes, and the line does not get longer where it must not."""
    end = 0
    for splice in splices:
        if splice.start < end:
            return False
        end = splice.stop
    return lengths is Lengths.FREE or growth(splices) <= 0


def _padded(lines: Lines, splices: Sequence[Splice]) -> tuple[Splice, ...]:
    grown, line = growth(splices), splices[0].line
    if not grown:
        return tuple(splices)
    end = lines.length(line) - (line < lines.count or lines.ends_whole)
    return (*splices, Splice(line, end, end, b" " * -grown, "spaces, so that the line keeps its length"))


def _joined(splices: Iterable[Splice]) -> Iterator[Splice]:
    """Put what stands between insertions between those at the same place."""
    for (_, start, stop), run in groupby(splices, key=lambda splice: (splice.line, splice.start, splice.stop)):
        first, *others = run
        yield first
        yield from (replace(other, new=other.joint + other.new, joint=b"") if start == stop else other for other in others)
