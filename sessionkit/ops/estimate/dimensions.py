"""Images priced by their pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import NOWHERE, MediaKind, media_of
from sessionkit.dataclass import dataclass
from sessionkit.ops.estimate.result import Note, NoteKind
from sessionkit.tokens.formulas import PROVIDERS, Detail, formula_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionkit.core.model import Media, Message
    from sessionkit.ops.estimate.media import MediaReader
    from sessionkit.ops.estimate.options import Dimensions
    from sessionkit.tokens.base import Pricing
    from sessionkit.tokens.formulas import Formula


@dataclass(frozen=True, slots=True)
class PricedByPixels:
    """A price for each image whose pixels are known; documents and all others are left to the profile."""

    formula: Formula
    reader: MediaReader

    def __call__(self, media: Media) -> int | None:
        """Apply the formula, with the detail that the session asks for."""
        size = self.reader.pixels(media) if media.kind is MediaKind.IMAGE else None
        return None if size is None else self.formula.tokens(size, _detail(media))

    def notes(self, media: Iterable[Media]) -> list[Note]:
        """Tell the images that no price was found for."""
        cause = "neither its bytes nor the session tell its pixels: the constant stands for it"
        return [
            Note(NoteKind.SIZE_UNKNOWN, image.origin, cause)
            for image in media
            if image.kind is MediaKind.IMAGE and self.reader.pixels(image) is None
        ]


def find_pricing(dimensions: Dimensions, messages: Sequence[Message], reader: MediaReader) -> tuple[Pricing | None, list[Note]]:
    """Find out how images are priced, None for the constant; and what has to be said of it."""
    formula = choose_formula(dimensions, messages)
    if isinstance(formula, Note):
        return None, [formula]
    pricing = PricedByPixels(formula, reader)
    return pricing, pricing.notes(media_of(messages))


def choose_formula(dimensions: Dimensions, messages: Sequence[Message]) -> Formula | Note:
    """Find the formula that was asked for, or that the newest answer's model has; a note when that model is not known."""
    asked = dimensions.model or PROVIDERS.get(dimensions.provider or "")
    model = asked or next((message.model.model for message in reversed(messages) if message.model and message.model.model), "")
    formula = formula_of(model)
    if formula is not None:
        return formula
    who = f"the model {model}" if model else "a session that names no model"
    return Note(NoteKind.MODEL_UNKNOWN, NOWHERE, f"no formula is known for {who}: the constant stands for every image")


def _detail(media: Media) -> Detail:
    asked = media.carried.get("detail")
    return Detail(asked) if isinstance(asked, str) and asked in set(Detail) else Detail.AUTO
