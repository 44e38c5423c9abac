"""The way down to a picture that every vendor takes: fewer pixels, then other encodings, then fewer pixels still."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from itertools import chain
from typing import TYPE_CHECKING

from sessionkit.core.base64 import encoded_size
from sessionkit.core.images import DECODABLE, UndecodableError, decode, upright_size
from sessionkit.core.pixels import Size, pixel_size
from sessionkit.core.sniff import GIF, JPEG, PNG, WEBP, Family, sniff

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.images import Bitmap
    from sessionkit.core.sniff import MediaType

_QUALITIES = (80, 85, 70, 55, 40)
_HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a picture must satisfy: no side longer than `side` pixels, fewer characters of base64 than `base64`, one of the types.

    The defaults are what all vendors take, also among many other pictures. A picture that must change becomes PNG or JPEG.
    """

    side: int = 2000
    base64: int = 4_718_592
    types: frozenset[MediaType] = frozenset({PNG, JPEG, GIF, WEBP})

    def hold(self, data: bytes) -> bool:
        """Whether a picture is within them, by its header."""
        media = sniff(data)
        size = pixel_size(data, media)
        return media in self.types and size is not None and self.fitting(size) == size and self.hold_bytes(data)

    def hold_bytes(self, data: bytes) -> bool:
        """Whether these are few enough."""
        return encoded_size(len(data)) < self.base64

    def fitting(self, size: Size) -> Size:
        """Shrink in proportion, the width first, then the height; half a pixel counts as one, and one is the least."""
        width, height = size.width, size.height
        if width > self.side:
            width, height = self.side, _share(height, self.side, width)
        if height > self.side:
            width, height = _share(width, self.side, height), self.side
        return Size(width, height)


PORTABLE = Bounds()


@dataclass(frozen=True, slots=True)
class Fitted:
    """A picture within bounds: its size as it is seen, before and now; what the model must know of the change, nothing if there is none."""

    data: bytes
    type: MediaType
    original: Size
    size: Size
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a picture cannot be brought within bounds."""

    reason: str


def fit(data: bytes, bounds: Bounds = PORTABLE) -> Fitted | Unfit:
    """Bring a picture within bounds. One that is within comes back as it is; nobody looks whether it decodes.

    Of an animation that must change the first frame is left.
    """
    media = sniff(data)
    stored = pixel_size(data, media)
    if stored is not None and bounds.hold(data):
        size = _seen_size(data, stored)
        return Fitted(data, media, size, size)
    if media not in DECODABLE:
        return Unfit(f"{media.mime} cannot be decoded" if media.family is Family.IMAGE else "not a picture in a known format")
    try:
        original = upright_size(data)
        bitmap = decode(data, bounds.fitting(original))
    except UndecodableError as error:
        return Unfit(str(error))
    return _go_down(bitmap, Fitted(data, media, original, original), bounds)


def coordinate_note(original: Size, displayed: Size) -> str:
    """Tell the model how to get from the pixels that it sees to those of the file."""
    factor = Decimal(original.width / displayed.width).quantize(_HUNDREDTH, ROUND_HALF_UP)
    return (
        f"[Image: original {original.width}x{original.height}, displayed at {displayed.width}x{displayed.height}. "
        f"Multiply coordinates by {factor} to map to original image.]"
    )


def conversion_note(before: MediaType, after: MediaType) -> str:
    """Tell that a picture was of a type that nobody takes."""
    return f"[Image converted from {before.mime} to {after.mime}.]"


def _share(side: int, part: int, whole: int) -> int:
    return max(1, (2 * side * part + whole) // (2 * whole))


def _seen_size(data: bytes, stored: Size) -> Size:
    try:
        return upright_size(data)
    except UndecodableError:  # then nobody can tell how it lies
        return stored


def _go_down(bitmap: Bitmap, before: Fitted, bounds: Bounds) -> Fitted | Unfit:
    for media, data, size in chain.from_iterable(map(_encodings, _rungs(bitmap))):
        if bounds.hold_bytes(data):
            conversion = () if before.type in bounds.types else (conversion_note(before.type, media),)
            return Fitted(data, media, before.original, size, (coordinate_note(before.original, size), *conversion))
    return Unfit(f"a single pixel takes {bounds.base64:,} characters of base64 or more")


def _rungs(bitmap: Bitmap) -> Iterator[Bitmap]:
    """Take away a quarter of both sides, down to a single pixel."""
    yield bitmap
    size = bitmap.size
    while size != Size(1, 1):
        size = Size(max(1, size.width * 3 // 4), max(1, size.height * 3 // 4))
        yield bitmap.resized(size)


def _encodings(bitmap: Bitmap) -> Iterator[tuple[MediaType, bytes, Size]]:
    yield PNG, bitmap.png(), bitmap.size
    for quality in _QUALITIES:
        yield JPEG, bitmap.jpeg(quality), bitmap.size
