"""The session as it is after each round of cures, laid open; and where its lines stood at first."""

from __future__ import annotations

from collections import defaultdict
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass, replace
from sessionkit.faults.cures import applied
from sessionkit.faults.lines import open_lines
from sessionkit.ops.cases import named
from sessionkit.ops.repair.provenance import Cut, Fresh, Provenance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from sessionkit.faults import Fault
    from sessionkit.faults.base import Finding, Splice, Spot
    from sessionkit.faults.case import Case
    from sessionkit.faults.lines import Lines
    from sessionkit.faults.open import Options as Opening
    from sessionkit.ops.repair.scratch import Scratch
    from sessionkit.ops.sources import Source

_UNKNOWN = "unknown"


@contextmanager
def open_versions(path: Path, source: Source, opening: Opening, scratch: Scratch) -> Iterator[Versions]:
    """Lay a session open, which is a plain file at `path`. Raises what laying it open raises."""
    with ExitStack() as opened, open_lines(path) as original:
        yield Versions(_Way(path, source, opening), scratch, original, opened)


@dataclass(frozen=True, slots=True)
class _Way:
    """A file that is a version of a session, and how it is laid open."""

    path: Path
    source: Source
    opening: Opening

    def open(self) -> AbstractContextManager[Case]:
        return named(self.path, self.source, self.opening)


class Versions:
    """`case` is the newest version, `original` the lines of the first."""

    def __init__(self, way: _Way, scratch: Scratch, original: Lines, opened: ExitStack) -> None:
        self.original = original
        self.provenance = Provenance.untouched(0)
        self._first = way.path
        self._way = way
        self._scratch = scratch
        self._found: dict[str, tuple[Finding, ...]] = {}
        self._opened = opened
        self.case = opened.enter_context(way.open())

    @property
    def path(self) -> Path:
        """The file of the newest version."""
        return self._way.path

    @property
    def is_first(self) -> bool:
        """Whether nothing was cured yet."""
        return self.path == self._first

    def found(self, fault: Fault) -> tuple[Finding, ...]:
        """Look for a fault in the newest version; a second time nothing is looked at again."""
        if fault.id not in self._found:
            self._found[fault.id] = tuple(fault.find(self.case))
        return self._found[fault.id]

    def home(self, line: int) -> int:
        """Find the line of the original that a line of the newest version was, or was put before."""
        if self.is_first:
            return line
        return self.original.at(self.provenance.origin(self.case.lines.offset(line)))

    def at_home(self, finding: Finding) -> Finding:
        """Tell the places of a finding as they are in the original."""
        return replace(finding, spot=self._moved(finding.spot), twins=tuple(map(self._moved, finding.twins)))

    def advance(self, splices: Sequence[Splice], causes: Mapping[int, frozenset[str]]) -> None:
        """Write the next version, and lay it open. `causes` are the faults that are cured in each line."""
        lines = self.case.lines
        if self.is_first:
            self.provenance = Provenance.untouched(lines.size)
        path = self._scratch.write(applied(lines, splices))
        self.provenance = self.provenance.spliced(_cuts(lines, splices, causes))
        self._opened.close()
        self._scratch.remove(self.path)
        self._found.clear()
        # what was not recognised may be when its first lines are cured
        format_ = None if self.case.format == _UNKNOWN else self.case.format
        self._way = replace(self._way, path=path, opening=replace(self._way.opening, format=format_ or self._way.opening.format))
        self.case = self._opened.enter_context(self._way.open())

    def _moved(self, spot: Spot) -> Spot:
        return replace(spot, line=self.home(spot.line))


def _cuts(lines: Lines, splices: Iterable[Splice], causes: Mapping[int, frozenset[str]]) -> Iterator[Cut]:
    for splice in splices:
        offset = lines.offset(splice.line)
        assets = frozenset({splice.kept.asset.reference} if splice.kept else ())
        yield Cut(offset + splice.start, offset + splice.stop, Fresh(len(splice.new), causes.get(splice.line, frozenset()), assets))


def causes_of(cures: Iterable[tuple[str, Sequence[Splice]]]) -> dict[int, frozenset[str]]:
    """Gather by line the faults that splices cure."""
    found: dict[int, set[str]] = defaultdict(set)
    for fault, splices in cures:
        for splice in splices:
            found[splice.line].add(fault)
    return {line: frozenset(faults) for line, faults in found.items()}
