"""Halves of surrogate pairs: no body can hold them, because UTF-8 cannot."""

from __future__ import annotations

import re
from functools import cache, partial
from operator import is_
from typing import TYPE_CHECKING, TypeVar, cast

from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import Media, Message, Origin, Shell, Text, Thinking, ToolCall, ToolResult, Unsupported, Uri
from sessionkit.dataclass import fields, replace
from sessionkit.providers.base import Tool
from sessionkit.providers.replay.numbers import walk
from sessionkit.providers.replay.remarks import Note, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from _typeshed import DataclassInstance

    from sessionkit.core.model import Json

_Part = TypeVar("_Part")
_HALVES = "halves of surrogate pairs are no characters: they are left out"

_finds_escape = re.compile(r"\\u[dD][89a-fA-F]").search
_finds_half = re.compile("[\ud800-\udfff]").search


def clean_text(text: str) -> str:
    """Join two halves that stand side by side in order, and leave all others out."""
    if text.isascii() or not _finds_half(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def clean_messages(messages: tuple[Message, ...]) -> Outcome:
    """Clean all messages, and tell of the blocks in which halves stood, or of the messages that have them somewhere else."""
    clean = cleaned(messages)
    changed = (pair for pair in zip(messages, clean, strict=True) if pair[0] is not pair[1])
    return Outcome(clean, tuple(Note(_HALVES, place) for before, after in changed for place in _changed(before, after)))


def clean_tools(tools: tuple[Tool, ...]) -> tuple[tuple[Tool, ...], tuple[Note, ...]]:
    """Clean definitions of tools, and tell of those in which halves stood."""
    clean = cleaned(tools)
    changed = (new for old, new in zip(tools, clean, strict=True) if old is not new)
    return clean, tuple(Note(f"{_HALVES}, in the tool {tool.name}") for tool in changed)


def halves(value: Json) -> list[str]:
    """RFC 6901 pointers to the strings with halves in them, and to the objects with such a name."""
    return [pointer for found, pointer in walk(value) if any(map(_finds_half, _own_strings(found)))]


def cleaned(part: _Part) -> _Part:
    """Clean a part of a conversation, of whatever kind, down to its last string; but not base64."""
    return cast("_Part", _clean(part))


def _clean(part: object) -> object:
    match part:
        case None | bool() | Origin():  # most members, so they are asked for first
            return part
        case str() | dict() | list():
            return _clean_json(part) if any(map(_finds_half, _strings(part))) else part
        case tuple():
            clean = tuple(map(_clean, part))
            return part if all(map(is_, clean, part)) else clean
        case ToolCall():
            return _with_its_own_text(_clean_members(part), part)
        case Message() | Text() | Thinking() | Media() | Uri() | ToolResult() | Shell() | Unsupported() | Tool():
            return _clean_members(part)
        case _:
            return part


def _clean_members(part: _Part) -> _Part:
    members = ((name, getattr(part, name)) for name in _names(cast("type[DataclassInstance]", type(part))))
    changed = {name: clean for name, member in members if (clean := _clean(member)) is not member}
    return cast("Callable[..., _Part]", replace)(part, **changed) if changed else part


@cache
def _names(kind: type[DataclassInstance]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _with_its_own_text(clean: ToolCall, call: ToolCall) -> ToolCall:
    """Give up a JSON text of arguments that spells a half as an escape: the arguments are written anew."""
    if call.raw is None or not _finds_escape(call.raw) or isinstance(call.arguments, str):
        return clean
    return clean if dumps(clean.arguments) == dumps(call.arguments) else replace(clean, raw=None)


def _changed(before: Message, after: Message) -> list[Origin]:
    """Places of the blocks that are others now; that of the message if none is."""
    blocks = [old.origin for old, new in zip(before.content, after.content, strict=True) if old is not new]
    return blocks or [before.origin]


def _own_strings(found: Json) -> Iterable[str]:
    """A string, or the names of an object."""
    match found:
        case str():
            return (found,)
        case dict():
            return found.keys()
        case _:
            return ()


def _strings(value: Json) -> Iterator[str]:
    """All strings of a value, keys too; but those of ASCII alone, which are nearly all, only if they are keys."""
    todo = [value]
    while todo:
        match todo.pop():
            case str() as text:
                if not text.isascii():
                    yield text
            case dict() as members:
                yield from members
                todo += members.values()
            case list() as items:
                todo += items


def _clean_json(value: Json) -> Json:
    """Clean a string, or keys and values however deep; the order of keys stays."""
    root: list[Json] = [None]
    todo: list[tuple[Json, Callable[[Json], None]]] = [(value, partial(root.__setitem__, 0))]
    while todo:
        found, put = todo.pop()
        match found:
            case str():
                put(clean_text(found))
            case dict():
                members: dict[str, Json] = dict.fromkeys(map(clean_text, found))
                put(members)
                todo += [(member, partial(members.__setitem__, clean_text(name))) for name, member in found.items()]
            case list():
                items: list[Json] = [None] * len(found)
                put(items)
                todo += [(item, partial(items.__setitem__, at)) for at, item in enumerate(found)]
            case _:
                put(found)
    return root[0]
