"""Media as base64 are never printed, not even where they stand in a text; all other text is."""

from __future__ import annotations

import re
from functools import partial
from itertools import islice

from sessionkit.core.sniff import BIN, sniff_base64

_SHORTEST = 200
"""Characters of a run without its line breaks."""
_HEAD = 1024
"""Characters that are looked at, which tell every medium."""
_MOST_ABOVE = 16
"""Lines that are looked at: in long data that are no medium, some line would look like one by chance."""
_URL_SAFE = str.maketrans("-_", "+/")

_DIGIT = r"[A-Za-z0-9+/_-]"
_BREAK = r"[ \t]*(?:\r?\n|(?:\\r)?\\n)[ \t]*"  # as such, or escaped in JSON
# Encoders break lines at 60, 64 or 76 digits, few at more. Beyond that a short line is no last line of the run, but the next sentence.
_LINE = rf"{_DIGIT}{{40,160}}(?!{_DIGIT})"
_LONG_LINE = rf"{_DIGIT}{{161,}}"
_LAST_LINE = rf"{_DIGIT}+(?==*[ \t]*(?:[\r\n\"\\]|$))"
_LINES = rf"{_LONG_LINE}(?:{_BREAK}{_LONG_LINE})*|{_LINE}(?:{_BREAK}{_LINE})*(?:{_BREAK}{_LAST_LINE})?"
_FIRST_LINE = rf"(?:{_DIGIT}{{1,39}}{_BREAK})?"  # which a label may have made shorter

_runs = re.compile(rf"(?P<label>;base64,\s*)?(?P<run>(?(label){_FIRST_LINE})(?:{_LINES})={{0,2}})").sub
_without_breaks = partial(re.compile(_BREAK).sub, "")
_line_starts = re.compile(rf"^|{_BREAK}").finditer


def without_base64(text: str) -> str:
    """Put the length of every run of base64 in its place that follows `;base64,` or starts like a medium, over line breaks too."""
    return _runs(_elide, text) if len(text) >= _SHORTEST else text


def _elide(found: re.Match[str]) -> str:
    run = found["run"]
    start = 0 if found["label"] else _start_of_medium(run)
    size = len(_without_breaks(run[start:]))
    if size < _SHORTEST:
        return found[0]
    return f"{found['label'] or ''}{run[:start]}[{size:,} characters of base64]"


def _start_of_medium(run: str) -> int:
    """Find the first line that starts a medium, for words may stand above it; the end if there is none."""
    starts = (line.end() for line in islice(_line_starts(run), _MOST_ABOVE))
    return next((start for start in starts if _is_medium(run[start : start + _HEAD])), len(run))


def _is_medium(head: str) -> bool:
    return sniff_base64(_without_breaks(head).translate(_URL_SAFE).encode()) is not BIN
