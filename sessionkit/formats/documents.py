"""Sessions that are one JSON document, mostly pretty-printed, where others are lines."""

from __future__ import annotations

from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.entries import Defect
from sessionkit.core.jsonl import loads
from sessionkit.core.streams import open_source
from sessionkit.formats.head import read_head

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
    first = list(islice(remaining, 1))
    if isinstance(first[0] if first else None, Defect) and _begins_as_document(Path(path)):
        try:
            return _load(Path(path)), ()
        except ValueError:
            pass  # broken further on
    return None, chain(first, remaining)


def _begins_as_document(path: Path) -> bool:
    """Look at the beginning alone: a session of lines, the first of which is broken, may be too long to be read at once."""
    return path.is_file() and read_head(path).document is not None


def _load(path: Path) -> object:
    with open_source(path) as stream:
        return loads(b"".join(_pieces(stream)).strip(_PADDING))


def _pieces(stream: ByteStream) -> Iterator[bytes]:
    buffer = bytearray(_READ)
    while size := stream.readinto(memoryview(buffer)):
        yield bytes(buffer[:size])
