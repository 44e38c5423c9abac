"""Which objects and strings of an entry hold a medium, or should: told by their shape, whatever agent wrote them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.content import string
from sessionkit.core.dialects.media import MEDIA_TYPE_NAMES, NOTHING, declared_media_type, read_media, read_source
from sessionkit.core.media.finder import split_data_url
from sessionkit.core.media.triage import LONG
from sessionkit.core.model import NOWHERE, Media, MediaKind, Uri
from sessionkit.core.slices import Slice
from sessionkit.core.sniff import SVG, Family, sniff_base64
from sessionkit.dataclass import dataclass, replace
from sessionkit.faults.exhibits import Flaw, Form

if TYPE_CHECKING:
    from sessionkit.core.entries import JsonObject

_NO_PICTURES = ("audio/", "video/", "text/")
_DATA = ("data", "base64", "image_data", "image", "image_url", "url", "file_data")
"""Names under which a block of its own holds base64 or a data URL, the likeliest first."""
_ELSEWHERE = frozenset({"file", "image_urls"})
"""Members of an image block that hold what it shows deeper down."""
_BARE = frozenset({"data", "image_data", "base64"})
_SIGNS = frozenset({*_DATA, "source", "inlineData", "inline_data", "imageUrl", "file", "images", "asset_path", "assetPath"})
_TYPES = frozenset(
    {
        *(
            "image",
            "document",
            "media",
            "file",
            "image-data",
            "file-data",
            "input_image",
            "inputImage",
            "input_file",
            "image_url",
            "imageUrl",
        ),
        *("computer_screenshot", "image_generation_call", "image_generation_end"),
    }
)
"""A member of one of these names, or a `type` that is one of these, is in every object that holds a medium."""
_HEAD = 96
_LIST = "images"
"""Of a list with this name short strings are looked at too."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A block that holds a medium; `value` and `label` are the steps down to its data and its declared type."""

    form: Form
    media: Media
    value: tuple[str, ...] | None
    label: tuple[str, ...] | None = None
    prefix: str = ""
    flaw: Flaw = Flaw.NONE


def may_hold(entry: JsonObject) -> bool:
    """Dismiss an entry that is nothing but words, as most are, in a fraction of the time that it takes to search it."""
    todo: list[object] = [entry]
    while todo:
        match todo.pop():
            case dict() as block:
                if not _SIGNS.isdisjoint(block) or string(block.get("type")) in _TYPES:
                    return True
                todo += block.values()
            case list() as items:
                todo += items
            case str() as text:
                if text[:5].lower() == "data:" or (len(text) >= LONG and " " not in text[:_HEAD]):
                    return True
            case Slice():
                return True
    return False


def holder_of(block: JsonObject, name: str) -> Holder | None:
    """Recognise an object that is a medium; `name` is the one that it stands under, or that of the list around it."""
    match block:
        case {"type": "image" | "document", "source": dict(source)}:
            held = _of_source(block, source)
        case {"type": "input_image" | "computer_screenshot" | "inputImage" as type_}:
            held = _of_address(block, "imageUrl" if type_ == "inputImage" else "image_url")
        case {"type": "image_url" | "imageUrl"}:
            held = _of_nested_address(block)
        case {"inlineData": inner}:
            held = _of_part("inlineData", inner)
        case {"inline_data": inner}:
            held = _of_part("inline_data", inner)
        case {"type": "image_generation_call" | "image_generation_end"} if _has(block, "result"):
            held = replace(_member(block, "result", Form.RESULT), label=None)
        case {"type": "input_file"} if _has(block, "file_data"):
            held = _member(block, "file_data", Form.DATA)
        case {"file": dict(file)} if _has(file, "file_data"):
            held = _below(("file",), _member(file, "file_data", Form.DATA))
        case {"format": str(), "source": dict(source)} if _has(source, "bytes"):
            held = _below(("source",), _member(source, "bytes", Form.DATA))
        case _:
            held = _of_data(block, name)
    return held


def string_holder(value: object, name: str) -> Holder | None:
    """Recognise a string that is a medium as a whole, or a reference in the place of one; `name` as for an object."""
    match value:
        case Slice() | {"asset_path": str(), "asset_field": None}:
            pass
        case str() if _is_medium(value, name):
            pass
        case _:
            return None
    found = read_source(value)
    is_document = found.media_type is not None and not found.media_type.lower().startswith("image/")
    kind = MediaKind.DOCUMENT if is_document else MediaKind.IMAGE
    return Holder(Form.ITEM, Media(kind, found.source, found.media_type, found.size), (), prefix=_prefix(value))


def _of_source(block: JsonObject, source: JsonObject) -> Holder | None:
    kind = MediaKind(string(block["type"]))
    match source.get("type"):
        case "text" | "content" if kind is MediaKind.DOCUMENT:
            return None
        case "url" | "file":
            address = string(source.get("url")) or string(source.get("file_id"))
            return Holder(Form.SOURCE, Media(kind, Uri(address), carried={"source": None}), None)
        case "base64" | None:
            flaw = Flaw.NONE
        case _:
            flaw = Flaw.UNKNOWN_SOURCE
    held = _below(("source",), _member(source, "data", Form.SOURCE))
    if held.flaw is Flaw.NONE and held.label is None and "asset_path" not in source:
        held = replace(held, flaw=Flaw.NO_TYPE)
    return replace(held, media=replace(held.media, kind=kind), flaw=flaw or held.flaw)


