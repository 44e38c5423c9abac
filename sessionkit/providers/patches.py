"""How many patches an image is for OpenAI's models, which refuse too many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.tokens.formulas import Detail, formula_of
from sessionkit.tokens.formulas.base import patches
from sessionkit.tokens.formulas.openai import PatchFormula, TileFormula

if TYPE_CHECKING:
    from sessionkit.core.pixels import Size

_PATCH = 32


def count_patches(size: Size, model: str, detail: str) -> int:
    """Count what a model counts, after its own shrinking; of a model that nobody knows the patches of the image as it is.

    Models that look at tiles shrink every image enough.
    """
    match formula_of(model):
        case TileFormula():
            return 0
        case PatchFormula() as formula:
            asked = Detail(detail) if detail in set(Detail) else Detail.AUTO
            return formula.steps.get(asked, formula.steps[formula.auto]).patches(size)
        case _:
            return patches(size.width, size.height, _PATCH)
