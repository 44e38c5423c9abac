"""Pieces of transcripts: texts of blocks, results that are cut, characters that no request may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.base import Compat
from sessionkit.core.model import Shell, Text
from sessionkit.providers.replay.shell import shell_text
from sessionkit.providers.replay.surrogates import clean_text
from sessionkit.tokens.text import utf16_units

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.model import Block

RESULT_UNITS = 2000
"""As much of a result is shown by every agent that cuts results."""


def texts(blocks: Iterable[Block]) -> Iterator[str]:
    """Give the texts of a message, and those of commands that the model may see."""
    for block in blocks:
        match block:
            case Text():
                yield block.text
            case Shell(excluded=False):
                yield shell_text(block)


def shorten(text: str, most: int) -> str:
    """Keep so many UTF-16 units of a text, or one less where a character would be parted; and tell by how many it is too long."""
    length = utf16_units(text)
    return text if length <= most else f"{_first_units(text, most)}\n\n[... {length - most} more characters truncated]"


def _first_units(text: str, most: int) -> str:
    first = text[:most]
    if first.isascii():
        return first
    first = first.encode("utf-16-le", "surrogatepass")[: 2 * most].decode("utf-16-le", "surrogatepass")
    return first if text.startswith(first) else first[:-1]


def sound(text: str, compat: Compat) -> str:
    """Put U+FFFD for every surrogate without its other half; Pi leaves them out."""
    if compat is Compat.UPSTREAM:
        return clean_text(text)
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
