"""What a book of this shelf answers about the sessions of one agent."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from sessionkit.formats.holders import Use, writer_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sessionkit.core.entries import Defect, Entry
    from sessionkit.core.model import Conversation
    from sessionkit.formats.head import Head


class Format(ABC):
    """How one agent writes its sessions. A book has no state: `FORMATS` holds one instance of each."""

    id: ClassVar[str]
    """Stands in reports, and names the folder of fixtures. Generations of one agent share it."""

    agent: ClassVar[str]
    """The agent's name, as people know it."""

    reads_references: ClassVar[bool] = False
    """The agent loads images from `images/` by itself, so that a spilled session may stay in its place."""

    unsupported: ClassVar[str] = ""
    """Why sessions of this kind are left alone; empty if they are not."""

    @abstractmethod
    def recognises(self, head: Head) -> bool:
        """Whether this agent wrote the session. Asked in the order of `FORMATS`: earlier books have said no."""

    @abstractmethod
    def conversation(self, entries: Iterable[Entry | Defect], path: str, leaf: str | None) -> Conversation:
        """Rebuild what the model would see next: the branch that ends with the entry `leaf`, or the newest one.

        `path` names the file in origins. It selects and orders; it drops, merges and makes up nothing for sending. What it
        passes over is in `skipped`. Raises UsageError for an unknown leaf, RefusedError where there is no conversation to read.
        """

    def in_use(self, path: Path) -> Use | None:
        """Find out who has the session open at this moment; None if nobody was found. Raises UnreadableError."""
        return writer_of(path)
