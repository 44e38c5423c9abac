"""Gemini CLI's list of messages, replayed from lines that add, replace, rewind and set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.content import below, string
from sessionkit.core.model import Skipped
from sessionkit.dataclass import dataclass, replace
from sessionkit.formats.records import record_of
from sessionkit.formats.skips import unknown_types

if TYPE_CHECKING:
    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Origin
    from sessionkit.formats.records import Record


@dataclass(frozen=True, slots=True)
class Item:
    """A message of the replay. `measured` is the newest record of it that told tokens, itself as a rule; None if they are stale."""

    value: JsonObject
    origin: Origin
    measured: JsonObject | None


class Replay:
    """Takes lines one by one, as Gemini CLI does when it resumes; `items` are the messages that it would have then."""

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}
        self._measured: dict[str, JsonObject] = {}
        self._seen: set[str] = set()
        self._skipped: list[Skipped] = []
        self._strange: list[Record] = []

    @property
    def items(self) -> tuple[Item, ...]:
        """The messages, in order."""
        return tuple(self._items.values())

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """What was no line of Gemini CLI's, or made no sense."""
        return (*self._skipped, *unknown_types(self._strange, lambda _: False))

    def take_document(self, document: object, origin: Origin) -> None:
        """Take a file that is one JSON value: a session, or a checkpoint with its history."""
        match document:
            case list(contents):
                self._add_all(contents, origin)
            case dict():
                self.take(document, origin)

    def take(self, value: JsonObject, origin: Origin) -> None:
        """Replay one line. What it is, is asked in the order in which Gemini CLI asks."""
        match value:
            case {"$rewindTo": target}:
                self._rewind(target, origin)
            case {"id": str()}:
                self._add(value, origin)
            case {"$set": dict(changes)}:
                self._set(changes, below(origin, "$set"))
            case {"sessionId": str(), "messages": list(messages)}:
                self._add_all(messages, below(origin, "messages"))
            case {"history": list(contents)}:
                self._add_all(contents, below(origin, "history"))
            case {"sessionId": str(), "projectHash": str()}:
                pass
            case _:
                self._strange.append(record_of(value, origin))

    def _add(self, value: JsonObject, origin: Origin) -> None:
        """Add a message, or put it in the place of an older one of its id."""
        id_ = _id(value, origin)
        if "tokens" in value:
            self._measured[id_] = value
        self._seen.add(id_)
        self._items[id_] = Item(value, replace(origin, entry=string(value.get("id"))), self._measured.get(id_))

    def _add_all(self, messages: list[object], origin: Origin) -> None:
        for at, message in enumerate(messages):
            if isinstance(message, dict):
                self._add(message, below(origin, at))

    def _set(self, changes: JsonObject, origin: Origin) -> None:
        match changes:
            case {"messages": list(messages)}:
                if self._items and not messages:
                    self._skipped.append(Skipped("it sets no messages: all before it are gone", origin))
                self._refill(messages, below(origin, "messages"))

    def _refill(self, messages: list[object], origin: Origin) -> None:
        """Replace all messages. Where some are gone for good, as in a compression, the tokens of those that stayed are stale."""
        earlier = frozenset(self._seen)
        self._items.clear()
        self._add_all(messages, origin)
        if not earlier.issubset(self._items):
            self._items = {id_: replace(item, measured=None) for id_, item in self._items.items()}

    def _rewind(self, target: object, origin: Origin) -> None:
        """Drop a message and all behind it; all messages if there is no such one."""
        ids = list(self._items)
        if target not in ids:
            self._skipped.append(Skipped(f"it rewinds to the unknown message {target}: all before it are gone", origin))
        for id_ in ids[ids.index(target) if target in ids else 0 :]:
            del self._items[id_]
            self._seen.discard(id_)


def _id(value: JsonObject, origin: Origin) -> str:
    """Messages of documents may have no id: their place tells them apart."""
    return string(value.get("id")) or f"{origin.line}{origin.pointer}"
