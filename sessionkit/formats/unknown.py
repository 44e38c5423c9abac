"""Sessions that no other book knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.errors import Place, RefusedError
from sessionkit.formats.base import Format

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.entries import Defect, Entry
    from sessionkit.core.model import Conversation
    from sessionkit.formats.head import Head


class Unknown(Format):
    """Stands last. Images are found by their shapes, so such sessions can be spilled and restored like any other."""

    id = "unknown"
    agent = "unknown"

    def recognises(self, head: Head) -> bool:  # noqa: ARG002  the answer to every head
        return True

    def conversation(self, entries: Iterable[Entry | Defect], path: str, leaf: str | None) -> Conversation:
        del entries, leaf
        raise RefusedError(
            "cannot rebuild its conversation",
            place=Place(path),
            why="no known agent wrote it",
            hint="images are found in it all the same: migrate, restore, verify and scan take it",
        )
