"""The beginning of a session, parsed: all that recognition looks at."""

from __future__ import annotations

import re
from contextlib import suppress
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.jsonl import BYTE_ORDER_MARK, loads, split_values
from sessionkit.core.streams import open_source
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sessionkit.core.jsonl import ByteStream

JsonObject: TypeAlias = dict[str, object]

_MOST_OBJECTS = 20
_NEAR = 1 << 20
"""Bytes that are read first. Twenty lines fit, unless images stand in them."""
_FAR = 8 << 20
"""Bytes that are read at most."""
_PADDING = BYTE_ORDER_MARK + b"\0 \t\r\n"
_WITHOUT_CONTROLS = b" " * 0x20 + bytes(range(0x20, 0x100))
"""Table that makes a space of each control character."""
_TOKEN = rb'(?s)"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[][{},]'


@dataclass(frozen=True, slots=True)
class Head:
    """The first objects of a session, at most 20.

    `document` is the file's value when the whole file is one JSON value, on one line or on many; then `objects` holds
    that value alone, or nothing if it is not an object.
    """

    objects: tuple[JsonObject, ...]
    document: object = None

    @property
    def first(self) -> JsonObject:
        """The first object; an empty one if there is none."""
        return self.objects[0] if self.objects else {}


def read_head(source: Path | bytes) -> Head:
    """Parse the beginning of a session file (plain, `.gz` or `.zst`), or of bytes that begin like one.

    A BOM, NULs, blank and broken lines are skipped, glued values are split. At most 8 MiB are read; a line that the
    read has cut is ignored, unless it is the first. Raises UnreadableError.
    """
    if isinstance(source, bytes):
        return _read_head(BytesIO(source))
    with open_source(source) as stream:
        return _read_head(stream)


def _read_head(stream: ByteStream) -> Head:
    raw = _read(stream, _NEAR)
    head = _parse(raw, _NEAR)
    if len(raw) < _NEAR or len(head.objects) == _MOST_OBJECTS:
        return head
    return _parse(raw + _read(stream, _FAR - _NEAR), _FAR)


def _read(stream: ByteStream, limit: int) -> bytes:
    buffer = bytearray(limit)
    size = 0
    while read := stream.readinto(memoryview(buffer)[size:]):
        size += read
    return bytes(memoryview(buffer)[:size])


def _parse(raw: bytes, limit: int) -> Head:
    text = raw.strip(_PADDING)
    lines = text.split(b"\n")
    if len(raw) == limit:  # the end was cut off
        lines.pop()
        text = b"" if lines and _values(lines[0]) else _closed(text[:_NEAR])
    try:
        document = loads(text)
    except ValueError:
        return Head(_objects(lines))
    return Head((document,) if isinstance(document, dict) else (), document)


def _objects(lines: Iterable[bytes]) -> tuple[JsonObject, ...]:
    values = (value for line in lines for value in _values(line))
    return tuple(islice((value for value in values if isinstance(value, dict)), _MOST_OBJECTS))


def _values(line: bytes) -> list[object]:
    """Read a line. A record that its agent drops for raw control characters in it tells its format all the same."""
    for text in (line, line.translate(_WITHOUT_CONTROLS)):
        with suppress(ValueError):
            return split_values(text)
    return []


def _closed(text: bytes) -> bytes:
    """Cut an unfinished value behind its last whole member, and close what is open there.

    A first line, or a document of many lines, can be longer than what is read: its beginning still tells its format.
    """
    end = max((token.start() for token in re.finditer(_TOKEN, text) if token[0] == b","), default=0)
    return text[:end] + _closers(text[:end])


def _closers(text: bytes) -> bytes:
    still_open: list[bytes] = []
    for token in re.finditer(_TOKEN, text):
        match token[0]:
            case b"{":
                still_open.append(b"}")
            case b"[":
                still_open.append(b"]")
            case b"}" | b"]" if still_open:
                still_open.pop()
    return b"".join(reversed(still_open))
