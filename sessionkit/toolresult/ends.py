"""The head and the tail of a text: whole lines if they are most of it, whole characters, and base64 whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.toolresult.limits import utf8
from sessionkit.toolresult.runs import run_around

if TYPE_CHECKING:
    from sessionkit.toolresult.limits import Extent

_CONTINUES = range(0x80, 0xC0)
"""Bytes of UTF-8 that begin no character."""


def head_of(text: str, room: Extent) -> str:
    """Take from the start of a text what there is room for."""
    stop = min(_behind_lines(text, room.lines), _behind_bytes(text, room.bytes))
    line = text.rfind("\n", 0, stop) + 1
    if stop < len(text) and line > stop // 2:
        stop = line
    run = run_around(text, stop)
    return text[: run[0] if run else stop]


def tail_of(text: str, room: Extent) -> str:
    """Take from the end of a text what there is room for."""
    start = max(_before_lines(text, room.lines), _before_bytes(text, room.bytes))
    line = text.find("\n", start - 1) + 1 if start else 0
    if start < line < (start + len(text)) // 2:
        start = line
    run = run_around(text, start)
    return text[run[1] if run else start :]


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
    raw = utf8(text[: size + 1])
    stop = size
    while stop > 0 and stop < len(raw) and raw[stop] in _CONTINUES:
        stop -= 1
    return len(raw[:stop].decode("utf-8", "surrogatepass"))


def _before_bytes(text: str, size: int) -> int:
    """Find the start of the characters at the end that take so many bytes at most."""
    raw = utf8(text[-size:] if size else "")
    start = max(0, len(raw) - size)
    while start < len(raw) and raw[start] in _CONTINUES:
        start += 1
    return len(text) - len(raw[start:].decode("utf-8", "surrogatepass"))
