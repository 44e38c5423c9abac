"""Claude: patches of 28 pixels, after shrinking to a longest edge and to a number of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass
from sessionkit.tokens.formulas.base import Detail, Formula, patches

if TYPE_CHECKING:
    from sessionkit.core.pixels import Size

_PATCH = 28


@dataclass(frozen=True, slots=True)
class ClaudeFormula(Formula):
    """A tier: the longest edge in pixels, rounded up to whole patches, and the most tokens."""

    edge: int
    most: int

    def tokens(self, size: Size, _detail: Detail = Detail.AUTO) -> int:
        """Count patches of the largest size of that shape which fits."""
        if self._fits(size.width, size.height):
            return patches(size.width, size.height, _PATCH)
        long, short = max(size.width, size.height), min(size.width, size.height)
        return patches(*self._shrunk(long, long / short), _PATCH)

    def _shrunk(self, long: int, ratio: float) -> tuple[int, int]:
        """Find the largest longer side below `long` that fits, by bisection."""
        fitting, too_long = 1, long
        while too_long - fitting > 1:
            middle = (fitting + too_long) // 2
            if self._fits(middle, _other_side(middle, ratio)):
                fitting = middle
            else:
                too_long = middle
        return fitting, _other_side(fitting, ratio)

    def _fits(self, width: int, height: int) -> bool:
        longest = -(-max(width, height) // _PATCH) * _PATCH
        return longest <= self.edge and patches(width, height, _PATCH) <= self.most


def _other_side(side: int, ratio: float) -> int:
    return max(1, round(side / ratio))


STANDARD = ClaudeFormula(1568, 1568)
HIGH = ClaudeFormula(2576, 4784)
"""Versions from 4.7 on."""
