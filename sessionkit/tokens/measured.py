"""Characters weighed by script, as measured against a real vocabulary: the closest that is known without one."""

from __future__ import annotations

from sessionkit.dataclass import dataclass
from sessionkit.tokens.base import Profile
from sessionkit.tokens.text import CLASS_UNITS_PER_TOKEN, class_units


@dataclass(frozen=True, slots=True)
class Measured(Profile):
    """The neutral count with another length of texts; take it with a band of 25 % up and down."""

    name = "measured"
    units_per_token = CLASS_UNITS_PER_TOKEN
    medium_units = 1200 * CLASS_UNITS_PER_TOKEN

    def text(self, text: str) -> int:
        """Weigh characters by their script."""
        return class_units(text)
