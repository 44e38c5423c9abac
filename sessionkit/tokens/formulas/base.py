"""What an image costs a model, by its size."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessionkit.core.pixels import Size


class Detail(StrEnum):
    """How closely a request asks the model to look; each vendor knows some of them, and AUTO is what it does unasked."""

    AUTO = "auto"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    ULTRA_HIGH = "ultra_high"
    ORIGINAL = "original"


class Formula(ABC):
    """One family of models."""

    @abstractmethod
    def tokens(self, size: Size, detail: Detail = Detail.AUTO) -> int:
        """Count the tokens of an image of that size; a detail that the family does not know counts as AUTO."""


def patches(width: int, height: int, side: int) -> int:
    """Count the squares that cover an image."""
    return -(-width // side) * -(-height // side)
