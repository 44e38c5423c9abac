"""The neutral count: characters as JavaScript agents count them, by four."""

from __future__ import annotations

from sessionkit.dataclass import dataclass
from sessionkit.tokens.base import Profile
from sessionkit.tokens.text import utf16_units


@dataclass(frozen=True, slots=True)
class Neutral(Profile):
    """Four UTF-16 units make a token, rounded up per message and per result; every medium is 1200 tokens."""

    name = "neutral"

    def text(self, text: str) -> int:
        """Count UTF-16 units."""
        return utf16_units(text)
