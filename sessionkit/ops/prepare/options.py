"""What a user chooses of an image that is to enter a session."""

from __future__ import annotations

import sys
from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.core.ladder import PORTABLE, Bounds
from sessionkit.dataclass import dataclass, field, replace
from sessionkit.ops.prepare.shapes import NATIVE
from sessionkit.ops.writing import Writing
from sessionkit.providers.vision import NO_CATALOG, Catalog, Vision, sees_by_name

if TYPE_CHECKING:
    from sessionkit.core.stores.addresses import Address
    from sessionkit.ops.prepare.shapes import Shape


class Resizing(Enum):
    """Whether an image may get smaller; one of a type that nobody takes is always written anew."""

    ALLOW = auto()
    REFUSE = auto()


class Motion(Enum):
    """Whether an image has one frame or several."""

    STILL = auto()
    ANIMATED = auto()


@dataclass(frozen=True, slots=True)
class Options:
    """Within which bounds an image must be, in whose blocks it is written, and for which model, None for none in particular.

    `store` is where its bytes go, None to keep them in the block. Of `writing` count effect, durability and lock_timeout.
    """

    shape: Shape = NATIVE
    bounds: Bounds = PORTABLE
    resizing: Resizing = Resizing.ALLOW
    vision: Vision = Vision.AUTO
    model: str | None = None
    catalog: Catalog = NO_CATALOG
    store: Address | None = None
    writing: Writing = field(default_factory=Writing)

    def bounds_for(self, motion: Motion) -> Bounds:
        """Bounds of an image; some interfaces take fewer types in results, or of what moves."""
        side = self.bounds.side if self.resizing is Resizing.ALLOW else sys.maxsize
        taken = self.shape.still if motion is Motion.STILL else self.shape.moving
        return replace(self.bounds, side=side, types=self.bounds.types & taken)

    def sees(self) -> bool | None:
        """Whether the model takes images; None if nobody here knows it."""
        if self.vision is not Vision.AUTO or self.model is None:
            return self.vision is not Vision.NO
        vendor, slash, name = self.model.partition("/")
        listed = self.catalog.sees(vendor, name) if slash else self.catalog.sees(self.shape.vendor, self.model)
        return sees_by_name(self.model) if listed is None else listed
