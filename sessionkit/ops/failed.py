"""What a batch tells of a session that it could not do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass
from sessionkit.ops.sessions import STANDARD_INPUT

if TYPE_CHECKING:
    from sessionkit.errors import SessionkitError
    from sessionkit.ops.sources import Source


@dataclass(frozen=True, slots=True)
class Failed:
    """A session that could not be done, and why."""

    source: Source
    error: SessionkitError

    @property
    def name(self) -> str:
        """What the session is called."""
        return str(STANDARD_INPUT if self.source.is_stdin else self.source.path)

    @property
    def unnamed(self) -> str:
        """Path of the session where the error is about another file, or about none, and does not tell; else empty."""
        return "" if self.error.place and self.error.place.path == self.name else self.name
