"""Lines that are not one JSON value: torn ones, and glued ones."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import BIN
from sessionkit.dataclass import dataclass
from sessionkit.faults.base import Fault, Finding, Kept, Lengths, Severity, Splice, Spot, Stage, State, Uncured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.pieces import Piece

_COMMAS: Final = b", \t"
_LINE_FEED: Final = b"\n"
_WITH_TREES: Final = frozenset({"claude-code", "pi", "qwen-code"})
"""Agents in whose sessions a record that is missing is noticed by those that hang on it."""
_READ_BACK: Final = frozenset({"qwen-code", "unknown"})
"""Formats in which glued records are read as well as others."""
_MUST_STAY: Final = "its agent knows at which byte every line begins: write a copy with -o"


@dataclass(frozen=True, slots=True)
class _Broken:
    """A line that is not one JSON value, and its pieces."""

    line: int
    raw: bytes
    pieces: tuple[Piece, ...]

    @property
    def stubs(self) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if not piece.is_whole)

    @property
    def saved(self) -> int:
        return len(self.pieces) - len(self.stubs)

    @property
    def has_commas_only(self) -> bool:
        """Whether nothing stands on it but whole records, and commas between, before or behind them."""
        return bool(self.saved) and all(self.is_comma(stub) for stub in self.stubs)

    def is_comma(self, stub: Piece) -> bool:
        """Whether a stub is no record's."""
        return not self.raw[stub.start : stub.stop].strip(_COMMAS)

    @property
    def seams(self) -> tuple[int, ...]:
        """Where a whole record begins right behind another."""
        return tuple(piece.start for before, piece in pairwise(self.pieces) if before.is_whole and piece.is_whole)

    @property
    def is_end(self) -> bool:
        """Whether the session ends here without a line feed."""
        return not self.raw.endswith(_LINE_FEED)


class TornLine(Fault):
    """A record that is not whole."""

    id = "torn-line"
    stage = Stage.LINES
    page = """\
torn-line: a record that is not whole

Rule
  A line holds the beginning or the end of a record, not a whole one. It
  comes from a crash, a full disk, or two programs that wrote at once. Often
  the next record stands right behind it on the same line. A comma beside a
  whole record, as in a list, makes a line that is none just so.

What you see
  Nothing. Agents skip such a line without a word, and a whole record behind
  a torn one is skipped with it. Pi and qwen-code forget everything before
  it; Claude Code forgets it if the next record is 5 seconds younger. Claude
  Code appends its next record to a torn end, and loses that one too.

Cure
  What is torn is taken out of the line, and a comma too; a whole record
  behind it stays, byte for byte. A torn end of the file is cut off. A torn
  line between others stays where it is: it holds nothing that could be saved,
  and does no harm.
  If later records hang on what is lost, `lost-parent` or
  `unpaired-tool-call` says so, and how to go on.
  Codex remembers where lines begin, so its sessions are only cured into a
  copy (-o FILE).

What it loses
  Nothing. What was taken out is kept as images/<sha256>.bin, with the
  pictures that were in it."""

    def find(self, case: Case) -> Iterator[Finding]:
        return (_torn(case, broken) for broken in _broken(case) if broken.stubs)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        if not finding.cure or choices.lengths is Lengths.KEPT:
            return _refusal(finding)
        return tuple(_without_stubs(_look(case, finding.spot.line)))


class GluedLines(Fault):
    """Several records on one line."""

    id = "glued-lines"
    stage = Stage.LINES
    page = """\
glued-lines: several records on one line

Rule
  Two or more whole records stand on one line: a line feed between them was
  never written. It happens when two programs write into one session, or
  after a crash.

What you see
  Nothing. Claude Code reads the first record and drops the others, with the
  images in them. Pi, Codex and Gemini CLI drop the whole line; Pi forgets
  everything before it. qwen-code reads them all.

Cure
  A line feed between the records. Every record stays byte for byte.
  Codex remembers where lines begin, so its sessions are only cured into a
  copy (-o FILE).

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        severity = Severity.HARMLESS if case.format in _READ_BACK else Severity.DEGRADES
        cure = "" if case.format == "unknown" else "a line feed between them"
        obstacle = "" if cure else "nobody knows what its lines should be"
        for broken in _broken(case):
            if broken.seams:
                cause = f"{broken.saved} records stand on one line"
                yield Finding(self.id, severity, State.LIVE, Spot(broken.line), cause, cure, obstacle)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        if not finding.cure or choices.lengths is Lengths.KEPT:
            return _refusal(finding)
        line = finding.spot.line
        return tuple(Splice(line, seam, seam, _LINE_FEED, "a line feed") for seam in _look(case, line).seams)


def _refusal(finding: Finding) -> Uncured:
    return Uncured(finding.obstacle or _MUST_STAY)


def _broken(case: Case) -> Iterator[_Broken]:
    for line in case.outline.odd:
        yield _look(case, line)


def _look(case: Case, line: int) -> _Broken:
    return _Broken(line, case.lines.raw(line), case.odd[line])


def _torn(case: Case, broken: _Broken) -> Finding:
    place, cause = Spot(broken.line), _cause(broken)
    if case.format == "unknown":
        return Finding(TornLine.id, Severity.HARMLESS, State.LIVE, place, cause, obstacle="nobody knows what its lines should be")
    if broken.has_commas_only:
        return Finding(TornLine.id, Severity.DEGRADES, State.LIVE, place, cause, "the comma is taken out")
    if broken.saved or broken.is_end:
        return Finding(TornLine.id, Severity.DEGRADES, State.LIVE, place, cause, "what is torn is taken out and kept")
    severity = Severity.HARMLESS if case.format in _WITH_TREES else Severity.DEGRADES
    return Finding(TornLine.id, severity, State.LIVE, place, cause, obstacle="the rest of the record is nowhere: it stays as it is")


def _cause(broken: _Broken) -> str:
    if broken.has_commas_only:
        records = "a whole record" if broken.saved == 1 else f"{broken.saved} whole records"
        return f"a comma stands beside {records}: the line is no JSON value"
    size = sum(stub.stop - stub.start for stub in broken.stubs)
    if broken.is_end and broken.pieces == (broken.stubs[-1],):
        return f"the session ends in the middle of a record, after {size} bytes of it"
    others = {0: "", 1: ", and a whole record"}.get(broken.saved, f", and {broken.saved} whole records")
    return f"{size} bytes of a torn record stand on it{others}"


def _without_stubs(broken: _Broken) -> Iterator[Splice]:
    """Take out the stubs before whole records and at the end of the file; one at the end of another line gets a line of its own."""
    for at, stub in enumerate(broken.pieces):
        if stub.is_whole:
            continue
        new = _LINE_FEED if at else b""
        if broken.has_commas_only:
            is_last = at + 1 == len(broken.pieces)
            yield Splice(broken.line, stub.start, stub.stop, b"" if is_last else new, "no comma")
        elif at + 1 < len(broken.pieces) or broken.is_end:
            stop = stub.stop if at + 1 < len(broken.pieces) else len(broken.raw)
            data = broken.raw[stub.start : stop]
            yield Splice(broken.line, stub.start, stop, new, "torn", Kept(AssetName.of(data, BIN), data))
        elif at:
            yield Splice(broken.line, stub.start, stub.start, new, "a line feed")
