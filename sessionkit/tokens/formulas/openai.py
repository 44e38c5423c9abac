"""OpenAI: patches of 32 pixels within a budget, or tiles of 512."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, inf, sqrt
from typing import TYPE_CHECKING

from sessionkit.core.pixels import Size
from sessionkit.dataclass import dataclass, field
from sessionkit.tokens.formulas.base import Detail, Formula, patches

if TYPE_CHECKING:
    from collections.abc import Mapping

_PATCH = 32
_GUARD = 1e-9
"""Against a product that floating point puts a hair below the whole number that it is."""


@dataclass(frozen=True, slots=True)
class Step:
    """One detail of a patch model: the longest edge in pixels, and the most patches."""

    edge: float = inf
    budget: float = inf

    def patches(self, size: Size) -> int:
        """Count the patches of an image after shrinking it to the edge, and then to the budget."""
        fitted = _fit(size, self.edge)
        count = patches(fitted.width, fitted.height, _PATCH)
        return count if count <= self.budget else int(min(self.budget, self._within_budget(fitted)))

    def _within_budget(self, size: Size) -> int:
        scale = sqrt(_PATCH**2 * self.budget / (size.width * size.height))
        across, down = size.width * scale / _PATCH, size.height * scale / _PATCH
        scale *= min(floor(across) / across, floor(down) / down)
        return patches(floor(size.width * scale + _GUARD), floor(size.height * scale + _GUARD), _PATCH)


@dataclass(frozen=True, slots=True)
class PatchFormula(Formula):
    """A patch model: its details, the one that it takes unasked, and its tokens per patch. The vendor allows for one token more or less."""

    steps: Mapping[Detail, Step]
    auto: Detail
    multiplier: Fraction = Fraction(6, 5)

    def tokens(self, size: Size, detail: Detail = Detail.AUTO) -> int:
        """Count patches, times the multiplier."""
        step = self.steps.get(detail, self.steps[self.auto])
        return ceil(step.patches(size) * self.multiplier)


_TILE = 512
_LONG, _SHORT = 2048, 768


@dataclass(frozen=True, slots=True)
class TileFormula(Formula):
    """A tile model: what an image costs at least, and each tile beside that."""

    base: int
    tile: int
    low: frozenset[Detail] = field(default=frozenset({Detail.LOW}))

    def tokens(self, size: Size, detail: Detail = Detail.AUTO) -> int:
        """Count tiles after shrinking the image into 2048 pixels, and then its shorter side to 768."""
        if detail in self.low:
            return self.base
        fitted = _fit(size, _LONG)
        scale = min(1.0, _SHORT / min(fitted.width, fitted.height))
        return self.base + self.tile * patches(floor(fitted.width * scale + _GUARD), floor(fitted.height * scale + _GUARD), _TILE)


def _fit(size: Size, edge: float) -> Size:
    """Shrink, never enlarge, the longer side to the edge."""
    long = max(size.width, size.height)
    if long <= edge:
        return size
    return Size(max(1, round(size.width * edge / long)), max(1, round(size.height * edge / long)))
