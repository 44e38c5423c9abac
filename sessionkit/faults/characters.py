"""Characters that are none: a byte order mark, bytes that are no UTF-8, halves of surrogate pairs, and NULs in texts."""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, Final

from sessionkit.core.jsonl import BYTE_ORDER_MARK
from sessionkit.faults.base import Consent, Fault, Finding, Severity, Splice, Spot, Stage, State
from sessionkit.faults.judging import ALL
from sessionkit.faults.places import Span, pointer_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.blemishes import Blemishes
    from sessionkit.faults.case import Case

_escapes = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL).finditer
_escaped_bytes = re.compile("[\udc80-\udcff]+").finditer
"""What Python makes of bytes that are no UTF-8: a surrogate for each."""
_REPLACEMENT: Final = rb"\ufffd"
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)
_REFUSED_BY: Final = frozenset({"pi", "codex"})
"""Agents that do not open a session whose first line begins with a byte order mark."""


class Bom(Fault):
    """A byte order mark."""

    id = "bom"
    stage = Stage.LINES
    page = """\
bom: a byte order mark

Rule
  The session begins with the bytes EF BB BF. Editors and shells of Windows
  put them there; no agent does.

What you see
  Pi: `Session file is not a valid pi session`. Codex: `does not start with
  session metadata`. Claude Code reads it. Others lose the first line.

Cure
  Three spaces in their place. Every line stays where it is.

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        severity = Severity.HARMLESS if case.format == "claude-code" else Severity.DEGRADES
        severity = Severity.BRICKS if case.format in _REFUSED_BY else severity
        for line in case.blemishes.marks:
            yield Finding(
                self.id, severity, State.LIVE, Spot(line), "the session begins with a byte order mark", "three spaces in its place"
            )

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        size = len(BYTE_ORDER_MARK)
        return (Splice(finding.spot.line, 0, size, b" " * size, "three spaces"),)


class _Characters(Fault):
    """Characters of one kind, in any number on a line; each gives way to as many bytes as it has."""

    stage = Stage.LINES
    what: ClassVar[str]
    cured: ClassVar[str]
    size: ClassVar[int] = len(_REPLACEMENT)
    """Bytes of one of them."""
    drops_record: ClassVar[frozenset[str]] = frozenset()
    """Formats whose agent drops a record with such a character in it."""

    @abstractmethod
    def lines(self, blemishes: Blemishes) -> Iterable[int]:
        """Lines that may hold some."""

    @abstractmethod
    def spans(self, raw: bytes) -> Iterator[Span]:
        """Where they stand on a line."""

    @abstractmethod
    def new(self, span: Span) -> bytes:
        """What stands there afterwards."""

    def find(self, case: Case) -> Iterator[Finding]:
        for line in self.lines(case.blemishes):
            raw = case.lines.raw(line)
            spans = list(self.spans(raw))
            if spans:
                yield self._finding(case, Spot(line, pointer_at(raw, spans[0].start)), spans)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        line = finding.spot.line
        spans = self.spans(case.lines.raw(line))
        return tuple(Splice(line, span.start, span.stop, self.new(span), self.cured) for span in spans)

    def _finding(self, case: Case, spot: Spot, spans: list[Span]) -> Finding:
        is_dropped = case.format in self.drops_record
        severity = Severity.DEGRADES if is_dropped else Severity.HARMLESS
        state = State.LIVE if spot.line in case.live_lines or spot.line == 1 else State.ASLEEP
        count = sum(span.stop - span.start for span in spans) // self.size
        cause = f"{self.what}: {count}, the first at byte {spans[0].start} of the line"
        dropped = "; the whole record is dropped for it" if is_dropped else ""
        option = self.id if self.consent is Consent.ASKED else "" if state is State.LIVE else ALL
        return Finding(self.id, severity, state, spot, cause + dropped, self.cured, option=option, is_lossless=False)


class BadUtf8(_Characters):
    """Bytes that are no UTF-8."""

    id = "bad-utf8"
    what = "bytes that are no UTF-8"
    cured = "a question mark for each byte"
    size = 1
    drops_record = frozenset({"codex"})
    page = """\
bad-utf8: bytes that are no UTF-8

Rule
  A line holds bytes that encode no character: half of one that was cut, or
  the output of a program in another encoding.

What you see
  Nothing. Codex drops the whole record, with all that it holds. Other agents
  read on and show a replacement character.

Cure
  A question mark in the place of each such byte. The line keeps its length.

What it loses
  The broken character, of which nobody could tell what it was. The backup
  has its bytes."""

    def lines(self, blemishes: Blemishes) -> Iterable[int]:
        return blemishes.not_utf8

    def spans(self, raw: bytes) -> Iterator[Span]:
        text, position, start = raw.decode("utf-8", "surrogateescape"), 0, 0
        for run in _escaped_bytes(text):
            start += len(text[position : run.start()].encode())
            yield Span(start, start + len(run[0]))
            position, start = run.end(), start + len(run[0])

    def new(self, span: Span) -> bytes:
        return b"?" * (span.stop - span.start)


class LoneSurrogate(_Characters):
    """Half of a surrogate pair."""

    id = "lone-surrogate"
    what = "halves of surrogate pairs"
    cured = "a replacement character for each"
    drops_record = frozenset({"codex"})
    page = r"""lone-surrogate: half of a surrogate pair

Rule
  A string holds an escape from \ud800 to \udfff without its other half. It
  comes from text that was cut in the middle of an emoji.

What you see
  Codex drops the whole record. Older versions of Claude Code fail at every
  turn: `The request body is not valid JSON: no low surrogate in string`.
  Newer ones, and Pi, read on.

Cure
  \ufffd, the replacement character, in its place: six bytes for six.

What it loses
  Half of a character, which means nothing alone. The backup has it."""

    def lines(self, blemishes: Blemishes) -> Iterable[int]:
        return blemishes.surrogates

    def spans(self, raw: bytes) -> Iterator[Span]:
        high: Span | None = None
        for code, span in _escapes_of(raw):
            if high and code in _LOW and high.stop == span.start:
                high = None
                continue
            if high:
                yield high
            high = span if code in _HIGH else None
            if code in _LOW:
                yield span
        if high:
            yield high

    def new(self, span: Span) -> bytes:
        return _REPLACEMENT


class NulEscape(_Characters):
    """A NUL character in a text."""

    id = "nul-escape"
    what = "NUL characters"
    cured = "a replacement character for each"
    consent = Consent.ASKED
    page = r"""nul-escape: a NUL character in a text

Rule
  A string holds the escape \u0000. It comes from tools that print binary
  data. It is good JSON, and all agents read it.

What you see
  Nothing, as a rule. Some providers and gateways refuse a request that holds
  such a character, and then refuse every later one.

Cure
  \ufffd, the replacement character, in its place: six bytes for six. Only
  with --only nul-escape, because the text may be what you want to keep.

What it loses
  The NUL characters. The backup has them."""

    def lines(self, blemishes: Blemishes) -> Iterable[int]:
        return blemishes.nul_escapes

    def spans(self, raw: bytes) -> Iterator[Span]:
        return (span for code, span in _escapes_of(raw) if code == 0)

    def new(self, span: Span) -> bytes:
        return _REPLACEMENT


def _escapes_of(raw: bytes) -> Iterator[tuple[int | None, Span]]:
    """Go through all escapes with a backslash, and tell the code units of those that name one."""
    for found in _escapes(raw):
        yield int(found[1], 16) if found[1] else None, Span(*found.span())
