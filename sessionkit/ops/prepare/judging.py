"""What is no image that a session can take, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.images import DECODABLE, NO_SCALE, TOO_MANY_PIXELS, decode_fault
from sessionkit.core.jsonl import loads
from sessionkit.core.kinds import is_html, short_name
from sessionkit.core.sniff import BIN, PNG, SVG, Family, is_animated_png, sniff
from sessionkit.core.wholeness import missing_end, png_damage
from sessionkit.errors import NotAnImageError

if TYPE_CHECKING:
    from sessionkit.core.sniff import MediaType

_HEAD: Final = 8192
"""Bytes in which a NUL tells a binary file from a text."""
_JPEG_LS: Final = b"\xff\xd8\xff\xf7"
_SMALL: Final = 1 << 16
"""Bytes up to which it is tried whether a text is JSON."""

_IMAGE_HINT: Final = "convert it to PNG or JPEG first"
_BROKEN_HINT: Final = "take it from where it came from once more"
_HINTS: Final = {TOO_MANY_PIXELS: "make it smaller with another program", NO_SCALE: "save it with 8 bits a channel first"}


def require_image(data: bytes, name: str) -> MediaType:
    """Tell the type of an image that seems whole, by its content. Raises NotAnImageError, which says what it is instead."""
    media = sniff(data)
    if not data:
        raise NotAnImageError(f"{name} is empty", hint=_BROKEN_HINT)
    if data.startswith(_JPEG_LS):
        raise NotAnImageError(f"{name} is a JPEG-LS image, which no model takes", hint=_IMAGE_HINT)
    if media.family is not Family.IMAGE or media is SVG:
        raise _no_image(data, media, name)
    if media not in DECODABLE:
        raise NotAnImageError(f"{name} is {short_name(media)}, which cannot be decoded here", hint=_IMAGE_HINT)
    if media is PNG and is_animated_png(data):
        raise NotAnImageError(f"{name} is an animated PNG, which no model takes", hint="save one of its frames, or all as a GIF")
    if missing := missing_end(data, media):
        raise broken(name, media, f"cut off: {missing}")
    if media is PNG and (damage := png_damage(data)):
        raise broken(name, media, damage)
    return media


def require_decodable(data: bytes, media: MediaType, name: str) -> None:
    """Decode every pixel. Raises NotAnImageError."""
    if fault := decode_fault(data):
        raise broken(name, media, fault)


def broken(name: str, media: MediaType, why: str) -> NotAnImageError:
    """Say that an image cannot be shown."""
    return NotAnImageError(f"{name} is no {short_name(media)} that can be shown", why=why, hint=_HINTS.get(why, _BROKEN_HINT))


def _no_image(data: bytes, media: MediaType, name: str) -> NotAnImageError:
    known = "" if media is BIN else f"its content is {short_name(media)}"
    if b"\0" in data[:_HEAD]:
        return NotAnImageError(f"{name} looks like a binary file", why=known, hint="name an image")
    hint = "render it as PNG first" if media is SVG else "read it as a text, or name an image"
    return NotAnImageError(f"{name} is a text, not an image", why=known or _kind_of_text(data), hint=hint)


def _kind_of_text(data: bytes) -> str:
    if is_html(data[:_HEAD]):
        return "its content is HTML"
    return "its content is JSON" if data.lstrip()[:1] in (b"{", b"[") and _is_json(data) else ""


def _is_json(data: bytes) -> bool:
    try:
        loads(data[:_SMALL])
    except ValueError:
        return False
    return True
