"""Texts that stand for media which are not there any more.

What a session says of a medium's type is anybody's text: nothing of it gets into a placeholder but a well-formed media type.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sessionkit.compaction.base import Compat, Marker
from sessionkit.core.model import MediaKind

if TYPE_CHECKING:
    from sessionkit.core.model import Media

RESULT_CLEARED = "[Old tool result content cleared]"
"""Stands for all that a call gave back."""

_UNKNOWN_TYPE = "application/octet-stream"
_PART = r"[a-z0-9][a-z0-9!#$&^_.+-]{0,63}"
_is_media_type = re.compile(rf"{_PART}/{_PART}", re.ASCII | re.IGNORECASE).fullmatch
_is_media_cleared = re.compile(r"\[Old inline media cleared: [^\]\r\n\t]*\]").fullmatch

_UPSTREAM_UNITS = 128
_to_space = re.compile(r"[\r\n\t]+").sub
_JAVASCRIPT_SPACE = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))


def placeholder(media: Media, marker: Marker, compat: Compat = Compat.NO) -> str:
    """Write what stands for a medium; nothing at all for `Marker.NONE`."""
    if compat is Compat.UPSTREAM:
        return _upstream(media.media_type, marker)
    return _write(kind_of(media), clean_type(media.media_type) or _UNKNOWN_TYPE, marker)


def type_placeholder(declared: str) -> str:
    """Write what stands for base64 in a text, of which only the type is known that the text declares."""
    media_type = clean_type(declared) or _UNKNOWN_TYPE
    return _write(_kind_of_type(media_type), media_type, Marker.MIME)


def kind_of(media: Media) -> MediaKind:
    """Tell an image from a document by the declared type if that makes sense, else by the block."""
    media_type = clean_type(media.media_type)
    return _kind_of_type(media_type) if media_type else media.kind


def clean_type(declared: str | None) -> str:
    """Return the media type without its parameters, in lower case; empty for what is none."""
    media_type = (declared or "").partition(";")[0].strip()
    return media_type.lower() if _is_media_type(media_type) else ""


def is_cleared(text: str) -> bool:
    """Whether a text is what microcompact leaves behind. People can write such a text too."""
    return text == RESULT_CLEARED or _is_media_cleared(text) is not None


def _write(kind: MediaKind, media_type: str, marker: Marker) -> str:
    """Write a placeholder in one of the styles."""
    match marker:
        case Marker.NONE:
            return ""
        case Marker.SHORT:
            return f"[{kind}]"
        case Marker.MIME:
            return f"[{kind}: {media_type}]"
        case Marker.CLEARED:
            return f"[Old inline media cleared: {media_type}]"


def _kind_of_type(media_type: str) -> MediaKind:
    return MediaKind.IMAGE if media_type.startswith("image/") else MediaKind.DOCUMENT


def _upstream(declared: str | None, marker: Marker) -> str:
    """Write it as qwen-code does: white space and brackets are all that it takes out."""
    raw = _UNKNOWN_TYPE if declared is None else declared
    text = _to_space(" ", raw).translate({ord("["): None, ord("]"): None}).strip(_JAVASCRIPT_SPACE)
    units = text.encode("utf-16-le", "surrogatepass")[: 2 * _UPSTREAM_UNITS]
    return _write(_kind_of_type(raw), units.decode("utf-16-le", "surrogatepass"), marker)
