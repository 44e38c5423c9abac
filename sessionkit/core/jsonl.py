"""Lines of a session as bytes, in constant memory; and the only door to orjson.

A session is read in blocks of whole lines into one reused buffer, so that lines that do not matter are never looked at one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sessionkit.dataclass import dataclass
from sessionkit.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

READ_SIZE = 1 << 20
"""Bytes asked for in one read; also the least size of the buffer."""

LONGEST_LINE = 1 << 30
"""Bytes of a line beyond which a file is taken for no session: a small archive can unpack to one endless line."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_MANY_LINES = 1000
_STEP = 1 << 16
_MOST_DIGITS = 1000
_PADDING = BYTE_ORDER_MARK + b"\0 \t\r\n"


class TooDeepError(ValueError):
    """JSON in which more lies inside each other than a parser takes: about a thousand lists and objects."""

    def __init__(self) -> None:
        super().__init__("nested too deep: about a thousand levels are read")


class ByteStream(Protocol):
    """What blocks are read from: a raw file, a decompressor, a pipe."""

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer's head; 0 at the end of the stream."""
        ...


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines, `data[:stop]`; valid until the next block is asked for.

    `offset` is the place of its first byte in the stream, `line` the number (from 1) of its first line.
    Only the last block of a stream may end without a newline.
    """

    data: bytearray
    stop: int
    offset: int
    line: int

    def line_at(self, position: int) -> int:
        """Number of the line that holds `data[position]`."""
        return self.line + _count_newlines(self.data, 0, position)

    def lines(self) -> Iterator[Line]:
        """Every line with its newline, as a copy."""
        start, number = 0, self.line
        while start < self.stop:
            stop = self.data.find(b"\n", start, self.stop) + 1 or self.stop
            yield Line(bytes(self.data[start:stop]), number, self.offset + start)
            start, number = stop, number + 1


class LineCounter:
    """Line numbers of places in one block that are asked for in order: each byte is counted once."""

    def __init__(self, block: Block) -> None:
        self._data = block.data
        self._position = 0
        self._line = block.line

    def at(self, position: int) -> int:
        """Number of the line that holds the byte at `position`, which is not before the one of the last call."""
        self._line += _count_newlines(self._data, self._position, position)
        self._position = position
        return self._line


def _count_newlines(data: bytearray, position: int, stop: int) -> int:
    """Hop from one to the next, which is far faster than `count` where lines are long; where they are short, `count` takes over."""
    for number in range(_MANY_LINES):
        position = data.find(b"\n", position, stop) + 1
        if not position:
            return number
    return _MANY_LINES + data.count(b"\n", position, stop)


@dataclass(frozen=True, slots=True)
class Line:
    """One line's bytes with its newline, its number (from 1) and its place in the stream."""

    raw: bytes
    number: int
    offset: int


class BlockReader:
    """Reads streams, one after the other, through one buffer that grows to the longest line.

    A process should keep one: for small files a new buffer, which is made at the first read, costs more than all the other work.
    `newlines` is how many the blocks held that are done; once there are no more blocks, all of the stream's.
    """

    def __init__(self) -> None:
        self.newlines = 0
        self._buffer = bytearray()
        self._view = memoryview(self._buffer)

    def blocks(self, stream: ByteStream) -> Iterator[Block]:
        """All of the stream's lines, in order; no byte is left out."""
        filled = offset = self.newlines = 0
        while size := self._read(stream, filled):
            before, filled = filled, filled + size
            stop = self._buffer.rfind(b"\n", before, filled) + 1
            if not stop:
                continue
            yield Block(self._buffer, stop, offset, self.newlines + 1)
            self.newlines += _count_newlines(self._buffer, before, stop)  # what was there before is the beginning of one line
            offset += stop
            filled = self._keep_tail(stop, filled)
        if filled:
            yield Block(self._buffer, filled, offset, self.newlines + 1)

    def _read(self, stream: ByteStream, filled: int) -> int:
        if filled > LONGEST_LINE:
            why = f"a line is longer than {LONGEST_LINE >> 20:,} MiB"
            raise UnreadableError("not read to its end", why=why, hint="look at its beginning: is it a session?")
        if len(self._buffer) - filled < READ_SIZE:
            self._grow()
        return stream.readinto(self._view[filled : filled + READ_SIZE])

    def _grow(self) -> None:
        """Make room in place, where the system moves pages and not bytes; a buffer that others still look at cannot be resized."""
        room, more = len(self._buffer) * 3 // 2 + READ_SIZE, bytes(min(READ_SIZE, _STEP))
        self._view.release()
        try:
            while len(self._buffer) < room:
                try:
                    self._buffer += more
                except BufferError:
                    self._buffer = self._buffer + more
        finally:
            self._view = memoryview(self._buffer)

    def _keep_tail(self, start: int, stop: int) -> int:
        size = stop - start
        self._view[:size] = self._view[start:stop]
        return size


def read_lines(stream: ByteStream) -> Iterator[Line]:
    """Every line of the stream as a copy of its own; for work that looks at all of them."""
    for block in BlockReader().blocks(stream):
        yield from block.lines()


def loads(raw: bytes | bytearray | memoryview) -> object:
    """One JSON value; also what orjson refuses and agents write all the same: lone surrogates, NaN, invalid UTF-8.

    Raises ValueError when it is no JSON, TooDeepError when it is nested too deep to be parsed.
    """
    import orjson  # noqa: PLC0415  it imports half of the standard library, and migrate never asks for it

    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        import json  # noqa: PLC0415  for the few lines that need it

        try:
            return json.loads(bytes(raw).decode("utf-8", "surrogateescape"), parse_int=_parse_int)
        except RecursionError as error:
            raise TooDeepError from error


def _parse_int(digits: str) -> int | float:
    """Python refuses to make a number of thousands of digits; other languages read it as a float."""
    return int(digits) if len(digits) < _MOST_DIGITS else float(digits)


def dumps(value: object) -> bytes:
    """Compact JSON, for reports; never for the lines of a session."""
    import orjson  # noqa: PLC0415  see loads

    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)


def split_values(raw: bytes) -> list[object]:
    """All values of a line: usually one, none in a blank line, several when records were glued together.

    A byte order mark, NUL bytes and white space around them are skipped.
    Raises ValueError at the first thing that is no JSON; the values before it are lost to the caller, who has the bytes.
    """
    raw = raw.strip(_PADDING)
    if not raw:
        return []
    try:
        return [loads(raw)]
    except ValueError:
        return _split_glued(raw.decode("utf-8", "surrogateescape"))


def _split_glued(text: str) -> list[object]:
    import json  # noqa: PLC0415  the same

    decoder, position = json.JSONDecoder(), 0
    values: list[object] = []
    while position < len(text):
        try:
            value, position = decoder.raw_decode(text, position)
        except RecursionError as error:
            raise TooDeepError from error
        values.append(value)
        while position < len(text) and text[position] in "\ufeff\0 \t\r\n":
            position += 1
    return values
