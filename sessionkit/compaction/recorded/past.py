"""Conversations as they were at earlier moments. Not all of a long session is read again for each of its compactions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.dialects.content import string
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sessionkit.core.entries import Entry, JsonObject
    from sessionkit.core.model import Message
    from sessionkit.formats import Format

Kept: TypeAlias = "Callable[[JsonObject], Iterable[str] | None]"
"""Gives the ids that a compaction kept; None for an entry that is none."""


@dataclass(frozen=True, slots=True)
class Links:
    """What a format calls an entry's id and the id of the entry above it, and what its compactions keep."""

    id: str
    parent: str
    kept: Kept


class Past:
    """The conversations that a session has been. Without links it is read from its beginning each time."""

    def __init__(self, book: Format, entries: Sequence[Entry], path: str, links: Links | None) -> None:
        self._book, self._entries, self._path = book, entries, path
        self._header = [entry for entry in entries if entry.value.get("type") == "session"][:1]
        self._places: dict[str, int] = {}
        self._starts: list[int | None] = []
        self._parents: list[str] = []
        if links:
            for entry in entries:
                self._add(entry.value, links)

    def until(self, stop: int, leaf: str) -> Sequence[Message]:
        """Read the conversation of the first `stop` entries, the newest branch of which ends in the entry `leaf`."""
        start = self._start(stop, leaf)
        entries = [*self._header, *self._entries[start:stop]] if start else self._entries[:stop]
        return self._book.conversation(entries, self._path, None).messages

    def _start(self, stop: int, leaf: str) -> int:
        """Go up to the newest compaction, and from there to what it kept; to the beginning if the way is lost."""
        place = self._places.get(leaf, stop)
        while place < stop:
            start = self._starts[place]
            if start is not None:
                return start
            stop, place = place, self._places.get(self._parents[place], place)
        return 0

    def _add(self, value: JsonObject, links: Links) -> None:
        kept, place = links.kept(value), len(self._starts)
        known = (self._places[id_] for id_ in kept or () if id_ in self._places)
        self._starts.append(None if kept is None else min(known, default=place))
        self._parents.append(string(value.get(links.parent)))
        if id_ := string(value.get(links.id)):
            self._places[id_] = place
