"""The texts in the content of a result: what its block calls text, and any other string that people could read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from sessionkit.core.dialects.embedded import medium_of
from sessionkit.core.model import NOWHERE
from sessionkit.dataclass import dataclass, field
from sessionkit.toolresult.limits import utf8
from sessionkit.toolresult.runs import is_run

if TYPE_CHECKING:
    from sessionkit.core.model import Json

Steps: TypeAlias = "tuple[str | int, ...]"
"""The way into a value."""

_LONG: Final = 200
"""Characters from which a string of any name may be a text; one of several lines always is."""
_WORDS: Final = frozenset({"text", "output", "content", "stdout", "stderr", "value", "result", "error"})
"""Names of texts, however short."""
_PAYLOADS: Final = frozenset({"data", "blob", "base64", "bytes", "file_data", "image_data"})
"""Names of texts only beside a type that says so, or if they look like one."""
_CONTENT: Final = frozenset({"content", "value"})
"""Names of texts, and of lists of blocks."""
_APART: Final = frozenset({"citations", "annotations", "_meta", "cache_control", "providerMetadata", "providerOptions"})
"""What is said of a text, and not by the tool."""
_MEDIA: Final = ("image/", "audio/", "video/", "application/pdf")
_TEXTUAL: Final = frozenset({"text", "input_text", "output_text"})
_READABLE: Final = _TEXTUAL | {"resource", "search_result", "document"}
"""Types of blocks that go when nothing of their text is left."""

_is_silent = re.compile(
    r"(?i:type|role|name|signature|encrypted.*|etag|digest|sha256|cursor)|.*(?:[a-z]Id|[a-z]Ids|[a-z]Ur[il]|[a-z]Type|[a-z]Signature)"
    r"|(?i:(?:.*_)?(?:ids?|ur[il]|type|signature|token|hash|path))"
).fullmatch

_is_code = re.compile(r"[A-Za-z0-9+/=_\r\n-]*").fullmatch


@dataclass(frozen=True, slots=True)
class Spot:
    """A text: the way to its string; and to the blocks around it, outermost first, that can go if nothing of their texts is left.

    Without blocks the string must stay, if only as an empty one.
    """

    steps: Steps
    text: str
    blocks: tuple[Steps, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """The texts of one result, in order; `has_media` if it shows an image, or another medium.

    `other` are the bytes of strings that are no texts, such as signatures.
    """

    texts: tuple[Spot, ...]
    has_media: bool = False
    other: int = 0


def is_block(value: Json) -> bool:
    """Whether a value is a block of a type that holds text, or a medium."""
    match value:
        case {"type": str() as type_, **members} if type_ in _TEXTUAL:
            return isinstance(members.get("text"), str)
        case {"type": str() as type_}:
            return type_ in _READABLE or is_medium(value)
        case {"text": str()}:
            return True
        case _:
            return is_medium(value)


def is_medium(value: Json) -> bool:
    """Whether a value is a medium by itself, whatever it holds."""
    match value:
        case {"type": str() as type_} if "image" in type_.lower():
            return True
        case {"fileData": dict()} | {"file_data": dict()} | {"inlineData": dict()} | {"inline_data": dict()} | {"image_url": _}:
            return True
        case {"blob": str(), "mimeType": str() as media}:
            return media.lower().startswith(_MEDIA)
        case _:
            return medium_of(value, NOWHERE) is not None


def read_content(content: Json, steps: Steps) -> Result:
    """Find the texts and media in the content of a result, or in an object that has it among other members."""
    reading = _Reading()
    reading.read(_Part(content, steps, "output", (), is_content=True))
    return Result(tuple(reading.texts), reading.has_media, reading.other)


@dataclass(frozen=True, slots=True)
class _Part:
    """A value inside, the name of the member that it is or stands in, and the blocks around it. A content's strings all are texts."""

    value: Json
    steps: Steps
    name: str
    blocks: tuple[Steps, ...]
    is_content: bool = False
    is_textual: bool = False


@dataclass(slots=True)
class _Reading:
    """What was found so far, in the order of the value; with a stack of its own, since nesting is as deep as the value says."""

    texts: list[Spot] = field(default_factory=list)
    has_media: bool = False
    other: int = 0

    def read(self, part: _Part) -> None:
        todo = [part]
        while todo:
            part = todo.pop()
            match part.value:
                case str() as text:
                    self._read_string(text, part)
                case list() as items:
                    todo += [_item(part, at, item) for at, item in reversed([*enumerate(items)])]
                case dict() as members:
                    todo += reversed(self._members(members, part))

    def _read_string(self, text: str, part: _Part) -> None:
        if not part.is_content and part.name != "text" and medium_of(text, NOWHERE):
            self.has_media = True
        elif part.is_content or part.is_textual or _is_text(part.name, text):
            self.texts.append(Spot(part.steps, text, part.blocks))
        else:
            self.other += len(utf8(text))

    def _members(self, members: dict[str, Json], part: _Part) -> list[_Part]:
        is_textual = _says_text(members)
        if is_medium(members) and not is_textual and not isinstance(members.get("text"), str):
            self.has_media = True
        is_fixed = part.blocks[-1:] == (part.steps,) and not _is_readable(members)
        blocks = part.blocks[:-1] if is_fixed else part.blocks
        return [
            _Part(
                value,
                (*part.steps, name),
                name,
                blocks,
                is_content=name in _CONTENT and isinstance(value, list | str),
                is_textual=is_textual and name in _PAYLOADS,
            )
            for name, value in members.items()
            if name not in _APART
        ]


def _item(holder: _Part, at: int, item: Json) -> _Part:
    """Go to an item of a list; in content it is a block."""
    steps = (*holder.steps, at)
    return _Part(item, steps, holder.name, (*holder.blocks, steps) if holder.is_content else holder.blocks, is_content=holder.is_content)


def _is_readable(members: dict[str, Json]) -> bool:
    type_ = members.get("type")
    return type_ in _READABLE if isinstance(type_, str) else isinstance(members.get("text"), str)


def _says_text(members: dict[str, Json]) -> bool:
    """Whether an object says that what it holds is text."""
    kinds = [members.get(name) for name in ("type", "media_type", "mimeType", "mime_type", "mediaType")]
    return any(isinstance(kind, str) and (kind == "text" or kind.startswith("text/")) for kind in kinds)


def _is_text(name: str, text: str) -> bool:
    if name in _WORDS:
        return True
    if _is_silent(name) or (name in _PAYLOADS and _is_code(text[:_LONG])):
        return False
    return ("\n" in text or len(text) >= _LONG) and not is_run(text)
