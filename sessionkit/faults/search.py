"""Look for the exhibits of an entry, without a parser of its format."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.core.dialects.content import string
from sessionkit.core.media.finder import RUN_NAMES
from sessionkit.core.media.scopes import Opacity, escape_step, opacity
from sessionkit.core.model import Origin
from sessionkit.core.slices import Slice
from sessionkit.dataclass import dataclass, replace
from sessionkit.faults.exhibits import Exhibit, Form, Place
from sessionkit.faults.holders import holder_of, may_hold, string_holder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.entries import Entry, JsonObject
    from sessionkit.faults.holders import Holder

_TWINS = frozenset({"toolUseResult", "resultDisplay", "displayContent", "toolCallResult"})
_COPIES = frozenset({"replacement_history", "retainedTail", "retained_tail", "compressedHistory", "history", "$set", "toolCalls"})
_ROLES = {
    "user": "user",
    "assistant": "assistant",
    "model": "assistant",
    "gemini": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "toolResult": "tool",
    "tool_result": "tool",
    "function": "tool",
    "custom": "user",
    "hookMessage": "user",
}
_CALL_IDS = ("tool_use_id", "call_id", "toolCallId", "callId", "tool_call_id")
_IDS = ("uuid", "id")
_MESSAGES = frozenset({"content", "parts", "message", "payload", "attachment"})
"""Members of which one makes an object with an id a message, or an entry that holds one."""


@dataclass(frozen=True, slots=True)
class _Around:
    """What is known of a value by all that stands around it. `name` is its own, or that of the list around it.

    `owner` is the call or message that it belongs to, `scope` points to that.
    """

    pointer: str = ""
    name: str = ""
    strings: Opacity = Opacity.CLEAR
    place: Place = Place.MESSAGE
    role: str = ""
    in_result: bool = False
    owner: str = ""
    scope: str = ""


def exhibits_of(entry: Entry, path: str) -> Iterator[Exhibit]:
    """Find all media of an entry, and what should be some, in the order of the line. All are asleep so far; `path` is for origins."""
    if not may_hold(entry.value):
        return
    id_ = next((string(entry.value[name]) for name in _IDS if isinstance(entry.value.get(name), str)), "")
    numbers = Counter[str]()
    start = _Around(place=Place.TWIN if entry.value.get("type") == "event_msg" else Place.MESSAGE)
    for holder, around in _holders(entry.value, start):
        number = numbers[around.scope]
        numbers[around.scope] += 1
        yield Exhibit(
            entry.line,
            around.pointer,
            _pointer(around.pointer, holder.value),
            _pointer(around.pointer, holder.label),
            holder.form,
            replace(holder.media, origin=Origin(path, entry.line, id_, around.pointer)),
            around.place,
            around.role,
            around.in_result,
            flaw=holder.flaw,
            prefix=holder.prefix,
            owner=around.owner,
            number=number,
        )


def _holders(value: JsonObject, start: _Around) -> Iterator[tuple[Holder, _Around]]:
    todo: list[tuple[object, _Around]] = [(value, start)]
    while todo:
        found, around = todo.pop()
        held = _held(found, around)
        if held is not None:
            yield held, _itself(found, around) if held.form is Form.RESULT and isinstance(found, dict) else around
        if isinstance(found, dict):
            told = held.value[0] if held and held.value else "source" if held else ""
            todo += reversed([(member, inner) for member, inner in _members(found, _within(found, around)) if inner.name != told])
        elif isinstance(found, list):
            todo += reversed(list(_items(found, around)))


def _held(value: object, around: _Around) -> Holder | None:
    if isinstance(value, str | Slice):
        return string_holder(value, around.name) if around.strings is Opacity.CLEAR else None
    return string_holder(value, around.name) or holder_of(value, around.name) if isinstance(value, dict) else None


def _is_worth_it(value: object, name: str, strings: Opacity) -> bool:
    """Whether there may be something in a value: nearly all strings are only words."""
    match value:
        case dict() | list():
            return True
        case str() | Slice():
            return strings is Opacity.CLEAR and string_holder(value, name) is not None
        case _:
            return False


def _members(value: JsonObject, around: _Around) -> Iterator[tuple[object, _Around]]:
    type_, result = string(value.get("type")), _lone_result(value)
    for name, member in value.items():
        shade = opacity(name, type_)
        if shade is Opacity.ALL or name in RUN_NAMES or not _is_worth_it(member, name, shade):
            continue
        inner = replace(around, pointer=f"{around.pointer}/{escape_step(name)}", name=name, strings=shade)
        if name in _TWINS:
            inner = replace(inner, place=Place.TWIN, owner=result or inner.owner, scope=inner.pointer)
        elif name in _COPIES and inner.place is Place.MESSAGE:
            inner = replace(inner, place=Place.COPY)
        yield member, inner


def _items(items: list[object], around: _Around) -> Iterator[tuple[object, _Around]]:
    """Go through a list. Media right behind a result, as Gemini CLI writes them, belong to it."""
    behind: _Around | None = None
    for index, item in enumerate(items):
        inner = replace(around, pointer=f"{around.pointer}/{index}")
        match item:
            case {"functionResponse": {"id": str(call)}} | {"function_response": {"id": str(call)}}:
                behind = replace(around, owner=call, scope=f"{around.pointer}#{call}", in_result=True, role="tool")
                inner = replace(behind, pointer=inner.pointer)
            case {"inlineData": _} | {"inline_data": _} if behind:
                inner = replace(behind, pointer=inner.pointer)
            case _:
                behind = None
        if _is_worth_it(item, around.name, around.strings):
            yield item, inner


def _within(value: JsonObject, around: _Around) -> _Around:
    """Learn from an object what holds for all in it."""
    role = _ROLES.get(string(value.get("role"))) or _ROLES.get(string(value.get("type")))
    call = next((string(value[name]) for name in _CALL_IDS if value.get(name)), "")
    if call:
        return replace(around, role=role or "tool", in_result=True, owner=call, scope=around.pointer)
    id_ = next((string(value[name]) for name in _IDS if value.get(name)), "")
    if id_ and not _MESSAGES.isdisjoint(value):
        around = replace(around, owner=id_, scope=around.pointer)
    return replace(around, role=role, in_result=around.in_result or role == "tool") if role else around


def _itself(item: JsonObject, around: _Around) -> _Around:
    """Tell of a block that is an item of its own who owns it: the call that it is the result of."""
    owner = string(item.get("call_id")) or string(item.get("id"))
    return replace(around, role="assistant", owner=owner, scope=around.pointer)


def _lone_result(entry: JsonObject) -> str:
    """Find the call that an entry of Claude Code gives the result of, if it is one alone."""
    match entry:
        case {"message": {"content": [{"tool_use_id": str(call)}]}}:
            return call
        case _:
            return ""


def _pointer(block: str, steps: tuple[str, ...] | None) -> str | None:
    return None if steps is None else "".join((block, *(f"/{escape_step(step)}" for step in steps)))
