"""Sessions that no other book knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.formats.base import Format

if TYPE_CHECKING:
    from sessionkit.formats.head import Head


class Unknown(Format):
    """Stands last. Images are found by their shapes, so such sessions can be spilled and restored like any other."""

    id = "unknown"
    agent = "unknown"

    def recognises(self, head: Head) -> bool:  # noqa: ARG002  the answer to every head
        return True
