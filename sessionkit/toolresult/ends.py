"""The head and the tail of a text: whole lines if they are most of it, whole characters, and base64 whole or not at all."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from sessionkit.toolresult.limits import utf8
from sessionkit.toolresult.runs import run_around

if TYPE_CHECKING:
    from sessionkit.toolresult.limits import Extent

_LONGEST_ESCAPE: Final = 4096
_escape = re.compile(r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]|[\]P^_X][^\x07\x1b]*+(?:\x07|\x1b\\)|[ -/]*+[0-OQ-WYZ\\`-~])").match


def head_of(text: str, room: Extent) -> str:
    """Take from the start of a text what there is room for."""
    stop = min(_behind_lines(text, room.lines), _behind_bytes(text, room.bytes))
    line = text.rfind("\n", 0, stop) + 1
    if stop < len(text) and line > stop // 2:
        stop = line
    run = run_around(text, stop)
    return text[: _before_escape(text, run[0] if run else stop)]


def tail_of(text: str, room: Extent) -> str:
    """Take from the end of a text what there is room for."""
    start = max(_before_lines(text, room.lines), _before_bytes(text, room.bytes))
    line = text.find("\n", start - 1) + 1 if start else 0
    if start < line < (start + len(text)) // 2:
        start = line
    run = run_around(text, start)
    return text[_behind_escape(text, run[1] if run else start) :]


def _behind_lines(text: str, lines: int) -> int:
    """Find the end of so many lines."""
    position = 0
    for _ in range(lines):
        position = text.find("\n", position) + 1
        if not position:
            return len(text)
    return position


def _before_lines(text: str, lines: int) -> int:
    """Find the start of so many lines at the end, of which the last one need not end."""
    position = len(text) - text.endswith("\n")
    for _ in range(lines):
        position = text.rfind("\n", 0, position)
        if position < 0:
            return 0
    return position + 1


def _behind_bytes(text: str, size: int) -> int:
    """Find the end of the characters that take so many bytes at most."""
    most = min(size, len(text))
    return most if text.isascii() else bisect_right(range(1, most + 1), size, key=lambda stop: len(utf8(text[:stop])))


def _before_bytes(text: str, size: int) -> int:
    """Find the start of the characters at the end that take so many bytes at most."""
    length, most = len(text), min(size, len(text))
    kept = most if text.isascii() else bisect_right(range(1, most + 1), size, key=lambda kept: len(utf8(text[length - kept :])))
    return length - kept


def _before_escape(text: str, position: int) -> int:
    """Go to the start of a terminal's escape sequence that a cut would part."""
    while (start := text.rfind("\x1b", max(0, position - _LONGEST_ESCAPE), position)) >= 0 and _ends_behind(text, start, position):
        position = start
    return position


def _behind_escape(text: str, position: int) -> int:
    """Go to the end of a terminal's escape sequence that a cut would part."""
    found = _escape(text, _before_escape(text, position))
    return max(position, found.end()) if found else position


def _ends_behind(text: str, start: int, position: int) -> bool:
    found = _escape(text, start)
    return found is not None and found.end() > position
