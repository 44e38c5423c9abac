"""The way down to a picture that every vendor takes: fewer pixels, then other encodings, then fewer pixels still."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from sessionkit.core.base64 import encoded_size
from sessionkit.core.images import DECODABLE, UndecodableError, count_frames, decode, upright_size
from sessionkit.core.pixels import Size, pixel_size
from sessionkit.core.sniff import GIF, JPEG, PNG, WEBP, Family, sniff
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal
    from io import BufferedReader

    from typing_extensions import Buffer

    from sessionkit.core.images import Bitmap
    from sessionkit.core.sniff import MediaType

_QUALITIES = (80, 85, 70, 55, 40)
_ROUNDING = 0.05
"""How much the factors of the two sides may differ, as a share: for sides of ten pixels and more, rounding makes no more of it."""


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
    """A picture within bounds: its size as it is seen, before and now; what the model must know of the change, nothing if there is none.

    `frames` are those that it had before.
    """

    data: bytes
    type: MediaType
    original: Size
    size: Size
    notes: tuple[str, ...] = ()
    frames: int = 1


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a picture cannot be brought within bounds."""

    reason: str


@dataclass(frozen=True, slots=True)
class Overlarge(Unfit):
    """A picture that decodes, and of which nothing is small enough."""


def fit(data: bytes, bounds: Bounds = PORTABLE) -> Fitted | Unfit:
    """Bring a picture within bounds. One that is within comes back as it is; nobody looks whether it decodes.

    Of an animation that must change the first frame is left.
    """
    return keep(data) if bounds.hold(data) else redraw(data, sniff(data), bounds)


def keep(data: bytes) -> Fitted:
    """Leave a picture as it is; ValueError if its header tells no size."""
    media = sniff(data)
    stored = pixel_size(data, media)
    if stored is None:
        raise ValueError("a picture without a size")
    size = _seen_size(data, stored)
    return Fitted(data, media, size, size, frames=count_frames(data))


def redraw(picture: Buffer | BufferedReader, media: MediaType, bounds: Bounds = PORTABLE) -> Fitted | Unfit:
    """Write a picture of this type anew, within bounds. Of one that is open the bytes are read as they are needed, and not kept."""
    if media not in DECODABLE:
        return Unfit(f"{media.mime} cannot be decoded" if media.family is Family.IMAGE else "not a picture in a known format")
    try:
        original = upright_size(picture)
        bitmap = decode(picture, bounds.fitting(original))
    except UndecodableError as error:
        return Unfit(str(error))
    return _go_down(bitmap, _Before(media, original, count_frames(picture)), bounds)


def coordinate_note(original: Size, displayed: Size) -> str:
    """Tell the model how to get from the pixels that it sees to those of the file."""
    across, down = original.width / displayed.width, original.height / displayed.height
    is_even = abs(across - down) <= _ROUNDING * max(across, down)
    return (
        f"[Image: original {original.width}x{original.height}, displayed at {displayed.width}x{displayed.height}. "
        f"Multiply {f'coordinates by {_factor(across)}' if is_even else f'x by {_factor(across)} and y by {_factor(down)}'}"
        " to map to original image.]"
    )


def conversion_note(before: MediaType, after: MediaType, frames: int = 1) -> str:
    """Tell that a picture was of a type that is not taken, or had more frames."""
    left = f": the first of {frames:,} frames" if frames > 1 else ""
    return f"[Image converted from {before.mime} to {after.mime}{left}.]"


def _factor(ratio: float) -> Decimal:
    from decimal import ROUND_HALF_UP, Decimal  # noqa: PLC0415  it costs start-up, and few pictures are shrunk

    return Decimal(ratio).quantize(Decimal("0.01"), ROUND_HALF_UP)


def _share(side: int, part: int, whole: int) -> int:
    return max(1, (2 * side * part + whole) // (2 * whole))


def _seen_size(data: bytes, stored: Size) -> Size:
    try:
        return upright_size(data)
    except UndecodableError:  # then nobody can tell how it lies
        return stored


@dataclass(frozen=True, slots=True)
class _Before:
    """What a picture was; its size as it is seen."""

    type: MediaType
    size: Size
    frames: int


def _go_down(bitmap: Bitmap, before: _Before, bounds: Bounds) -> Fitted | Unfit:
    for media, data, size in chain.from_iterable(map(_encodings, _rungs(bitmap))):
        if bounds.hold_bytes(data):
            is_same = before.type in bounds.types and before.frames == 1
            conversion = () if is_same else (conversion_note(before.type, media, before.frames),)
            return Fitted(data, media, before.size, size, (coordinate_note(before.size, size), *conversion), before.frames)
    return Overlarge(f"a single pixel takes {bounds.base64:,} characters of base64 or more")


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
