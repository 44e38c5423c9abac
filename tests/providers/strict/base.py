"""What a vendor's refusal is, and what the fake vendors know of media: asked of Pillow, not of the project that they are held against."""

from __future__ import annotations

import base64
import binascii
import io
import json
import re
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Iterator

Loaded: TypeAlias = dict[str, Any]
"""An object, as JSON gave it."""

SHORT_ID = re.compile(r"[a-zA-Z0-9_-]+")
REFERENCE_KEYS = ("asset_path", "asset_prefix", "asset_field")
PDF = "application/pdf"

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "AVIF")
_HEIC = re.compile(rb".{4}ftyp(?:hei[cmsx]|hev[cmsx]|mif1|msf1)", re.DOTALL)
_FREE_FORM = ("input", "args", "response", "input_schema", "parameters", "parametersJsonSchema")
"""Members below which every name is the user's own."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a vendor answers instead of an answer: an HTTP status, and the JSON under it."""

    status: int
    envelope: Loaded

    @property
    def message(self) -> str:
        return str(self.envelope["error"]["message"])

    @property
    def param(self) -> str | None:
        """The place that OpenAI names."""
        found = self.envelope["error"].get("param")
        return None if found is None else str(found)


@dataclass(frozen=True, slots=True)
class Picture:
    """An image as Pillow decodes it; a HEIC, which it does not, has no size."""

    mime: str
    width: int = 0
    height: int = 0
    frames: int = 1


@lru_cache(maxsize=256)
def picture(data: bytes) -> Picture | None:
    """Decode every pixel of the first frame; None for what is no picture, or a broken one."""
    if _HEIC.match(data):
        return Picture("image/heic")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                kind = "JPEG" if image.format == "MPO" else str(image.format)
                facts = Picture(Image.MIME[kind], *image.size, getattr(image, "n_frames", 1))
                image.load()
        except Exception:  # noqa: BLE001 - on hostile bytes Pillow raises almost anything
            return None
    return facts


def decode(text: str) -> bytes | None:
    """The bytes of canonical base64: standard alphabet, padded, nothing beside it; None for any other text."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode() == text else None


def wire(body: Loaded) -> bytes | None:
    """The body as a client sends it; None if a lone surrogate makes that impossible."""
    try:
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return None


def is_blank(text: object) -> bool:
    return not str(text).strip()


def strays(value: object, steps: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Ways to the members of asset references, which no vendor knows."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        if key in REFERENCE_KEYS:
            yield (*steps, key)
        elif key not in _FREE_FORM or isinstance(inner, list):
            yield from strays(inner, (*steps, key))
