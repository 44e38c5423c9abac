"""Qwen-VL: patches, after rounding the sides to whole ones."""

from __future__ import annotations

from math import ceil, floor, sqrt
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass
from sessionkit.tokens.formulas.base import Detail, Formula

if TYPE_CHECKING:
    from sessionkit.core.pixels import Size


@dataclass(frozen=True, slots=True)
class QwenFormula(Formula):
    """A generation: the side of a patch, and the least and most pixels. Hosted services may have lower limits."""

    patch: int
    least: int
    most: int

    def tokens(self, size: Size, _detail: Detail = Detail.AUTO) -> int:
        """Count patches, without the two tokens that stand around an image."""
        width, height = (round(side / self.patch) for side in (size.width, size.height))
        pixels = size.width * size.height
        if width * height * self.patch**2 > self.most:
            scale = sqrt(pixels / self.most)
            width, height = (max(1, floor(side / scale / self.patch)) for side in (size.width, size.height))
        elif width * height * self.patch**2 < self.least:
            scale = sqrt(self.least / pixels)
            width, height = (ceil(side * scale / self.patch) for side in (size.width, size.height))
        return width * height


QWEN_2_5 = QwenFormula(28, 3136, 12_845_056)
QWEN_3 = QwenFormula(32, 65_536, 16_777_216)