def _of_address(block: JsonObject, name: str) -> Holder:
    if block.get("file_id") and not block.get(name):
        return Holder(Form.URL, Media(MediaKind.IMAGE, Uri(string(block["file_id"])), carried={"file_id": None}), None)
    held = _member(block, name, Form.URL)
    return replace(held, media=replace(held.media, kind=MediaKind.IMAGE), label=None)


def _of_nested_address(block: JsonObject) -> Holder:
    name = "image_url" if "image_url" in block else "imageUrl"
    match block.get(name):
        case dict() as inner:
            held = _below((name,), _member(inner, "url", Form.NESTED_URL))
        case _:
            held = _member(block, name, Form.URL)
    return replace(held, media=replace(held.media, kind=MediaKind.IMAGE), label=None)


def _of_part(name: str, inner: object) -> Holder:
    if isinstance(inner, dict):
        return _below((name,), _member(inner, "data", Form.PART))
    return Holder(Form.PART, _nothing(), None, flaw=Flaw.NO_DATA)


def _of_data(block: JsonObject, name: str) -> Holder | None:
    """Recognise a block that holds its data itself: those of Pi, MCP and several SDKs, and what Claude Code keeps for its screen."""
    type_ = string(block.get("type"))
    if _has(block, "base64") and (name == "file" or "originalSize" in block):
        held = _member(block, "base64", Form.FILE)
        label = ("type",) if isinstance(block.get("type"), str) else None
        return replace(held, label=label, media=replace(held.media, media_type=string(block.get("type")) or None))
    if type_ != "image" and not (type_ in {"media", "file", "document", "image-data", "file-data"} or name == "image" or _declares(block)):
        return None
    found = next((member for member in _DATA if _has(block, member)), None)
    if found is not None and (type_ == "image" or _is_payload(block, found)):
        held = _of_kind(type_, _member(block, found, Form.DATA))
        lacks_type = found == "data" and not (held.label or held.prefix or held.flaw)
        return replace(held, flaw=Flaw.NO_TYPE) if lacks_type else held
    if type_ == "image" and "asset_path" in block:
        return _of_kind(type_, _member(block, "data", Form.DATA))
    return _broken(block, name) if type_ == "image" else None


def _of_kind(type_: str, held: Holder) -> Holder:
    """Take what calls itself an image for one, whatever its label says."""
    return replace(held, media=replace(held.media, kind=MediaKind.IMAGE)) if type_ == "image" else held


def _has(block: JsonObject, name: str) -> bool:
    """Whether a member is there, or a reference in its place."""
    return name in block or block.get("asset_field") == name


def _declares(block: JsonObject) -> bool:
    return (declared_media_type(block) or "").lower().startswith(("image/", "application/pdf"))


def _is_payload(block: JsonObject, name: str) -> bool:
    """Whether a member of a block that need not be a medium holds one all the same."""
    return name not in block or string_holder(block[name], name) is not None or (name in _BARE and _declares(block))


def _broken(block: JsonObject, name: str) -> Holder | None:
    """Recognise an image block of a content that holds nothing at all."""
    if name not in {"content", "prompt", "parts", "toolUseResult"} or not _ELSEWHERE.isdisjoint(block):
        return None
    flaw = Flaw.NO_DATA if _label(block) else Flaw.NO_SOURCE
    return Holder(Form.DATA if _label(block) else Form.SOURCE, _nothing(), None, flaw=flaw)


def _member(holder: JsonObject, name: str, form: Form) -> Holder:
    """Read the member that should be base64 or a data URL, or the reference in its place."""
    media = read_media(holder, name, NOWHERE)
    value = holder.get(name)
    label = _label(holder)
    if value is None and "asset_path" not in holder and "assetPath" not in holder:
        where = (name,) if name in holder else None
        return Holder(form, media, where, label, flaw=Flaw.NO_DATA)
    if value is None:
        reference = "asset_path" if "asset_path" in holder else "assetPath"
        return Holder(form, media, (reference,), label, string(holder.get("asset_prefix")))
    flaw = Flaw.NONE if isinstance(value, str | Slice) or _is_reference(value) else Flaw.NOT_TEXT
    return Holder(form, media, (name,), label, _prefix(value), flaw)


def _is_reference(value: object) -> bool:
    return isinstance(value, dict) and "asset_path" in value


def _label(holder: JsonObject) -> tuple[str, ...] | None:
    return next(((name,) for name in MEDIA_TYPE_NAMES if isinstance(holder.get(name), str)), None)


def _prefix(value: object) -> str:
    match value:
        case Slice(prefix=prefix):
            return prefix
        case str():
            return split_data_url(value)[0]
        case {"asset_prefix": str(prefix)}:
            return prefix
        case _:
            return ""


def _below(steps: tuple[str, ...], held: Holder) -> Holder:
    value = None if held.value is None else (*steps, *held.value)
    return replace(held, value=value, label=None if held.label is None else (*steps, *held.label))


def _nothing() -> Media:
    return Media(MediaKind.IMAGE, NOTHING.source)


def _is_medium(text: str, name: str) -> bool:
    """Whether a string is an image or document from end to end: a data URL of one, or base64 that begins like one."""
    prefix = split_data_url(text)[0]
    if prefix:
        return not prefix[len("data:") :].lower().startswith(_NO_PICTURES)
    if not text[:_HEAD].isascii() or (len(text) < LONG and name != _LIST):
        return False
    media = sniff_base64(text[:_HEAD].encode())
    return media is not SVG and media.family in {Family.IMAGE, Family.DOCUMENT}
