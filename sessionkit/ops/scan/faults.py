"""What is wrong with a line as such."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from sessionkit.core.jsonl import BYTE_ORDER_MARK
from sessionkit.ops.scan.tally import LineFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.jsonl import Block
    from sessionkit.core.media.finder import Look
    from sessionkit.core.media.triage import Candidate

_CHUNK = 1 << 20


def byte_faults(block: Block, line: Candidate) -> Iterator[tuple[LineFault, str]]:
    """Faults of a line's bytes, with details; offsets are those in the session, unpacked."""
    data, start, stop = block.data, line.start, line.stop
    if data.startswith(BYTE_ORDER_MARK, start):
        yield LineFault.BYTE_ORDER_MARK, "at its start"
    nul = data.find(0, start, stop)
    if nul >= 0:
        yield LineFault.NUL_BYTES, f"{data.count(0, nul, stop)} of them, the first at byte {block.offset + nul}"
    if data.endswith(b"\r\n", start, stop):
        yield LineFault.CRLF, "at its end"
    if not data[start:stop].isascii():
        invalid = _first_invalid(data, start, stop)
        if invalid is not None:
            yield LineFault.INVALID_UTF8, f"byte 0x{data[invalid]:02x} at byte {block.offset + invalid}"


def _first_invalid(data: bytearray, start: int, stop: int) -> int | None:
    """Place of the first byte that is no UTF-8; None if all are. In pieces, because text takes up to four times the memory of its bytes."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    for position in range(start, stop, _CHUNK):
        end = min(position + _CHUNK, stop)
        pending = len(decoder.getstate()[0])
        try:
            decoder.decode(data[position:end], final=end == stop)
        except UnicodeDecodeError as error:
            return position - pending + error.start
    return None


def json_fault(look: Look, line: Candidate) -> tuple[LineFault, str] | None:
    """Tell where a line stops to be JSON; None when it is JSON, or several values, or blank."""
    if look.forest.error is None:
        return None
    offset = look.skeleton.origin(look.forest.error) - line.start
    fault = LineFault.NOT_JSON if look.data.endswith(b"\n", line.start, line.stop) else LineFault.TORN
    return fault, f"{look.forest.reason}, byte {offset} of the line"
