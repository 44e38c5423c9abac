"""Name the format of a session whose first entries were parsed already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.entries import Entry
from sessionkit.formats import FORMATS, detect
from sessionkit.formats.head import Head, read_head

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sessionkit.core.entries import Defect
    from sessionkit.formats import Format

SAMPLE = 20
"""Entries that recognition looks at."""


def book_of(first: Sequence[Entry | Defect], path: Path, named: str | None = None) -> Format:
    """Find the book of a session that begins with these entries; of those with the id `named`, if one is named.

    Generations of one agent share an id: the one that recognises the session, else the first of them. Raises UnreadableError.
    """
    head = _head(first, path)
    if named is None:
        return detect(head)
    books = [book for book in FORMATS if book.id == named]
    return next((book for book in books if book.recognises(head)), books[0])


def _head(first: Sequence[Entry | Defect], path: Path) -> Head:
    """Take what was parsed already; a file that does not begin with an entry may be one JSON document of many lines."""
    match first:
        case [Entry(value)]:
            return Head((value,), value)
        case [Entry(), *_]:
            return Head(tuple(entry.value for entry in first if isinstance(entry, Entry)))
        case _:
            return read_head(path)
