"""Blocks that go, with their comma; and the words of one that has to stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.faults.base import Splice
from sessionkit.faults.cures.tokens import replaced, written

if TYPE_CHECKING:
    from sessionkit.faults.lines import Lines

_EMPTY: Final = "[empty]"


def take_out(lines: Lines, line: int, pointer: str) -> Splice:
    """Take an item or member out with its comma."""
    ((_, span),) = lines.places(line).taken_out([pointer])
    return Splice(line, span.start, span.stop, b"", "taken out", taken_out=pointer)


def say_empty(lines: Lines, line: int, block: str) -> Splice:
    """Give an empty text block that has to stay the text `[empty]`."""
    return replaced(lines.places(line), f"{block}/text", written(_EMPTY), _EMPTY)
