"""Pictures decoded, shrunk and encoded; the only door to Pillow, which is slow to import and therefore opened late."""

from __future__ import annotations

import io
import os
import warnings
from contextlib import contextmanager
from functools import cache
from math import ceil, floor
from typing import TYPE_CHECKING

from sessionkit.core.pages import count_pages
from sessionkit.core.pixels import Size
from sessionkit.core.sniff import AVIF, BMP, GIF, JPEG, PNG, TIFF, WEBP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL import Image
    from typing_extensions import Buffer

    from sessionkit.core.sniff import MediaType

MAX_PIXELS = 120_000_000
"""A picture with more is not decoded: at four bytes a pixel it would take half a gigabyte."""

TOO_MANY_PIXELS = f"more than {MAX_PIXELS // 1_000_000} megapixels, which are never decoded"
"""Why such a picture is not."""

DECODABLE = frozenset({PNG, JPEG, GIF, WEBP, BMP, TIFF, AVIF})
"""Only what sessions hold. Pillow also knows formats that start other programs (EPS) or read other files."""

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "AVIF")
_IN_FRAMES = frozenset({"GIF", "WEBP", "AVIF"})
_STDERR = 2

_ORIENTATION = 0x0112
_SIDEWAYS = range(5, 9)

_DEEP_GREY = frozenset({"I", "F", "I;16", "I;16L", "I;16B", "I;16N"})
_GREY = _DEEP_GREY | {"1", "L", "LA", "La"}
_WITHOUT_SCALE = frozenset({"I", "F"})
_BYTE_OF_16_BITS = 1 / 256

_STRIP = 1 << 22
"""About how many pixels are converted at a time."""
_LANCZOS_REACH = 3
_THUMBNAIL_QUALITY = 80


NO_SCALE = "its brightness is in numbers of 32 bits, of which nobody knows what is white"
"""Why a measurement is no picture."""


class UndecodableError(ValueError):
    """A picture cannot be decoded; the message says why in a few words."""


class Bitmap:
    """Decoded pixels of 8 bits, grey or RGB, some of them transparent; nothing of what stood beside them in the file."""

    def __init__(self, image: Image.Image) -> None:
        self._image = image
        self.size = Size(*image.size)

    def resized(self, size: Size) -> Bitmap:
        """Resample to another size."""
        return self if size == self.size else Bitmap(_resampled(self._image, size))

    def png(self) -> bytes:
        """Encode without loss."""
        out = io.BytesIO()
        self._image.save(out, "PNG")
        return out.getvalue()

    def webp(self, quality: int) -> bytes:
        """Encode with loss; what is transparent stays so."""
        out = io.BytesIO()
        self._image.save(out, "WEBP", quality=quality)
        return out.getvalue()

    def jpeg(self, quality: int) -> bytes:
        """Encode with loss; what is transparent becomes white."""
        out = io.BytesIO()
        _on_white(self._image).save(out, "JPEG", quality=quality)
        return out.getvalue()


def is_decodable(media: MediaType, size: Size | None) -> bool:
    """Whether a picture of this type and size is decoded at all; of an unknown size it may be."""
    return media in DECODABLE and (size is None or size.width * size.height <= MAX_PIXELS)


def header_size(data: Buffer) -> Size | None:
    """Read the size as Pillow understands the header; None when it does not."""
    try:
        with _opened(data) as image:
            return Size(*image.size)
    except Exception:  # noqa: BLE001 - on hostile bytes Pillow raises almost anything
        return None


def upright_size(picture: Buffer | io.BufferedReader) -> Size:
    """Read the size of what is seen: after the orientation that EXIF asks for. Raises UndecodableError."""
    with _explaining(), _opened(picture) as image:
        _require_few_pixels(image)
        return _swapped(Size(*image.size), _orientation(image))


def count_frames(picture: Buffer | io.BufferedReader) -> int:
    """Count the frames of an animation, or the pages of a document, but no smaller versions of the same; 1 where nobody can tell."""
    try:
        with _opened(picture) as image:
            if image.format == "TIFF":
                return count_pages(picture if isinstance(picture, io.BufferedReader) else io.BytesIO(picture))
            return int(getattr(image, "n_frames", 1)) if image.format in _IN_FRAMES else 1
    except Exception:  # noqa: BLE001 - on hostile bytes Pillow raises almost anything
        return 1


def decode_fault(data: Buffer) -> str | None:
    """Decode every pixel of the first frame; say why that fails in a few words, None when it does not."""
    try:
        with _explaining(), _opened(data) as image:
            _require_few_pixels(image)
            _load(image)
    except UndecodableError as error:
        return str(error)
    return None


def decode(picture: Buffer | io.BufferedReader, size: Size) -> Bitmap:
    """Decode the first frame, turn it upright and resample it to a size. Raises UndecodableError.

    A JPEG that is to shrink is never unpacked in full, and of an open file not more than a piece is in memory.
    """
    with _explaining(), _opened(picture) as image:
        _require_few_pixels(image)
        if image.format == "TIFF" and image.mode in _WITHOUT_SCALE:
            raise UndecodableError(NO_SCALE)
        orientation = _orientation(image)
        stored = _swapped(size, orientation)
        image.draft(None, (stored.width, stored.height))
        _load(image)
        return Bitmap(_turned(_resampled(image, stored), orientation))


