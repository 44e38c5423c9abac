"""Look at every line of a session."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.core.media.finder import look_at
from sessionkit.core.media.references import OddReference, find_references
from sessionkit.core.media.tree import Object
from sessionkit.core.media.triage import Candidate, media_candidates, reference_candidates
from sessionkit.ops.scan.faults import byte_faults, json_fault
from sessionkit.ops.scan.foreign import foreign_references
from sessionkit.ops.scan.leaves import strings
from sessionkit.ops.scan.runs import base64_runs
from sessionkit.ops.scan.sites import SiteScanner
from sessionkit.ops.scan.tally import BigLine, ByteKind, ScanKind, Sighting, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.jsonl import Block
    from sessionkit.core.media.finder import Look, Span
    from sessionkit.formats import Head
    from sessionkit.ops.scan.runs import Run
    from sessionkit.ops.scan.tally import LineFault


_PATH_SIZE = 80
"""Characters: those of an asset's path, and a few more."""


class Scanner:
    """Reads blocks, and counts.

    A session that is one JSON document on many lines is counted by its bytes: its lines are no JSON, which is no fault.
    """

    def __init__(self, head: Head) -> None:
        self.tally = Tally()
        self._sites = SiteScanner(self.tally)
        self._may_be_document = head.document is not None
        self._is_document = False

    def read(self, block: Block) -> None:
        """Look at all lines of a block."""
        may_hold_media = {line.start: line for line in media_candidates(block.data, block.stop)}
        may_hold_references = {line.start for line in reference_candidates(block.data, block.stop)}
        for line in _lines(block, may_hold_media):
            number = self.tally.lines + 1
            look = look_at(block.data, line)
            self._count_values(look)
            self._read_faults(block, look, line)
            if line.start in may_hold_references:
                self._read_references(look, number)
            foreign = self._read_foreign(look, number)
            media = self._sites.read(look, number, foreign) if line.start in may_hold_media else []
            self._count_bytes(look, line, media)

    def _count_values(self, look: Look) -> None:
        if self._may_be_document and not self.tally.entries and look.forest.error is not None:
            self._is_document = True
            self.tally.entries = 1
        if not self._is_document:
            self.tally.entries += sum(isinstance(root, Object) for root in look.forest.roots)
            self.tally.glued += len(look.forest.roots) > 1
        self.tally.blank += look.skeleton.text.isspace()

    def _read_faults(self, block: Block, look: Look, line: Candidate) -> None:
        for fault, detail in byte_faults(block, line):
            self._see_fault(fault, detail)
        fault_of_json = None if self._is_document else json_fault(look, line)
        if fault_of_json:
            self._see_fault(*fault_of_json)

    def _see_fault(self, fault: LineFault, detail: str) -> None:
        self.tally.faults[fault] += 1
        self.tally.see(Sighting(ScanKind.BAD_LINES, self.tally.lines + 1, "", f"{fault}: {detail}"))

    def _read_references(self, look: Look, number: int) -> None:
        for found in find_references(look):
            if isinstance(found, OddReference):
                self.tally.odd_references += 1
                cause = f"{found.path[:_PATH_SIZE]!r}: {found.reason}"
                self.tally.see(Sighting(ScanKind.ODD_REFERENCES, number, found.scope.pointer(), cause))
            else:
                self.tally.references += 1
                self.tally.spilled.add(found.asset)

    def _read_foreign(self, look: Look, number: int) -> set[int]:
        """Count references of other tools; return where their strings start."""
        places = set()
        for tool, leaf in foreign_references(look):
            self.tally.foreign[tool] += 1
            self.tally.see(Sighting(ScanKind.FOREIGN, number, leaf.pointer(), tool))
            places.add(look.skeleton.origin(leaf.node.start))
        return places

    def _count_bytes(self, look: Look, line: Candidate, media: list[tuple[Span, ByteKind]]) -> None:
        kinds: Counter[ByteKind] = Counter()
        quoted = []
        position = line.start
        for span, kind in media:
            quoted += self._count_runs(kinds, base64_runs(look.data, position, span.start))
            kinds[kind] += span.stop - span.start
            position = span.stop
        quoted += self._count_runs(kinds, base64_runs(look.data, position, line.stop))
        size = line.stop - line.start
        kinds[ByteKind.TEXT] = size - kinds.total()
        if quoted:
            self._see_quoted(look, quoted)
        self.tally.add_line(BigLine(size, self.tally.lines + 1, kinds))

    def _count_runs(self, kinds: Counter[ByteKind], runs: Iterator[Run]) -> list[Run]:
        """Add the bytes of runs; those that are media are returned."""
        quoted = []
        for run in runs:
            kinds[ByteKind.TEXT_BASE64 if run.is_media else ByteKind.BLOBS] += run.stop - run.start
            if run.is_media:
                quoted.append(run)
        return quoted

    def _see_quoted(self, look: Look, runs: list[Run]) -> None:
        leaves = list(strings(look.forest))
        starts = [look.skeleton.origin(leaf.node.start) for leaf in leaves]
        for run in runs:
            index = bisect_right(starts, run.start) - 1
            is_inside = index >= 0 and run.start < look.skeleton.origin(leaves[index].node.stop)
            pointer = leaves[index].pointer() if is_inside else ""
            self.tally.text_base64 += 1
            self.tally.see(Sighting(ScanKind.TEXT_BASE64, self.tally.lines + 1, pointer, f"{run.stop - run.start} bytes of base64 in text"))


def _lines(block: Block, known: dict[int, Candidate]) -> Iterator[Candidate]:
    """Every line; a line that no triage chose has no long runs."""
    start = 0
    while start < block.stop:
        line = known.get(start) or Candidate(start, block.data.find(b"\n", start, block.stop) + 1 or block.stop, ())
        yield line
        start = line.stop
