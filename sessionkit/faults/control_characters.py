"""Raw control characters in strings, which JSON forbids."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sessionkit.core.edits import Edit, apply_edits
from sessionkit.faults.base import Fault, Finding, Lengths, Severity, Splice, Spot, Stage, State, Uncured
from sessionkit.faults.judging import ALL
from sessionkit.faults.pieces import pieces_of
from sessionkit.faults.places import Span, pointer_at
from sessionkit.faults.rereading import lines_if_read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case

_strings = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL).finditer
_controls = re.compile(rb"[\x01-\x09\x0b-\x1f]").finditer
"""NULs are faults of their own, and a line feed ends the line."""
_NAMES: Final = {0x09: "a tab", 0x0D: "a carriage return", 0x1B: "an escape"}
_OPENS_WITH_HEADER: Final = frozenset({"pi", "codex"})
"""Agents that do not open a session without its first record."""
_MUST_STAY: Final = "its agent knows at which byte every line begins: write a copy with -o"


class ControlCharacters(Fault):
    """Raw control characters in a record."""

    id = "control-character"
    stage = Stage.LINES
    page = r"""control-character: raw control characters in a record

Rule
  A string of a record holds a character from U+0001 to U+001F as it is. JSON
  wants an escape there: \t for a tab, \u001b for an escape. Agents write
  escapes; scripts and editors that change sessions as plain text do not.

What you see
  Nothing. To every agent such a line is no JSON, and the whole record is
  dropped, with the pictures in it. Pi and qwen-code then forget everything
  before it; Pi and Codex do not open a session whose first record it is.

Cure
  Its escape in the place of each such character. The text stays the same.
  Codex remembers where lines begin, so its sessions are only cured into a
  copy (-o FILE).

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        found = {line: spans for line in case.outline.odd if (spans := _spans(case.lines.raw(line), case.format))}
        live = {line for line in found if _is_needed(case, line)}
        if len(live) < len(found):
            live |= lines_if_read(case, found, lambda line: _mended(case.lines.raw(line), found[line]))
        for line, spans in found.items():
            yield _finding(case, line, spans, State.LIVE if line in live else State.ASLEEP)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        if choices.lengths is Lengths.KEPT:
            return Uncured(_MUST_STAY)
        line = finding.spot.line
        raw = case.lines.raw(line)
        escapes = ((span, _escape(raw, span)) for span in _spans(raw, case.format))
        return tuple(Splice(line, span.start, span.stop, escape, escape.decode()) for span, escape in escapes)


def _spans(raw: bytes, format_: str) -> list[Span]:
    """Find them in the strings of whole records; what is torn is a fault of its own."""
    if next(_controls(raw), None) is None:
        return []
    whole = (piece for piece in pieces_of(raw, format_) if piece.is_whole)
    strings = (string.span() for piece in whole for string in _strings(raw, piece.start, piece.stop))
    return [Span(*found.span()) for start, stop in strings for found in _controls(raw, start, stop)]


def _is_needed(case: Case, line: int) -> bool:
    """Whether a line is the header, or of a session of which nobody knows what is sent."""
    return case.format == "unknown" or (line == 1 and case.format in _OPENS_WITH_HEADER)


def _escape(raw: bytes, span: Span) -> bytes:
    return b"\\u%04x" % raw[span.start]


def _mended(raw: bytes, spans: Iterable[Span]) -> bytes:
    return b"".join(apply_edits(memoryview(raw), [Edit(span.start, span.stop, (_escape(raw, span),)) for span in spans]))


def _finding(case: Case, line: int, spans: Sequence[Span], state: State) -> Finding:
    raw, first = case.lines.raw(line), spans[0].start
    severity = Severity.DEGRADES
    if case.format == "unknown":
        severity = Severity.HARMLESS
    elif line == 1 and case.format in _OPENS_WITH_HEADER:
        severity = Severity.BRICKS
    return Finding(
        ControlCharacters.id,
        severity,
        state,
        Spot(line, pointer_at(raw, first)),
        _cause(raw, first, len(spans)),
        "an escape in the place of each",
        option=ALL if state is State.ASLEEP else "",
    )


def _cause(raw: bytes, first: int, count: int) -> str:
    """Name the first with its column: in characters, from 1."""
    code, column = raw[first], len(raw[:first].decode("utf-8", "replace")) + 1
    name = f" ({_NAMES[code]})" if code in _NAMES else ""
    others = f", and {count - 1} more" if count > 1 else ""
    return f"a raw control character U+{code:04X}{name} stands in a string at column {column}{others}: the whole record is dropped for it"
