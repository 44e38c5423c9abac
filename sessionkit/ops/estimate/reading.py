"""Read a session as the conversation that its agent would go on with."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sessionkit.core.entries import read_entries
from sessionkit.core.streams import open_source
from sessionkit.errors import Place, RefusedError
from sessionkit.formats import FORMATS, detect, read_head

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.entries import Defect, Entry
    from sessionkit.core.model import Conversation
    from sessionkit.core.streams import ByteStream
    from sessionkit.ops.batch import Tick
    from sessionkit.ops.sources import Source

_UNKNOWN = "unknown"


def read_conversation(source: Source, tick: Tick) -> Conversation:
    """Recognise a session, and rebuild its conversation; long media stay in the file. `source` must be one that can be read twice.

    Raises UnreadableError, and RefusedError for what no format recognises.
    """
    path = source.copy or source.path
    book = detect(read_head(path))
    if book.id == _UNKNOWN:
        raise _unrecognised(source)
    with open_source(path) as stream:
        return book.conversation(_telling(read_entries(stream), stream, tick), str(source.path), None)


def _telling(entries: Iterable[Entry | Defect], stream: ByteStream, tick: Tick) -> Iterator[Entry | Defect]:
    """Tell of the bytes that were read so far, by the place of the file's descriptor."""
    done = 0
    for entry in entries:
        position = os.lseek(stream.descriptor, 0, os.SEEK_CUR)
        if position > done:
            tick(position - done)
            done = position
        yield entry


def _unrecognised(source: Source) -> RefusedError:
    known = ", ".join(dict.fromkeys(book.id for book in FORMATS if book.id != _UNKNOWN))
    return RefusedError(
        "not a session of a known format",
        place=Place(str(source.path)),
        why=f"its first lines are none of {known}",
        hint="name a session file; `sessionkit scan` tells what any file holds",
    )