def thumbnail(data: Buffer, side: int) -> bytes:
    """Shrink what is seen of the first frame until no side has more pixels, as a WebP. Raises UndecodableError."""
    size = upright_size(data)
    scale = min(1, side / max(size.width, size.height))
    shrunk = Size(max(1, round(size.width * scale)), max(1, round(size.height * scale)))
    return decode(data, shrunk).webp(_THUMBNAIL_QUALITY)


@contextmanager
def _explaining() -> Iterator[None]:
    from PIL import Image, UnidentifiedImageError

    try:
        yield
    except UnidentifiedImageError as error:
        raise UndecodableError("not a picture in a known format") from error
    except Image.DecompressionBombError as error:
        raise UndecodableError(TOO_MANY_PIXELS) from error
    except Exception as error:  # on hostile bytes Pillow raises almost anything
        raise UndecodableError(str(error).partition("\n")[0] or type(error).__name__) from error


@contextmanager
def _opened(picture: Buffer | io.BufferedReader) -> Iterator[Image.Image]:
    """Open without warnings, and without Pillow's log, which goes to stderr when nobody has set up logging."""
    from PIL import Image

    _silence()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        file = picture if isinstance(picture, io.BufferedReader) else io.BytesIO(picture)
        with Image.open(file, formats=_FORMATS) as image:
            yield image


@cache
def _silence() -> None:
    """Give Pillow's log a reader, who says nothing."""
    import logging

    logging.getLogger("PIL").addHandler(logging.NullHandler())


def _require_few_pixels(image: Image.Image) -> None:
    from PIL import Image

    if image.width * image.height > MAX_PIXELS:
        raise Image.DecompressionBombError


def _load(image: Image.Image) -> None:
    if image.format != "TIFF":
        image.load()
        return
    with _mute_stderr():
        image.load()


@contextmanager
def _mute_stderr() -> Iterator[None]:
    """Point the process's stderr at nothing: libtiff writes its complaints there, past Python."""
    kept = os.dup(_STDERR)
    try:
        with open(os.devnull, "wb") as nothing:  # noqa: PTH123 - a device, not a path
            os.dup2(nothing.fileno(), _STDERR)
        yield
    finally:
        os.dup2(kept, _STDERR)
        os.close(kept)


def _orientation(image: Image.Image) -> int:
    """Tell how the stored rows lie, 1 to 8 as in EXIF; a broken EXIF counts as none."""
    from PIL import Image

    if image.format == "TIFF":  # which Pillow turns by itself
        return 1
    try:
        return int(Image.Image.getexif(image).get(_ORIENTATION, 1))  # a PNG's own method would decode all of it first
    except Exception:  # noqa: BLE001 - on hostile bytes Pillow raises almost anything
        return 1


def _swapped(size: Size, orientation: int) -> Size:
    """Go from the stored size to what is seen, or back."""
    return Size(size.height, size.width) if orientation in _SIDEWAYS else size


def _turned(image: Image.Image, orientation: int) -> Image.Image:
    from PIL.Image import Transpose

    turns = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }
    return image.transpose(turns[orientation]) if orientation in turns else image


def _resampled(image: Image.Image, size: Size) -> Image.Image:
    """Make a picture of another size in a plain mode, strip by strip: a conversion of the whole would take its memory twice."""
    from PIL import Image

    mode = _plain_mode(image)
    if image.mode == mode and image.size == (size.width, size.height):  # a copy would take its memory twice
        image.info = {}
        return image
    result = Image.new(mode, (size.width, size.height))
    scale = image.height / size.height
    reach = ceil(_LANCZOS_REACH * max(scale, 1)) + 1
    rows = max(1, int(_STRIP / (image.width * scale)))
    for top in range(0, size.height, rows):
        bottom = min(top + rows, size.height)
        first, last = max(0, floor(top * scale) - reach), min(image.height, ceil(bottom * scale) + reach)
        strip = _converted(image.crop((0, first, image.width, last)), mode)
        box = (0, top * scale - first, image.width, min(bottom * scale, image.height) - first)
        result.paste(strip.resize((size.width, bottom - top), Image.Resampling.LANCZOS, box), (0, top))
    return result


def _plain_mode(image: Image.Image) -> str:
    if image.mode in _DEEP_GREY:
        return "L"
    return ("L" if image.mode in _GREY else "RGB") + ("A" if image.has_transparency_data else "")


def _converted(strip: Image.Image, mode: str) -> Image.Image:
    """Convert to a plain mode; of grey in 16 bits the upper eight count, where Pillow would only cut off what is too bright."""
    if strip.mode in _DEEP_GREY and strip.mode != "F":
        strip = strip.convert("I").point(lambda value: value * _BYTE_OF_16_BITS)
    return strip.convert(mode)


def _on_white(image: Image.Image) -> Image.Image:
    from PIL import Image

    if not image.mode.endswith("A"):
        return image
    white = Image.new(image.mode.removesuffix("A"), image.size, "white")
    white.paste(image, mask=image.getchannel("A"))
    return white
