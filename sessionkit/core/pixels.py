"""Width and height, read by hand from a picture's header; nothing is decoded."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from typing_extensions import Buffer

    from sessionkit.core.sniff import MediaType


@dataclass(frozen=True, slots=True)
class Size:
    """Pixels across and down, as stored: a JPEG's EXIF orientation is not applied."""

    width: int
    height: int


_MAX_SIDE = 2**31 - 1
_UNREADABLE = (0, 0)

_JPEG_MARKER = re.compile(rb"\xff([\x01-\xfe])")
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_BARE_MARKERS = frozenset((0x01, *range(0xD0, 0xD9)))
_JPEG_END, _JPEG_SCAN = 0xD9, 0xDA
_JPEG_MAX_SEGMENTS = 10_000

_WEBP_14_BITS = 0x3FFF
_BMP_CORE_HEADER_SIZE = 12
_TIFF_WIDTH, _TIFF_HEIGHT, _TIFF_ORIENTATION = 256, 257, 274
_TIFF_SHORT = 3
_TIFF_FIRST_SIDEWAYS = 5
_ISPE = re.compile(rb"ispe\0{4}(.{4})(.{4})", re.DOTALL)
_ISPE_WITHIN = 1 << 16


def pixel_size(data: Buffer, media: MediaType) -> Size | None:
    """Read the size a picture of this type claims; None when the header is cut short, says nothing, or the type has no pixels.

    Any size up to 2**31 - 1 a side is returned as it stands, so a decompression bomb is only a number here.
    """
    reader = _READERS.get(media.ext)
    if reader is None:
        return None
    try:
        width, height = reader(memoryview(data))
    except struct.error:  # the header ends before its fields do
        return None
    return Size(width, height) if 0 < width <= _MAX_SIDE and 0 < height <= _MAX_SIDE else None


def _png(data: memoryview) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _gif(data: memoryview) -> tuple[int, int]:
    width, height = struct.unpack_from("<HH", data, 6)
    return width, height


def _bmp(data: memoryview) -> tuple[int, int]:
    (header_size,) = struct.unpack_from("<I", data, 14)
    fields = "<HH" if header_size == _BMP_CORE_HEADER_SIZE else "<Ii"
    width, height = struct.unpack_from(fields, data, 18)
    return width, abs(height)  # a negative height: rows from the top


def _webp(data: memoryview) -> tuple[int, int]:
    match bytes(data[12:16]):
        case b"VP8 " if bytes(data[23:26]) == b"\x9d\x01\x2a":
            width, height = struct.unpack_from("<HH", data, 26)
            return width & _WEBP_14_BITS, height & _WEBP_14_BITS
        case b"VP8L" if bytes(data[20:21]) == b"\x2f":
            (bits,) = struct.unpack_from("<I", data, 21)
            return (bits & _WEBP_14_BITS) + 1, (bits >> 14 & _WEBP_14_BITS) + 1
        case b"VP8X":
            (width,), (height,) = struct.unpack_from("<I", data, 23), struct.unpack_from("<I", data, 26)
            return (width >> 8) + 1, (height >> 8) + 1  # 24 bits each, at 24 and 27
        case _:
            return _UNREADABLE


def _jpeg(data: memoryview) -> tuple[int, int]:
    for marker, body in jpeg_segments(data):
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", data, body + 3)
            return width, height
        if marker in (_JPEG_SCAN, _JPEG_END):
            break
    return _UNREADABLE


def jpeg_segments(data: Buffer) -> Iterator[tuple[int, int]]:
    """Yield each marker of a JPEG and the offset behind it; fill bytes and junk between segments are skipped, as decoders do.

    Ends after 10,000 of them; struct.error when the data end inside of a length.
    """
    position = 2
    for _ in range(_JPEG_MAX_SEGMENTS):
        found = _JPEG_MARKER.search(data, position)
        if found is None:
            return
        marker, position = found[1][0], found.end()
        yield marker, position
        if marker not in _JPEG_BARE_MARKERS:
            (length,) = struct.unpack_from(">H", data, position)
            position += length


def _tiff(data: memoryview) -> tuple[int, int]:
    order = "<" if bytes(data[:2]) == b"II" else ">"
    fields = dict(_tiff_fields(data, order))
    width, height = fields.get(_TIFF_WIDTH, 0), fields.get(_TIFF_HEIGHT, 0)
    return (height, width) if fields.get(_TIFF_ORIENTATION, 1) >= _TIFF_FIRST_SIDEWAYS else (width, height)


def _tiff_fields(data: memoryview, order: str) -> Iterator[tuple[int, int]]:
    """Yield tag and first value of each entry of the first directory; values other than SHORT are read as LONG."""
    (directory,) = struct.unpack_from(order + "I", data, 4)
    (count,) = struct.unpack_from(order + "H", data, directory)
    for entry in range(directory + 2, directory + 2 + 12 * count, 12):
        tag, kind = struct.unpack_from(order + "HH", data, entry)
        (value,) = struct.unpack_from(order + ("H" if kind == _TIFF_SHORT else "I"), data, entry + 8)
        yield tag, value


def _isobmff(data: memoryview) -> tuple[int, int]:
    """Take the largest image spatial extents property: the picture itself, beside its tiles and thumbnails."""
    extents = [struct.unpack(">II", found[1] + found[2]) for found in _ISPE.finditer(data[:_ISPE_WITHIN])]
    width, height = max(extents, key=lambda extent: extent[0] * extent[1], default=_UNREADABLE)
    return width, height


_READERS: dict[str, Callable[[memoryview], tuple[int, int]]] = {
    "png": _png,
    "jpg": _jpeg,
    "gif": _gif,
    "webp": _webp,
    "bmp": _bmp,
    "tiff": _tiff,
    "avif": _isobmff,
    "heic": _isobmff,
}
