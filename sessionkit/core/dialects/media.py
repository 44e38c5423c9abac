"""Whatever stands where media should stand: one place that reads it, for all dialects.

A session holds a medium as base64 in a string, bare or behind a data-URL prefix; as a `Slice`, which is such a string left in its
file; as an asset reference, in the place of the member or of the string; as an address that others resolve; or as nothing that makes
sense. An inline session and its spilled twin give equal media, but for the source, and for the size in pixels, which a reference
states and base64 does not.

A dialect calls `read_media(block, "data", origin)` and replaces what it knows better:

    replace(read_media(part["inlineData"], "data", origin), name=…, carried=…)

`read_source` is for a value that is not a member of an object, such as a string of a list.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sessionkit.core.assets import AssetName
from sessionkit.core.media.finder import split_data_url
from sessionkit.core.model import Inline, Media, MediaKind, Stored, Uri
from sessionkit.core.pixels import Size
from sessionkit.core.slices import Slice
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import MediaSource, Origin

MEDIA_TYPE_NAMES = ("mimeType", "mime_type", "mediaType", "media_type", "mime")
"""Under which a medium's type is declared beside its data, in the order in which they count."""

_is_address = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:").match
"""A colon stands in no base64: so this is http, file, blob, asset, attachment …, or a data URL of plain text."""


@dataclass(frozen=True, slots=True)
class Found:
    """A source, with the media type of its data-URL prefix and the pixels that its reference states; None where there are none."""

    source: MediaSource
    media_type: str | None = None
    size: Size | None = None


NOTHING = Found(Inline(""))
"""Null, a number, a missing member: the block is media, but nobody can show it."""


def read_media(holder: JsonObject, name: str, origin: Origin) -> Media:
    """Read the medium that stands, or stood before it was spilled, under `name` of an object; never fails.

    The media type is what the data URL says, else what stands beside it under one of the five usual names.
    """
    value = holder.get(name)
    found = read_source(value) if value else _referenced(holder, name)  # agents that write both send the value
    media_type = found.media_type or declared_media_type(holder)
    return Media(kind_of(media_type), found.source, media_type, found.size or _size(holder), origin=origin)


def read_source(value: object) -> Found:
    """Read a value that should be media: base64, a data URL, a slice, a reference in the place of a whole string, an address."""
    match value:
        case Slice():
            return Found(value, _type_of_prefix(value.prefix))
        case str():
            return _read_text(value)
        case dict():
            return _referenced(value, None)
        case _:
            return NOTHING


def declared_media_type(holder: JsonObject) -> str | None:
    """Return what stands under mimeType, mime_type, mediaType, media_type or mime, as it was written; None if nothing does."""
    declared = (holder.get(name) for name in MEDIA_TYPE_NAMES)
    return next((value for value in declared if isinstance(value, str) and value), None)


def kind_of(media_type: str | None) -> MediaKind:
    """Tell an image from a document by its declared type; what declares nothing passes for an image, as nearly all media are."""
    return MediaKind.IMAGE if media_type is None or media_type.lower().startswith("image/") else MediaKind.DOCUMENT


def _referenced(holder: JsonObject, field: str | None) -> Found:
    """Read the reference that an object holds, if it stands for that field; an agent's own names none."""
    match holder:
        case {"asset_path": str(path), "asset_field": str() | None as stated}:
            return _stored(path, holder) if stated == field else NOTHING
        case {"asset_path": str(path)} | {"assetPath": str(path)} if "asset_field" not in holder and field is not None:
            return _stored(path, holder)
        case _:
            return NOTHING


def _read_text(text: str) -> Found:
    prefix, payload = split_data_url(text)
    if not prefix and _is_address(text):
        return Found(Uri(text))
    return Found(Inline(payload), _type_of_prefix(prefix))


def _stored(path: str, holder: JsonObject) -> Found:
    """Read a reference; a path that no asset can have is an address that is not ours."""
    prefix = holder.get("asset_prefix")
    media_type = _type_of_prefix(prefix) if isinstance(prefix, str) else None
    try:
        asset = AssetName.parse(path)
    except ValueError:
        return Found(Uri(path), media_type)
    return Found(Stored(asset), media_type, _size(holder))


def _type_of_prefix(prefix: str) -> str | None:
    """Media type of `data:<type>[;<parameter>…];base64,`; None where there is none."""
    return prefix.removesuffix(",")[len("data:") :].split(";", 1)[0] or None


def _size(holder: JsonObject) -> Size | None:
    match holder:
        case {"width": int(width), "height": int(height)} if width > 0 and height > 0:
            return Size(width, height)
        case _:
            return None
