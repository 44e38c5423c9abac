"""Media inside JSON whose form nobody states: what a tool gave back, and blocks of unknown types."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import starmap
from typing import TYPE_CHECKING, TypeAlias, cast

from sessionkit.core.dialects.content import below, string
from sessionkit.core.dialects.media import declared_media_type, kind_of, read_media, read_source
from sessionkit.core.media.finder import split_data_url
from sessionkit.core.media.triage import LONG
from sessionkit.core.model import Json, Media, MediaKind, Unsupported
from sessionkit.core.slices import Slice
from sessionkit.core.sniff import Family, sniff_base64
from sessionkit.dataclass import dataclass, replace

if TYPE_CHECKING:
    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Block, Origin

_RUN = frozenset({"asset_path", "width", "height", "asset_prefix", "asset_field"})
_MEDIA_TYPES = ("image/", "audio/", "video/", "application/pdf")
_PAYLOADS = ("data", "base64", "image", "image_data", "file_data")
_BEDROCK_IMAGES = frozenset({"png", "jpeg", "gif", "webp"})
_HEAD = 96

_Put: TypeAlias = Callable[[Json], None]


@dataclass(frozen=True, slots=True)
class Parted:
    """A JSON value with null in the place of each medium, and the media in their order."""

    rest: Json
    media: tuple[Media, ...]


def part_media(value: object, origin: Origin) -> Parted:
    """Take the media out of a value, however deep; an inline session and its spilled twin leave the same rest."""
    root: list[Json] = [None]
    media: list[Media] = []
    todo: list[tuple[object, Origin, _Put]] = [(value, origin, partial(root.__setitem__, 0))]
    while todo:
        value, place, put = todo.pop()
        medium = medium_of(value, place)
        if medium is not None:
            media.append(medium)
        elif isinstance(value, dict):
            todo += reversed(list(_members(value, place, put)))
        elif isinstance(value, list):
            todo += reversed(list(_items(value, place, put)))
        else:
            put(cast("Json", value))
    return Parted(root[0], tuple(media))


def medium_of(value: object, origin: Origin) -> Media | None:
    """Return the medium that a value is: a data URL, a slice, a reference to one, or an object that holds one."""
    match value:
        case Slice() | {"asset_path": str(), "asset_field": None}:
            found = read_source(value)
        case str() if _is_media(value):
            found = read_source(value)
        case {"format": str(format_), "source": dict() as source} if _is_payload(unspilled(source).get("bytes")):
            kind = MediaKind.IMAGE if format_.lower() in _BEDROCK_IMAGES else MediaKind.DOCUMENT
            return replace(read_media(source, "bytes", origin), kind=kind)
        case dict() if name := _payload_name(value):
            return read_media(value, name, origin)
        case _:
            return None
    kind = MediaKind.IMAGE if found.media_type is None else kind_of(found.media_type)
    return Media(kind, found.source, found.media_type, found.size, origin=origin)


def unspilled(holder: JsonObject) -> JsonObject:
    """Put a reference that replaced a member under that member's name, as if it had replaced the string alone."""
    field = holder.get("asset_field")
    if not isinstance(field, str) or "asset_path" not in holder:
        return holder
    names = list(holder)
    start, stop = names.index("asset_path"), names.index("asset_field") + 1
    run = names[start:stop]
    if not _RUN.issuperset(run):
        return holder
    reference = {**{name: holder[name] for name in run}, "asset_field": None}
    before, after = names[:start], names[stop:]
    return {**{name: holder[name] for name in before}, field: reference, **{name: holder[name] for name in after}}


def unsupported(block: JsonObject, type_: str, origin: Origin) -> tuple[Block, ...]:
    """Carry a block of an unknown type, and behind it the media in it; these alone, if the block is nothing but a medium."""
    parted = part_media(block, origin)
    unknown = (Unsupported(type_, origin, parted.rest),) if isinstance(parted.rest, dict) else ()
    return (*unknown, *parted.media)


def _members(holder: JsonObject, origin: Origin, put: _Put) -> list[tuple[object, Origin, _Put]]:
    members = unspilled(holder)
    rest: dict[str, Json] = dict.fromkeys(members)
    put(rest)
    return [(value, below(origin, name), partial(rest.__setitem__, name)) for name, value in members.items()]


def _items(items: list[object], origin: Origin, put: _Put) -> list[tuple[object, Origin, _Put]]:
    rest: list[Json] = [None] * len(items)
    put(rest)
    return list(starmap(lambda at, item: (item, below(origin, at), partial(rest.__setitem__, at)), enumerate(items)))


def _is_media(text: str) -> bool:
    """Whether a string is a data URL of base64, or a long one of bare base64 that begins like a picture or a document."""
    prefix, payload = split_data_url(text)
    if prefix:
        return bool(payload)
    return len(text) >= LONG and text[:_HEAD].isascii() and sniff_base64(text[:_HEAD].encode()).family in {Family.IMAGE, Family.DOCUMENT}


def _payload_name(holder: JsonObject) -> str | None:
    """Name the member that holds the payload of an object which is a medium with its type: `inlineData`, or a block of some SDK."""
    type_ = string(holder.get("type"))
    if type_ != "image" and not (declared_media_type(holder) or type_).lower().startswith(_MEDIA_TYPES):
        return None
    members = unspilled(holder)
    return next((name for name in _PAYLOADS if _is_payload(members.get(name))), None)


def _is_payload(value: object) -> bool:
    return isinstance(value, str | Slice) or (isinstance(value, dict) and "asset_path" in value)
