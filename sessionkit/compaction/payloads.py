"""Base64 that stands in the midst of a text, found by its shape."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.compaction.placeholders import type_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Json

    Container: TypeAlias = "list[Json] | dict[str, Json]"

_MAGIC = {
    "iVBORw0KGgo": "image/png",
    "/9j/": "image/jpeg",
    "R0lGOD": "image/gif",
    "UklGR": "image/webp",
    "JVBERi0": "application/pdf",
}
"""How base64 of these types begins."""

_CHARACTER = r"[A-Za-z0-9+/_-]"
_SLASH = r"\\/"  # as some writers of JSON spell it
_RUN = rf"(?:{_CHARACTER}++|{_SLASH})++={{0,2}}"
_IN_HEAD = r"""[^\s,;:"'<>]"""
_URL_FROM, _RUN_FROM = 64, 256

# A data URL; where its head is none, as in prose, only what stands behind the comma. Without a colon in it no head is looked at twice.
_URL = (
    rf"(?P<head>data:(?P<type>{_IN_HEAD}*+)(?:;(?!base64,){_IN_HEAD}*+)*+)?(?P<base64>;base64,)"
    rf"(?=(?:{_CHARACTER}|{_SLASH}){{{_URL_FROM}}}){_RUN}"
)
_FILE = "|".join(_MAGIC).replace("/", r"\\?/")
# A run by itself: not the rest of a longer one, but an escape of quoted JSON may stand before it.
_BARE = (
    rf"(?=(?P<magic>{_FILE}))(?:(?<![A-Za-z0-9+/])|(?<=\\[nrt]))"
    rf"(?=(?:{_CHARACTER}|{_SLASH}){{{_RUN_FROM}}}){_RUN}"
)
_payload = re.compile(rf"(?i:{_URL})|{_BARE}", re.ASCII)
_HINTS = (*_MAGIC, "/9j\\/")


def clear_text(text: str) -> str:
    """Put placeholders in the place of data URLs with 64 characters of base64 or more, and of files that are 256 or longer."""
    return _payload.sub(_stand_in, text) if _may_hold(text) else text


def clear_json(value: Json) -> Json:
    """Do so in every string and name of a value, however deep; without any it is the very same value."""
    if not any(_may_hold(text) and _payload.search(text) for text in _strings(value)):
        return value
    holder = [value]
    todo: list[Container] = [holder]
    while todo:
        match todo.pop():
            case list(items):
                items[:] = [_copy(item, todo) for item in items]
            case dict(members):
                cleared = {clear_text(name): _copy(item, todo) for name, item in members.items()}
                members.clear()
                members.update(cleared)
    return holder[0]


def _may_hold(text: str) -> bool:
    """Dismiss nearly all texts in a hundredth of the time that the pattern takes."""
    return "base64," in text.lower() or any(hint in text for hint in _HINTS)


def _stand_in(found: re.Match[str]) -> str:
    if found["magic"]:
        return type_placeholder(_MAGIC[found["magic"].replace("\\", "")])
    if found["head"] is None:
        return found["base64"] + type_placeholder("")
    return type_placeholder(found["type"].replace("\\/", "/"))


def _strings(value: Json) -> Iterator[str]:
    todo = [value]
    while todo:
        match todo.pop():
            case str() as text:
                yield text
            case list() as items:
                todo += items
            case dict() as members:
                yield from members
                todo += members.values()


def _copy(value: Json, todo: list[Container]) -> Json:
    """Clear a string, or copy a container and leave what is in it to be done."""
    match value:
        case str():
            return clear_text(value)
        case list() | dict():
            copy = value.copy()
            todo.append(copy)
            return copy
        case _:
            return value
