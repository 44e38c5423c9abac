"""Lines with bytes that no JSON text should hold, found without parsing."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from sessionkit.core.jsonl import BYTE_ORDER_MARK, LineCounter
from sessionkit.dataclass import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.jsonl import Block
    from sessionkit.faults.lines import Lines

_NUL: Final = b"\0"
_SURROGATES: Final = (b"\\ud", b"\\uD")
_NUL_ESCAPE: Final = b"\\u0000"


def _no_lines() -> array[int]:
    return array("Q")


@dataclass(frozen=True, slots=True)
class Blemishes:
    """Numbers of lines, in order. `marks` holds the first line, or nothing.

    `surrogates` and `nul_escapes` are lines that may hold such escapes: a backslash before one makes it text.
    """

    marks: array[int] = field(default_factory=_no_lines)
    nuls: array[int] = field(default_factory=_no_lines)
    not_utf8: array[int] = field(default_factory=_no_lines)
    surrogates: array[int] = field(default_factory=_no_lines)
    nul_escapes: array[int] = field(default_factory=_no_lines)


def blemishes_of(lines: Lines) -> Blemishes:
    """Read all bytes once."""
    found = Blemishes()
    for block in lines.blocks():
        if not block.offset and block.data.startswith(BYTE_ORDER_MARK):
            found.marks.append(block.line)
        found.nuls.extend(_lines_with(block, _NUL))
        found.nul_escapes.extend(_lines_with(block, _NUL_ESCAPE))
        found.surrogates.extend(sorted({line for escape in _SURROGATES for line in _lines_with(block, escape)}))
        found.not_utf8.extend(_not_utf8(block))
    return found


def _lines_with(block: Block, needle: bytes) -> Iterator[int]:
    position, counter = 0, LineCounter(block)
    while (position := block.data.find(needle, position, block.stop)) >= 0:
        yield counter.at(position)
        position = block.data.find(b"\n", position, block.stop) + 1
        if not position:
            return


def _not_utf8(block: Block) -> Iterator[int]:
    """A line feed is never a part of another character: so whole lines decode alone."""
    if _decodes(bytes(memoryview(block.data)[: block.stop])):
        return
    for line in block.lines():
        if not _decodes(line.raw):
            yield line.number


def _decodes(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
