"""Cut a large file into ranges of whole lines, so that several processes can work on it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from sessionkit.core.streams import ByteStream

LEAST = 32 << 20
"""Bytes of a range; smaller ones cost more in processes than they win."""

_PROBE = 1 << 16
_RANGES_PER_JOB = 4


@dataclass(frozen=True, slots=True)
class Range:
    """Bytes `start` to `stop` of a file."""

    start: int
    stop: int


def is_worth_cutting(size: int) -> bool:
    """Whether a file of so many bytes has several ranges in it."""
    return size >= 2 * LEAST


def cut(descriptor: int, size: int, jobs: int) -> list[Range]:
    """Cut at newlines, into several ranges per job; a line longer than a range stays whole."""
    return cut_at(descriptor, size, max(LEAST, share(size, jobs)))


def share(size: int, jobs: int) -> int:
    """Bytes of a range if each job gets several of the same size."""
    return -(-size // (jobs * _RANGES_PER_JOB))


def cut_at(descriptor: int, size: int, step: int) -> list[Range]:
    """Cut at the first newlines behind so many bytes each."""
    ranges, start = [], 0
    while start < size:
        stop = _next_line(descriptor, start + step, size)
        ranges.append(Range(start, stop))
        start = stop
    return ranges


def _next_line(descriptor: int, position: int, size: int) -> int:
    """First line start at or behind the position."""
    position -= 1
    while position < size:
        probe = os.pread(descriptor, _PROBE, position)
        newline = probe.find(b"\n")
        if newline >= 0:
            return position + newline + 1
        if not probe:
            break
        position += len(probe)
    return size


class RangeStream:
    """The part of a stream that a range names; the stream must stand at its start."""

    def __init__(self, stream: ByteStream, part: Range) -> None:
        self._stream = stream
        self._left = part.stop - part.start

    def readinto(self, buffer: memoryview, /) -> int:
        """Read, but not past the range."""
        size = self._stream.readinto(buffer[: self._left])
        self._left -= size
        return size
