"""Gemini: tiles up to version 2, a sum for every image since version 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.tokens.formulas.base import Detail, Formula, patches

if TYPE_CHECKING:
    from sessionkit.core.pixels import Size

_SMALL = 384
_TILE_TOKENS = 258
_LEAST_UNIT, _MOST_UNIT = 256, 768
_BOUNDS = {Detail.LOW: 280, Detail.MEDIUM: 560, Detail.HIGH: 1120, Detail.ULTRA_HIGH: 2240}


class GeminiTiles(Formula):
    """Version 2 and before. The limits of a tile's side are not documented, so this is approximate."""

    def tokens(self, size: Size, _detail: Detail = Detail.AUTO) -> int:
        """Count 258 for a small image, and for each tile of a larger one, whose side goes by the shorter side of the image."""
        if max(size.width, size.height) <= _SMALL:
            return _TILE_TOKENS
        unit = min(max(min(size.width, size.height) * 2 // 3, _LEAST_UNIT), _MOST_UNIT)
        return _TILE_TOKENS * patches(size.width, size.height, unit)


class GeminiBound(Formula):
    """Version 3 and later."""

    def tokens(self, _size: Size, detail: Detail = Detail.AUTO) -> int:
        """Return the documented upper bound; measured are up to 5 % less."""
        return _BOUNDS.get(detail, _BOUNDS[Detail.HIGH])
