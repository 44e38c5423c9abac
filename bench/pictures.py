"""Pictures like screenshots: real PNG, JPEG and WebP files of 75 KB to 3 MB."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from bench.prose import PLAIN_WORDS, seeded

if TYPE_CHECKING:
    from random import Random

_RED = (200, 30, 30)
_LABELS = 40


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of file: how often it occurs, the bytes that a noisy pixel costs, how Pillow saves it."""

    name: str
    share: int
    pixel: float
    saving: dict[str, int]


_KINDS = (
    _Kind("PNG", 70, 2.6, {"compress_level": 1}),
    _Kind("JPEG", 22, 0.6, {"quality": 92}),
    _Kind("WEBP", 8, 0.4, {"quality": 92}),
)


@dataclass(frozen=True, slots=True)
class Picture:
    """A file, and what its sessions say of it."""

    data: bytes
    media: str
    width: int
    height: int


def picture(seed: int) -> Picture:
    """Draw the picture of this seed: noise for the size of the file, then a gradient, and text over both."""
    rng = seeded(seed)
    kind = rng.choices(_KINDS, [kind.share for kind in _KINDS])[0]
    target = math.exp(rng.uniform(math.log(75e3), math.log(3e6)))
    width = rng.choice((800, 1024, 1280, 1440, 1920, 2048))
    height = int(width * rng.choice((0.5625, 0.625, 0.75)))
    image = Image.linear_gradient("L").resize((width, height)).convert("RGB")
    # The noise is rand() of the C library, which nobody seeds: it is the same in every process that draws the same pictures.
    noisy = min(height, max(8, int(target / (kind.pixel * width))))
    image.paste(Image.effect_noise((width, noisy), 70).convert("RGB"), (0, 0))
    _label(image, rng)
    file = io.BytesIO()
    image.save(file, kind.name, **kind.saving)
    return Picture(file.getvalue(), f"image/{kind.name.lower()}", width, height)


def _label(image: Image.Image, rng: Random) -> None:
    pen = ImageDraw.Draw(image)
    for _ in range(_LABELS):
        place = (rng.randrange(image.width), rng.randrange(image.height))
        pen.text(place, " ".join(rng.choices(PLAIN_WORDS, k=6)), fill=_RED)
