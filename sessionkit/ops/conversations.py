"""Read a session as the conversation that its agent would go on with."""

from __future__ import annotations

import os
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING

from sessionkit.core.entries import Entry, blocks_of, read_block
from sessionkit.core.streams import open_source
from sessionkit.dataclass import dataclass
from sessionkit.errors import Place, RefusedError, UnreadableError, UsageError
from sessionkit.formats import FORMATS
from sessionkit.formats.recognition import SAMPLE, book_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.entries import Defect
    from sessionkit.core.model import Conversation
    from sessionkit.core.streams import ByteStream
    from sessionkit.formats import Format
    from sessionkit.ops.batch import Tick
    from sessionkit.ops.sources import Source

_UNKNOWN = "unknown"

KNOWN_FORMATS = tuple(dict.fromkeys(book.id for book in FORMATS if book.id != _UNKNOWN))
"""Ids of the formats that can be read as conversations."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which conversation of a session is meant.

    `format` is the id of its format, None to recognise it; `leaf` the last entry of a branch, None for the newest.
    Raises UsageError for a format that nobody knows.
    """

    format: str | None = None
    leaf: str | None = None

    def __post_init__(self) -> None:
        if self.format is not None and self.format not in KNOWN_FORMATS:
            raise UsageError(f"unknown format: {self.format}", hint=f"one of {', '.join(KNOWN_FORMATS)}")


NEWEST = Selection()


def read_conversation(source: Source, tick: Tick, selection: Selection = NEWEST) -> Conversation:
    """Recognise a session, and rebuild its conversation; long media stay in the file. `source` must be one that can be read twice.

    Raises UnreadableError, RefusedError for what no format recognises, and UsageError for an unknown leaf.
    """
    with recognised(source, tick, selection) as found:
        conversation = found.book.conversation(found.entries, str(source.path), selection.leaf)
    _require_something(conversation, found.first, source)
    return conversation


@dataclass(frozen=True, slots=True)
class Recognised:
    """A session whose format is known; `entries` are all of it, and can be read once, `first` the first of them."""

    book: Format
    first: Sequence[Entry | Defect]
    entries: Iterator[Entry | Defect]


@contextmanager
def recognised(source: Source, tick: Tick, selection: Selection) -> Iterator[Recognised]:
    """Open a session and find its format. Raises UnreadableError, and RefusedError for what no format recognises."""
    path = source.copy or source.path
    with open_source(path) as stream:
        entries = _entries(stream, tick)
        first = list(islice(entries, SAMPLE))
        book = book_of(first, path, selection.format)
        if book.id == _UNKNOWN:
            raise _unrecognised(source) if first else RefusedError("it is empty", place=Place(str(source.path)), hint="name a session file")
        yield Recognised(book, first, chain(first, entries))


def _require_something(conversation: Conversation, first: Sequence[Entry | Defect], source: Source) -> None:
    """Raise UnreadableError for a file that begins with no entry and gives no message: an empty answer would not be true."""
    if first and not conversation.messages and not any(isinstance(entry, Entry) for entry in first):
        raise UnreadableError(
            "no message could be read",
            place=Place(str(source.path), first[0].line),
            why="its lines are no JSON objects, one a line",
            hint="`jq -c .` writes a document on one line",
        )


def _entries(stream: ByteStream, tick: Tick) -> Iterator[Entry | Defect]:
    """Parse every line, and tell of the bytes that were read for each block, by the place of the file's descriptor."""
    done = 0
    for block in blocks_of(stream):
        position = os.lseek(stream.descriptor, 0, os.SEEK_CUR)
        tick(position - done)
        done = position
        yield from read_block(stream, block)


def _unrecognised(source: Source) -> RefusedError:
    return RefusedError(
        "not a session of a known format",
        place=Place(str(source.path)),
        why=f"its first lines are none of {', '.join(KNOWN_FORMATS)}",
        hint="name a session file, or its format with --format; `sessionkit scan` tells what any file holds",
    )
