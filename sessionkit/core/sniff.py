"""What bytes are, told by their content; names and declared types never count."""

from __future__ import annotations

import re
import struct
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from sessionkit.core.base64 import decode_prefix
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Buffer


class Family(StrEnum):
    """What kind of thing a media type is; only pictures and documents are looked for in sessions."""

    IMAGE = "image"
    DOCUMENT = "document"
    AUDIO = "audio"
    VIDEO = "video"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class MediaType:
    """A kind of content: the extension its assets get, its registered name, its family."""

    ext: str
    mime: str
    family: Family


PNG = MediaType("png", "image/png", Family.IMAGE)
JPEG = MediaType("jpg", "image/jpeg", Family.IMAGE)
GIF = MediaType("gif", "image/gif", Family.IMAGE)
WEBP = MediaType("webp", "image/webp", Family.IMAGE)
BMP = MediaType("bmp", "image/bmp", Family.IMAGE)
TIFF = MediaType("tiff", "image/tiff", Family.IMAGE)
AVIF = MediaType("avif", "image/avif", Family.IMAGE)
HEIC = MediaType("heic", "image/heic", Family.IMAGE)
SVG = MediaType("svg", "image/svg+xml", Family.IMAGE)
PDF = MediaType("pdf", "application/pdf", Family.DOCUMENT)
BIN = MediaType("bin", "application/octet-stream", Family.UNKNOWN)

WAV = MediaType("bin", "audio/wav", Family.AUDIO)
MP3 = MediaType("bin", "audio/mpeg", Family.AUDIO)
OGG = MediaType("bin", "audio/ogg", Family.AUDIO)
FLAC = MediaType("bin", "audio/flac", Family.AUDIO)
AAC = MediaType("bin", "audio/aac", Family.AUDIO)
M4A = MediaType("bin", "audio/mp4", Family.AUDIO)
AIFF = MediaType("bin", "audio/aiff", Family.AUDIO)
MP4 = MediaType("bin", "video/mp4", Family.VIDEO)
QUICKTIME = MediaType("bin", "video/quicktime", Family.VIDEO)
WEBM = MediaType("bin", "video/webm", Family.VIDEO)
MATROSKA = MediaType("bin", "video/x-matroska", Family.VIDEO)
AVI = MediaType("bin", "video/x-msvideo", Family.VIDEO)

KNOWN_EXTENSIONS = frozenset(media.ext for media in (PNG, JPEG, GIF, WEBP, BMP, TIFF, AVIF, HEIC, SVG, PDF, BIN))

HEAD_SIZE = 3 * 1024
"""Bytes that are looked at; a multiple of 3, so that the head of a base64 text decodes to the head of its bytes."""

# The first pattern that matches at the start decides. Patterns hold no capturing groups of their own.
_RULES: tuple[tuple[bytes, MediaType], ...] = (
    (rb"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", PNG),
    (rb"\xff\xd8\xff(?!\xf7)", JPEG),  # FF D8 FF F7 is JPEG-LS, which nobody shows
    (rb"GIF", GIF),
    (rb"RIFF.{4}WEBP", WEBP),
    (rb"BM", BMP),  # and _is_bmp
    (rb"II\*\0|MM\0\*", TIFF),
    (rb"%PDF-", PDF),
    (rb".{4}ftyp(?:avi[fs]|(?:mif1|msf1|miaf).{4}(?:.{4}){0,8}?avi[fs])", AVIF),  # generic brands name the codec further on
    (rb".{4}ftyp(?:hei[cmsx]|hev[cmsx]|mif1|msf1|miaf)", HEIC),
    (rb".{4}ftypM4[ABP] ", M4A),
    (rb".{4}ftypqt  ", QUICKTIME),
    (rb".{4}ftyp(?:iso[m2-9]|mp4[12]|mp71|mmp4|avc1|dash|M4V|MSNV|f4v|3g[2p])", MP4),
    (rb"RIFF.{4}WAVE", WAV),
    (rb"RIFF.{4}AVI ", AVI),
    (rb"FORM.{4}AIF[CF]", AIFF),
    (rb"OggS", OGG),
    (rb"fLaC", FLAC),
    (rb"ID3[\x02-\x04]|\xff[\xe2\xe3\xf2\xf3\xfa\xfb][\x10-\xef]", MP3),  # a tag, or a frame of layer III with a bit rate
    (rb"\xff[\xf0\xf1\xf8\xf9]", AAC),
    (rb"\x1a\x45\xdf\xa3.{0,64}?webm", WEBM),
    (rb"\x1a\x45\xdf\xa3", MATROSKA),
    # Before the root element: declaration, comments, document type. Possessive, so that hostile heads cannot make it backtrack.
    (rb"(?:\xef\xbb\xbf)?(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>)*+<(?:svg:)?svg[\s/>]", SVG),
)
_MAGIC = b"(?s)" + b"|".join(b"(%b)" % pattern for pattern, _ in _RULES)
"""Compiled when it is used, and kept by the library: where there are no media that is a fiftieth of a run."""

_BMP_HEADER = struct.Struct("<2xI4xII")
_BMP_CORE_HEADER_SIZE = 12
_BMP_HEADER_SIZES = frozenset((_BMP_CORE_HEADER_SIZE, 16, 40, 52, 56, 64, 108, 124))
_BMP_MIN_SIZE = 26

_CHUNK_HEADER = struct.Struct(">I4s")
_MAX_CHUNKS = 1000


def sniff(data: Buffer) -> MediaType:
    """Tell the type from the first bytes, however few; BIN when they are nothing known.

    The type says which branch to take, not that the content decodes: an animated PNG is a PNG.
    """
    head = memoryview(data)[:HEAD_SIZE]
    match = re.match(_MAGIC, head)
    if match is None or match.lastindex is None:
        return BIN
    media = _RULES[match.lastindex - 1][1]
    return BIN if media is BMP and not _is_bmp(head) else media


def sniff_base64(text: Buffer) -> MediaType:
    """`sniff` the bytes that a base64 text stands for, decoding only its head; BIN when it is not base64."""
    return sniff(decode_prefix(text, HEAD_SIZE))


def is_animated_png(data: Buffer) -> bool:
    """Tell whether a PNG announces its frames (acTL) before its first pixels (IDAT), as an APNG must."""
    for kind in islice(_chunk_kinds(memoryview(data)), _MAX_CHUNKS):
        if kind in (b"acTL", b"IDAT"):
            return kind == b"acTL"
    return False


def _is_bmp(head: memoryview) -> bool:
    if len(head) < _BMP_MIN_SIZE:
        return False
    file_size, pixels_at, header_size = _BMP_HEADER.unpack_from(head)
    planes_at = 22 if header_size == _BMP_CORE_HEADER_SIZE else 26
    return (
        header_size in _BMP_HEADER_SIZES
        and bytes(head[planes_at : planes_at + 2]) == b"\x01\x00"
        and pixels_at >= 14 + header_size
        and (file_size == 0 or file_size > pixels_at)  # some writers leave the size out
    )


def _chunk_kinds(png: memoryview) -> Iterator[bytes]:
    position = 8
    while position + _CHUNK_HEADER.size <= len(png):
        size, kind = _CHUNK_HEADER.unpack_from(png, position)
        yield kind
        position += size + 12
