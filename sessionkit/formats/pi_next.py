"""Pi, storage version 4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.errors import Place, RefusedError
from sessionkit.formats.base import Format

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.entries import Defect, Entry
    from sessionkit.core.model import Conversation
    from sessionkit.formats.head import Head, JsonObject


_VERSION = 4


class PiNext(Format):
    """A header `{"kind":"header","version":4}`: known by its published source only."""

    id = "pi"
    agent = "Pi (storage version 4)"
    unsupported = "Pi's storage version 4 is not supported yet"

    def recognises(self, head: Head) -> bool:
        return any(_is_header(entry) for entry in head.objects)

    def conversation(self, entries: Iterable[Entry | Defect], path: str, leaf: str | None) -> Conversation:
        del entries, leaf
        raise RefusedError("cannot rebuild its conversation", place=Place(path), why=self.unsupported)


def _is_header(entry: JsonObject) -> bool:
    return entry.get("kind") == "header" and entry.get("version") == _VERSION
