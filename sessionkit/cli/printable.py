"""Make text that others chose safe to show on a terminal."""

from __future__ import annotations

import os
import unicodedata


def printable(text: str) -> str:
    r"""Escape what is no visible character (`\x1b`, `\u202e`, `\udcff`): control, bidi and format characters, undecodable bytes."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def readable(path: str | os.PathLike[str]) -> str:
    r"""Path as a string that every reader of UTF-8 accepts: bytes that are none stand as `\xff`."""
    return os.fsencode(path).decode(errors="backslashreplace")


def cells(text: str) -> int:
    """Columns that a text takes on a terminal."""
    return len(text) if text.isascii() else sum(map(_cells_of, text))


def _cells_of(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def shorten(text: str, width: int) -> str:
    """Cut out of the middle what does not fit; the end of a path tells more than its start."""
    if cells(text) <= width:
        return text
    head = _fitting(text, (width - 1) // 3)
    tail = _fitting(text[::-1], width - 1 - cells(head))[::-1]
    return f"{head}…{tail}"


def fold(text: str, width: int) -> list[str]:
    """Break a text at spaces, and words that are too long wherever they must be, into lines that fit."""
    lines = [""]
    for word in text.split():
        rest = f"{lines[-1]} {word}".lstrip()
        if cells(rest) <= width:
            lines[-1] = rest
            continue
        rest = word
        while cells(rest) > width:
            lines.append(_fitting(rest, width))
            rest = rest[len(lines[-1]) :]
        lines.append(rest)
    return [line for line in lines if line]


def _fitting(text: str, width: int) -> str:
    """Longest start of the text that fits."""
    for index, char in enumerate(text):
        width -= _cells_of(char)
        if width < 0:
            return text[:index]
    return text
