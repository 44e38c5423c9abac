"""What an image costs by its size, for each family of models."""

from __future__ import annotations

from sessionkit.tokens.formulas.base import Detail, Formula
from sessionkit.tokens.formulas.models import PROVIDERS, formula_of

__all__ = ["PROVIDERS", "Detail", "Formula", "formula_of"]
