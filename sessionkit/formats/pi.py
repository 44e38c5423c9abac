"""Pi, storage versions 1 to 3, and its forks (oh-my-pi, OpenClaw)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.formats.base import Format

if TYPE_CHECKING:
    from sessionkit.formats.head import Head, JsonObject


class Pi(Format):
    """A header `{"type":"session","version":3,"id":…}`, then a tree of entries."""

    id = "pi"
    agent = "Pi"

    def recognises(self, head: Head) -> bool:
        return any(_is_header(entry) for entry in head.objects)


def _is_header(entry: JsonObject) -> bool:
    match entry:
        case {"type": "session", "id": str()}:
            return "created_at" not in entry  # early native sessions have it
        case _:
            return False
