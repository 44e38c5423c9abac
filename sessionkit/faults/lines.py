"""The raw lines of a session, each found by its offset; the session may be larger than memory."""

from __future__ import annotations

import os
import re
from array import array
from bisect import bisect_right
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sessionkit.core.entries import read_block, read_entries
from sessionkit.core.files import open_regular, unreadable
from sessionkit.core.jsonl import READ_SIZE, Block, BlockReader, loads
from sessionkit.core.streams import PlainStream
from sessionkit.errors import ChangedError, Place
from sessionkit.faults.places import Places

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from sessionkit.core.entries import Defect, Entry

_LINE_FEED = b"\n"
_PROBE = 64
_MOST_LAID_OUT = 16
_ROOM = 16 << 20
"""Bytes of lines that are remembered, but for the largest."""
_begins_as_document = re.compile(rb"\s*\{[ \t\r]*\n").match
"""Whether a file begins as an object is pretty-printed; a line with nothing else is no record."""


class Lines:
    """The lines of a plain file, split at line feeds only and numbered from 1; eight bytes of memory for each.

    All that is read is read as it was when the lines were first counted; what was appended since is not seen.
    """

    def __init__(self, stream: PlainStream) -> None:
        self._stream = stream
        self._starts = array("Q")
        self._places: dict[int, Places] = {}

    @property
    def path(self) -> Path:
        """The file."""
        return self._stream.path

    @property
    def count(self) -> int:
        """How many there are; a last one without a line feed counts."""
        return len(self._bounds) - 1

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._bounds[-1]

    @property
    def ends_whole(self) -> bool:
        """Whether the last byte is a line feed; true of an empty file."""
        return not self.size or self._pread(self.size - 1, 1) == _LINE_FEED

    def offset(self, line: int) -> int:
        """Place of a line's first byte in the file."""
        return self._bounds[line - 1]

    def length(self, line: int) -> int:
        """Bytes of a line, its line feed included."""
        return self._bounds[line] - self._bounds[line - 1]

    def at(self, offset: int) -> int:
        """Number of the line that holds a byte of the file; the last one for what would stand behind the end."""
        return min(bisect_right(self._bounds, offset), self.count)

    def as_document(self) -> Lines:
        """Give the same file as a single line if it is one JSON object over many, as older agents wrote sessions; else these lines."""
        if not _begins_as_document(self._pread(0, min(_PROBE, self._stream.status.st_size))):
            return self
        raw = self._pread(0, self.size)
        try:
            loads(raw)
        except ValueError:
            return self
        return _Document(self._stream, raw)

    def raw(self, line: int) -> bytes:
        """Read a line with its line feed. Raises UnreadableError, or ChangedError when the file is shorter by now."""
        return self._pread(self.offset(line), self.length(line))

    def pieces(self, start: int, stop: int) -> Iterator[bytes]:
        """Read bytes of the file, a piece at a time. Raises what `raw` raises."""
        for offset in range(start, stop, READ_SIZE):
            yield self._pread(offset, min(READ_SIZE, stop - offset))

    def entries_of(self, line: int) -> tuple[Entry | Defect, ...]:
        """Parse one line: nothing if it is blank, several if values are glued; long media are slices."""
        raw = bytearray(self.raw(line))
        return tuple(read_block(self._stream, Block(raw, len(raw), self.offset(line), line)))

    def places(self, line: int) -> Places:
        """Lay out one line, to find the bytes of its values; those that were asked for last are remembered. Raises what `Places` raises."""
        found = self._places.pop(line, None) or Places(self.raw(line), line)
        self._places[line] = found
        while len(self._places) > 1 and _are_too_many(self._places.values()):
            del self._places[next(iter(self._places))]
        return found

    def entries(self) -> Iterator[Entry | Defect]:
        """Parse the whole file, once more each time; the first time the lines are counted on the way."""
        with self._counting() as stream:
            yield from read_entries(stream)

    def blocks(self) -> Iterator[Block]:
        """Read the whole file as blocks of whole lines, for work on raw bytes; a block is valid until the next one is asked for."""
        with self._counting() as stream:
            yield from BlockReader().blocks(stream)

    @contextmanager
    def _counting(self) -> Iterator[PlainStream]:
        stream = _Counting(self._stream, self._starts[-1] if self._starts else None)
        stream.seek(0)
        yield stream
        if not self._starts:
            self._starts = stream.bounds()

    @property
    def _bounds(self) -> array[int]:
        """Where lines start, and where the last one ends."""
        if not self._starts:
            for _ in self.blocks():
                pass
        return self._starts

    def _pread(self, offset: int, size: int) -> bytes:
        pieces: list[bytes] = []
        try:
            while size and (piece := os.pread(self._stream.descriptor, size, offset)):
                pieces.append(piece)
                offset, size = offset + len(piece), size - len(piece)
        except OSError as error:
            raise unreadable(self.path, error) from error
        if size:
            raise ChangedError("changed while it was being read", place=Place(str(self.path)), hint="close its agent and run again")
        return b"".join(pieces)


def _are_too_many(laid_out: Collection[Places]) -> bool:
    """Whether some have to be forgotten. The largest line is not weighed: cures of a picture in many places come back to it."""
    sizes = [len(places.raw) for places in laid_out]
    return len(sizes) > _MOST_LAID_OUT or sum(sizes) - max(sizes) > _ROOM


class _Document(Lines):
    """A JSON object over many lines, taken for one: to JSON a line feed is white space."""

    def __init__(self, stream: PlainStream, raw: bytes) -> None:
        super().__init__(stream)
        self._starts = array("Q", [0, len(raw)])
        self._flat = raw.replace(_LINE_FEED, b" ")

    @property
    def ends_whole(self) -> bool:
        """Nothing is ever appended, so nothing is missing."""
        return True

    def entries_of(self, line: int) -> tuple[Entry | Defect, ...]:
        """The object."""
        return tuple(self.entries()) if line == 1 else ()

    def entries(self) -> Iterator[Entry | Defect]:
        """The object."""
        for block in self.blocks():
            yield from read_block(self._stream, block)

    def blocks(self) -> Iterator[Block]:
        """All of it, without the line feeds."""
        data = bytearray(self._flat)
        yield Block(data, len(data), 0, 1)


@contextmanager
def open_lines(path: Path) -> Iterator[Lines]:
    """Open a plain session file; UnreadableError."""
    try:
        descriptor, _ = open_regular(str(path))
    except OSError as error:
        raise unreadable(path, error) from error
    try:
        yield Lines(PlainStream(descriptor, path))
    finally:
        os.close(descriptor)


class _Counting(PlainStream):
    """Notes where lines start while it is read, up to a limit."""

    def __init__(self, stream: PlainStream, limit: int | None) -> None:
        super().__init__(stream.descriptor, stream.path)
        self._limit = limit
        self._position = 0
        self._starts = array("Q", [0])

    def readinto(self, view: memoryview, /) -> int:
        size = super().readinto(view if self._limit is None else view[: self._limit - self._position])
        self._note(bytes(view[:size]))
        return size

    def bounds(self) -> array[int]:
        """Starts of all lines that were read, and the end of the last."""
        if self._position > self._starts[-1]:
            self._starts.append(self._position)
        return self._starts

    def _note(self, data: bytes) -> None:
        found = data.find(_LINE_FEED)
        while found >= 0:
            self._starts.append(self._position + found + 1)
            found = data.find(_LINE_FEED, found + 1)
        self._position += len(data)
