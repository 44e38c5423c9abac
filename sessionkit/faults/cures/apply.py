"""A session as it is after its splices."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from sessionkit.core.edits import Edit, apply_edits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.faults.base import Splice
    from sessionkit.faults.lines import Lines


def applied(lines: Lines, splices: Iterable[Splice]) -> Iterator[bytes | memoryview]:
    """Give the whole file anew, in pieces; all that no splice is about is read as it is.

    Splices are in order and do not overlap, as `combine` gives them (ValueError).
    """
    position = 0
    for line, run in groupby(splices, key=attrgetter("line")):
        start = lines.offset(line)
        yield from lines.pieces(position, start)
        edits = [Edit(splice.start, splice.stop, (splice.new,)) for splice in run]
        yield from apply_edits(memoryview(lines.raw(line)), edits)
        position = start + lines.length(line)
    yield from lines.pieces(position, lines.size)
