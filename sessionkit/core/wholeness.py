"""Whether a file is whole, told by its structure alone: nothing is decoded, and bytes behind the end are allowed."""

from __future__ import annotations

import re
import struct
import zlib
from itertools import islice
from typing import TYPE_CHECKING

from sessionkit.core.pixels import jpeg_segments
from sessionkit.core.sniff import is_animated_png

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sessionkit.core.sniff import MediaType

_PNG_CHUNKS_AT = 8
_CHUNK_HEADER = struct.Struct(">I4s")
_CHECKSUM = 4
"""Bytes of it, and of the size before the kind."""
_PNG_KINDS = frozenset({b"IHDR", b"PLTE", b"IDAT", b"IEND"})
_PNG_ANCILLARY = 0x20
_PNG_COLOURS_AT, _PNG_INDEXED = 25, 3

_JPEG_SCAN = 0xDA
_JPEG_END = b"\xff\xd9"

_GIF_SCREEN_AT = 6
_GIF_SCREEN = struct.Struct("<4xB2x")
_GIF_FRAME = struct.Struct("<8xB")
_GIF_BLOCK = re.compile(rb"[!,;]")
_GIF_EXTENSION, _GIF_IMAGE, _GIF_TRAILER = b"!,;"
_HAS_COLOURS, _COLOUR_BITS = 0x80, 0x07

_RIFF_HEADER = struct.Struct("<4xI")
_WEBP_ANIMATION = 0x02

_PDF_TAIL = 1024
"""Bytes at the end in which readers look for the marker."""


def missing_end(data: bytes, media: MediaType) -> str:
    """Say what the bytes of this type lack at their end, such as `no IEND chunk`; empty if they are whole, or of a type without an end.

    Damage inside is not seen.
    """
    check = _CHECKS.get(media.ext)
    try:
        return check(data) if check else ""
    except struct.error:  # a header ends before its fields do
        return "it ends in a header"


def png_damage(data: bytes) -> str:
    """Say what in a PNG that has an end forbids to show it, though decoders may: what must be understood is unknown, or not as written."""
    seen: set[bytes] = set()
    for kind, body in _png_chunks(data):
        if kind[0] & _PNG_ANCILLARY:
            continue
        if kind not in _PNG_KINDS:
            return f"its chunk {kind.decode('ascii', 'backslashreplace')} is unknown, and needed to show it"
        if kind == b"IDAT" and b"PLTE" not in seen and data[_PNG_COLOURS_AT] == _PNG_INDEXED:
            return "it has no palette"
        if zlib.crc32(body[:-_CHECKSUM]) != int.from_bytes(body[-_CHECKSUM:], "big"):
            return f"the checksum of its chunk {kind.decode()} is wrong"
        seen.add(kind)
    return ""


def is_animated(data: bytes, media: MediaType) -> bool:
    """Whether a PNG, GIF or WebP has more than one frame, as far as its structure can be read."""
    match media.ext:
        case "png":
            return is_animated_png(data)
        case "gif":
            return _is_animated_gif(data)
        case "webp":
            return data[12:16] == b"VP8X" and any(flags & _WEBP_ANIMATION for flags in data[20:21])
        case _:
            return False


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, memoryview]]:
    """Yield the kind of each chunk up to the end, and what its checksum is of, with the checksum."""
    position, kind = _PNG_CHUNKS_AT, b""
    while kind != b"IEND":
        size, kind = _CHUNK_HEADER.unpack_from(data, position)
        stop = position + _CHUNK_HEADER.size + size + _CHECKSUM
        yield kind, memoryview(data)[position + _CHECKSUM : stop]
        position = stop


def _png(data: bytes) -> str:
    position = _PNG_CHUNKS_AT
    while position < len(data):
        size, kind = _CHUNK_HEADER.unpack_from(data, position)
        position += _CHUNK_HEADER.size + size + _CHECKSUM
        if kind == b"IEND" and position <= len(data):
            return ""
    return "no IEND chunk"


def _jpeg(data: bytes) -> str:
    """Look for the end only behind the start of a scan: a thumbnail in the header has an end too. Inside a scan none can stand."""
    scan = next((body for marker, body in jpeg_segments(data) if marker == _JPEG_SCAN), None)
    if scan is None:
        return "no scan"
    return "" if data.rfind(_JPEG_END, scan) >= 0 else "no end of image"


def _gif(data: bytes) -> str:
    return "" if _GIF_TRAILER in _gif_blocks(data) else "no trailer"


def _is_animated_gif(data: bytes) -> bool:
    frames = (kind for kind in _gif_blocks(data) if kind == _GIF_IMAGE)
    try:
        return len(list(islice(frames, 2))) > 1
    except struct.error:  # cut off before the second
        return False


def _gif_blocks(data: bytes) -> Iterator[int]:
    """Yield what begins each block that is whole, up to the trailer; junk between blocks is skipped, as decoders do."""
    position = _behind_colours(data, _GIF_SCREEN, _GIF_SCREEN_AT)
    while found := _GIF_BLOCK.search(data, position):
        kind, position = found[0][0], found.end()
        if kind == _GIF_IMAGE:
            position = _behind_colours(data, _GIF_FRAME, position)
        if kind != _GIF_TRAILER:
            position = _behind_sub_blocks(data, position + 1)  # behind the label of an extension, or the size of a frame's codes
        if position > len(data):
            return
        yield kind
        if kind == _GIF_TRAILER:
            return


def _behind_colours(data: bytes, header: struct.Struct, position: int) -> int:
    """Skip a header whose last field tells how long the colour table behind it is."""
    (flags,) = header.unpack_from(data, position)
    return position + header.size + (3 * 2 << (flags & _COLOUR_BITS) if flags & _HAS_COLOURS else 0)


def _behind_sub_blocks(data: bytes, position: int) -> int:
    """Skip pieces of up to 255 bytes, each behind its size, and the size 0 at their end; beyond the data when they are cut off."""
    while size := data[position] if position < len(data) else 0:
        position += 1 + size
    return position + 1


def _webp(data: bytes) -> str:
    (size,) = _RIFF_HEADER.unpack_from(data)
    missing = _RIFF_HEADER.size + size - len(data)
    return f"{missing:,} {'byte is' if missing == 1 else 'bytes are'} missing" if missing > 0 else ""


def _pdf(data: bytes) -> str:
    return "" if b"%%EOF" in data.rstrip(b"\0\r\n\t ")[-_PDF_TAIL:] else "no %%EOF"


_CHECKS: dict[str, Callable[[bytes], str]] = {
    "png": _png,
    "jpg": _jpeg,
    "gif": _gif,
    "webp": _webp,
    "pdf": _pdf,
}
