"""Find digests in raw bytes, whatever stands around them: a broken line or an unknown kind of reference names an asset too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet

    from sessionkit.core.jsonl import ByteStream

_CHUNK = 1 << 20
_LENGTH = 64
_STRIDE = 8

# Every run of 64 digits holds eight neighbours of the bytes at 7, 15, 23, …; only near such neighbours the bytes themselves are looked at.
_IS_DIGIT = bytes(byte in b"0123456789abcdefABCDEF" for byte in range(256))
_neighbours = re.compile(rb"\x01{%d,}+" % (_LENGTH // _STRIDE)).finditer
_runs = re.compile(rb"[0-9a-fA-F]{%d,}+" % _LENGTH).finditer


def digests_in(stream: ByteStream, wanted: AbstractSet[str], tick: Callable[[int], None]) -> set[str]:
    """Tell which of the digests (64 hex digits, lower case) occur in a stream, in any case and inside longer runs too."""
    found: set[str] = set()
    buffer = bytearray(_CHUNK)
    kept = 0
    while size := _read(stream, buffer, kept):
        filled = kept + size
        found.update(digest for digest in _digests(buffer[:filled]) if digest in wanted)
        kept = min(_LENGTH - 1, filled)
        buffer[:kept] = buffer[filled - kept : filled]
        tick(size)
    return found


def _read(stream: ByteStream, buffer: bytearray, start: int) -> int:
    with memoryview(buffer) as view, view[start:] as free:
        return stream.readinto(free)


def _digests(data: bytearray) -> Iterator[str]:
    probes = data[_STRIDE - 1 :: _STRIDE].translate(_IS_DIGIT)
    for near in _neighbours(probes):
        for run in _runs(data, near.start() * _STRIDE, (near.end() + 1) * _STRIDE):
            for start in range(run.start(), run.end() - _LENGTH + 1):
                yield data[start : start + _LENGTH].decode().lower()
