"""NUL bytes on the lines of records."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from sessionkit.faults.base import Fault, Finding, Severity, Splice, Spot, Stage, State
from sessionkit.faults.pieces import pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case

_PADDING: Final = b"\0 \t\r\n"
_runs = re.compile(rb"\0+").finditer


class NulRun(Fault):
    """NUL bytes on the lines of records."""

    id = "nul-run"
    stage = Stage.LINES
    page = """\
nul-run: NUL bytes on the lines of records

Rule
  Bytes of value zero stand before, behind, between or in the records of a
  line. They come from a crash or a full disk: the file had grown already,
  and what belonged there was never written.

What you see
  Nothing. Every agent drops the record that stands on such a line; Pi then
  forgets everything before it. A line of nothing but NUL bytes does no harm.
  `grep` and `git diff` call the session a binary file.

Cure
  Each NUL byte becomes a space. The line keeps its length, so this is safe
  for Codex too. Within a record that is done only if the record is whole
  then; a picture that has spaces in it is damaged, and cured by itself.

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        for line in case.blemishes.nuls:
            raw = case.lines.raw(line)
            count = sum(stop - start for start, stop in _spans(raw, case.format))
            if count:
                is_alone = not raw.strip(_PADDING)
                severity = Severity.HARMLESS if is_alone else Severity.DEGRADES
                cause = f"{count} NUL bytes {'and nothing else' if is_alone else 'on the line of a record, which is dropped for them'}"
                yield Finding(self.id, severity, State.LIVE, Spot(line), cause, "spaces in their place")

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        line = finding.spot.line
        spans = _spans(case.lines.raw(line), case.format)
        return tuple(Splice(line, start, stop, b" " * (stop - start), "spaces") for start, stop in spans)


def _spans(raw: bytes, format_: str) -> Iterator[tuple[int, int]]:
    """Runs of NULs that belong to no stub of a record; those in records too, if these are whole without them."""
    without = pieces_of(raw.replace(b"\0", b" "), format_)
    gaps = [(0, len(raw))] if all(piece.is_whole for piece in without) else _gaps(raw, format_)
    return (found.span() for gap in gaps for found in _runs(raw, *gap))


def _gaps(raw: bytes, format_: str) -> list[tuple[int, int]]:
    """Bytes around pieces; not those behind a torn end, which leave together with it."""
    pieces = pieces_of(raw, format_)
    ends = [0, *(end for piece in pieces for end in (piece.start, piece.stop)), len(raw)]
    gaps = list(pairwise(ends))[::2]
    return gaps if raw.endswith(b"\n") or pieces[-1].is_whole else gaps[:-1]
