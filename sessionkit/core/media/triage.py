"""Which lines of a block are worth a look: the ones that could hold media, found without looking at the others.

A line can hold media only if it has a long base64 run, or a short token that every known shape needs.
So a block without either is dismissed by two passes of C code.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from sessionkit.core.media.needles import MEDIA, REFERENCES, Needles
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG = 1000
"""Base64 characters that make a run worth a look wherever it stands."""

# The characters of every spelling of base64: canonical, URL-safe, with JSON escapes.
_SPELLED = rb"[A-Za-z0-9+/_\\-]"
_ENDS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-=")
_END_SIZE = 8
"""Characters of an end as in `==\\r\\n`, which a window of the others need not match."""

_WINDOW = 48
_STRIDE = LONG - _END_SIZE - _WINDOW
_is_window = re.compile(_SPELLED + rb"{%d}" % _WINDOW).match
# Strides over places that are no window, inside of the regex engine: a loop in Python would take several times as long.
_to_window = re.compile(rb"(?:(?!%b{%d}).{%d})*+" % (_SPELLED, _WINDOW, _STRIDE), re.DOTALL).match
_is_name = re.compile(rb'"[ \t\r]*:').match

is_spelled_base64 = re.compile(_SPELLED + rb"*+={0,2}(?:\\[nr]){0,2}").fullmatch
"""Match the raw inside of a string that is base64 in some spelling; where it has LONG characters, its line is a candidate."""


@dataclass(frozen=True, slots=True)
class Run:
    """`data[start:stop]` stands between two quotes: the inside of a string of LONG characters or more. Its line ends at `line_stop`.

    The middle of a plain one can be left out of sight: it is no name, and holds no backslash.
    """

    start: int
    stop: int
    line_stop: int
    is_plain: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line, `data[start:stop]` with its newline, that may hold media; and its long runs."""

    start: int
    stop: int
    runs: tuple[Run, ...]


def long_runs(data: bytearray, start: int, stop: int) -> Iterator[Run]:
    """Strings of at least LONG base64 characters, and some others that look like one at a probed place.

    The places are so close that every string of LONG base64 characters holds a whole window at one of them.
    """
    position = start + _STRIDE
    line_stop = 0
    while reached := _to_window(data, position, stop):
        position = reached.end()
        if not _is_window(data, position, stop):
            return
        opened = data.rfind(b'"', start, position) + 1
        closed = data.find(b'"', position, stop)
        if closed < 0:
            return
        # What ends otherwise is text that quotes a string (\"data\":\"iVBO…\"); what goes on behind its line stands between two strings.
        if opened and closed - opened >= LONG and data[closed - 1] in _ENDS:
            if line_stop <= opened:
                line_stop = data.find(b"\n", opened, stop) + 1 or stop
            if closed < line_stop:
                is_plain = data.find(b"\\", opened, closed) < 0 and not _is_name(data, closed, stop)
                yield Run(opened, closed, line_stop, is_plain)
        start = closed
        position = closed + _STRIDE


def media_candidates(data: bytearray, stop: int) -> Iterator[Candidate]:
    """Lines of `data[:stop]` that may hold inline media."""
    return _candidates(data, stop, _media_needles())


def reference_candidates(data: bytearray, stop: int) -> Iterator[Candidate]:
    """Lines of `data[:stop]` that may hold asset references."""
    return _candidates(data, stop, _reference_needles())


def candidates(data: bytearray, stop: int) -> Iterator[Candidate]:
    """Lines of `data[:stop]` that may hold either."""
    return _candidates(data, stop, _all_needles())


# Each is made when it is wanted: no command needs all.


@cache
def _media_needles() -> Needles:
    return Needles(MEDIA, escapes=True)


@cache
def _reference_needles() -> Needles:
    return Needles(REFERENCES, escapes=False)


@cache
def _all_needles() -> Needles:
    return Needles((*MEDIA, *REFERENCES), escapes=True)


def _candidates(data: bytearray, stop: int, needles: Needles) -> Iterator[Candidate]:
    runs = list(long_runs(data, 0, stop))
    places = _places(data, stop, runs, needles)
    runs.reverse()
    places.reverse()
    position = 0
    while runs or places:
        limit = runs[-1].start if runs else stop
        first = min(limit, places[-1]) if places else limit
        start = data.rfind(b"\n", position, first) + 1 or position
        position = data.find(b"\n", first, limit) + 1 or (runs[-1].line_stop if runs else stop)
        mine = []
        while runs and runs[-1].start < position:
            mine.append(runs.pop())
        while places and places[-1] < position:
            places.pop()
        yield Candidate(start, position, tuple(mine))


def _places(data: bytearray, stop: int, runs: list[Run], needles: Needles) -> list[int]:
    """Where tokens stand before the first run of a line, in ascending order; what is behind one is a candidate anyway."""
    places: list[int] = []
    position = 0
    with memoryview(data) as view:
        for limit, line_stop in (*((run.start, run.line_stop) for run in runs), (stop, stop)):
            if position < limit:
                with view[position:limit] as gap:
                    places += [position + place for place in needles.places(gap)]
            position = line_stop
    return places
