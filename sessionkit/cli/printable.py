"""Make text that others chose safe to show on a terminal."""

from __future__ import annotations

import os
import re

_LONGEST_WORD = 200
"""Characters of a word, such as a path, that are said in a message."""
_LONGEST_MESSAGE = 1000

_RUN = 64
_SEGMENT = 20
"""Characters that stand between two slashes on average: in base64 some sixty, in paths ten."""

# They are compiled when they are used, and kept by the library: most commands say nothing that is long.
_RUNS = rf"[A-Za-z0-9+/]{{{_RUN},}}={{0,2}}"
_MIXED = r"(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])"


def printable(text: str) -> str:
    r"""Escape what is no visible character (`\x1b`, `\u202e`, `\udcff`): control, bidi and format characters, undecodable bytes."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def readable(path: str | os.PathLike[str]) -> str:
    r"""Path as a string that every reader of UTF-8 accepts: bytes that are none stand as `\xff`."""
    return os.fsencode(path).decode(errors="backslashreplace")


def without_base64(text: str) -> str:
    """Put the length of every run of 64 base64 characters or more in its place; hashes in hex and paths are none."""
    return re.sub(_RUNS, _without_run, text) if len(text) >= _RUN else text


def _without_run(found: re.Match[str]) -> str:
    run = found[0]
    is_base64 = re.match(_MIXED, run) and len(run) >= _SEGMENT * (run.count("/") + 1)
    return f"[{len(run):,} characters of base64]" if is_base64 else run


def brief(text: str) -> str:
    """Make a message, which may quote anything, fit to be read: no base64, and of long paths and texts the two ends."""
    words = (shorten(word, _LONGEST_WORD) for word in without_base64(printable(text)).split(" "))
    return shorten(" ".join(words), _LONGEST_MESSAGE)


def cells(text: str) -> int:
    """Columns that a text takes on a terminal."""
    return len(text) if text.isascii() else sum([1 if char.isascii() else _cells_of(char) for char in text])


def _cells_of(char: str) -> int:
    import unicodedata

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
    if text.isascii():
        return text[: max(width, 0)]
    for index, char in enumerate(text):
        width -= _cells_of(char)
        if width < 0:
            return text[:index]
    return text
