"""Pi: the neutral count, with media that its rules see or do not see."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from sessionkit.core.model import Role
from sessionkit.dataclass import dataclass
from sessionkit.tokens.base import Profile
from sessionkit.tokens.text import utf16_units

if TYPE_CHECKING:
    from sessionkit.core.model import Media


class Generation(StrEnum):
    """Pi before and since 0.76.0, which was the first to count the images of users."""

    BEFORE = "0.75"
    SINCE = "0.76"


_FREE = {
    Generation.BEFORE: frozenset({Role.ASSISTANT, Role.USER}),
    Generation.SINCE: frozenset({Role.ASSISTANT}),
}
"""In whose messages media cost nothing."""


@dataclass(frozen=True, slots=True)
class Pi(Profile):
    """Four UTF-16 units make a token, rounded up per message and per result; a medium is 1200 tokens, but free in assistant turns."""

    generation: Generation = Generation.SINCE

    name = "pi"
    formats = frozenset({"pi"})

    def text(self, text: str) -> int:
        """Count UTF-16 units."""
        return utf16_units(text)

    def medium(self, media: Media, role: Role) -> int:
        """Leave out the media that Pi does not look at."""
        return 0 if role in _FREE[self.generation] else Profile.medium(self, media, role)
