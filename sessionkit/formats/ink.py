"""Ink-like sessions: known from a published description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.formats.base import Format

if TYPE_CHECKING:
    from sessionkit.formats.head import Head, JsonObject


class Ink(Format):
    """Entries like those of Pi without its header; one `toolResult` message holds several results.

    A Pi session that has lost its header reads the same way.
    """

    id = "ink"
    agent = "Ink"

    def recognises(self, head: Head) -> bool:
        return any(_is_entry(entry) for entry in head.objects)


def _is_entry(entry: JsonObject) -> bool:
    match entry:
        case {"type": "message", "id": _, "parentId": _, "message": {"role": _}}:
            return True
        case _:
            return False
