"""Sessions that are one JSON document, mostly pretty-printed, where others are lines."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.entries import Defect
from sessionkit.core.jsonl import loads
from sessionkit.core.streams import open_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.entries import Entry
    from sessionkit.core.streams import ByteStream

_READ = 1 << 20
_PADDING = b"\xef\xbb\xbf\0 \t\r\n"


def read_document(entries: Iterable[Entry | Defect], path: str) -> tuple[object, Iterable[Entry | Defect]]:
    """Return the value of a file whose first line is no entry, if the whole of it is one JSON value; else None and the entries.

    Lines inside a document may look like entries, so these are of no use then. Raises UnreadableError.
    """
    remaining = iter(entries)
    first = next(remaining, None)
    if first is None:
        return None, ()
    if isinstance(first, Defect) and Path(path).is_file():
        try:
            return loads(_content(Path(path))), ()
        except ValueError:
            pass  # lines after all, the first of which is broken
    return None, chain((first,), remaining)


def _content(path: Path) -> bytes:
    with open_source(path) as stream:
        return b"".join(_pieces(stream)).strip(_PADDING)


def _pieces(stream: ByteStream) -> Iterator[bytes]:
    buffer = bytearray(_READ)
    while size := stream.readinto(memoryview(buffer)):
        yield bytes(buffer[:size])
