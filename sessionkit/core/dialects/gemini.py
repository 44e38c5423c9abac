"""The Gemini API: contents of parts. Gemini CLI and qwen-code keep their messages in it; SDKs dump it in snake_case."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sessionkit.core.dialects.content import below, carry, decode_content, shown, string
from sessionkit.core.dialects.embedded import Parted, part_media, unsupported
from sessionkit.core.dialects.media import read_media
from sessionkit.core.dialects.turns import user_turn
from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import Media, Message, Role, Text, Thinking, ToolCall, ToolResult
from sessionkit.dataclass import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Block, Carried, Json, Origin

_SIGNATURES = ("thoughtSignature", "thought_signature")


def decode_message(content: JsonObject, origin: Origin) -> tuple[Message, ...]:
    """Decode a content `{role, parts}` that stands at `origin`."""
    return messages_of(content.get("role"), decode_parts(content.get("parts"), below(origin, "parts")), origin)


def messages_of(role: object, blocks: tuple[Block, ...], origin: Origin) -> tuple[Message, ...]:
    """Make the messages of a content, a lone user's where no role is stated; one of an unknown role is a meta message that carries it."""
    match role:
        case "model":
            return (Message(Role.ASSISTANT, blocks, origin),)
        case "user" | "function" | None:
            return user_turn(blocks, origin)
        case "system":
            return (Message(Role.SYSTEM, blocks, origin),)
        case _:
            return (Message(Role.META, (), origin, carried={"role": cast("Json", role)}),)


def decode_parts(parts: object, origin: Origin) -> tuple[Block, ...]:
    """Decode the parts that stand at `origin`: a list, a lone part, or a string. Media right behind a result belong to it."""
    blocks: list[Block] = []
    for block in decode_content(parts, origin, decode_part)[0]:
        match block, blocks[-1:]:
            case Media(), [ToolResult() as result]:
                blocks[-1] = replace(result, content=(*result.content, block), plain=False)
            case _:
                blocks.append(block)
    return tuple(blocks)


def decode_part(part: JsonObject, origin: Origin) -> Iterable[Block]:
    """Decode one part, which is known by the name of its member."""
    for name, decode in _DECODERS.items():
        value = part.get(name)
        if isinstance(value, dict):
            return (decode(value, below(origin, name), carry(part, *_SIGNATURES)),)
    text = part.get("text")
    if not isinstance(text, str):
        return unsupported(part, next(iter(part), ""), origin)
    if part.get("thought") is True:
        return (Thinking(text, _signature(part), origin=origin),)
    return (Text(text, origin, carry(part, *_SIGNATURES)),)


def _signature(part: JsonObject) -> str:
    return next((string(part[name]) for name in _SIGNATURES if name in part), "")


def _call(call: JsonObject, origin: Origin, carried: Carried) -> ToolCall:
    return ToolCall(string(call.get("id")), string(call.get("name")), cast("Json", call.get("args", {})), origin=origin, carried=carried)


def _inline(data: JsonObject, origin: Origin, carried: Carried) -> Media:
    return replace(read_media(data, "data", origin), name=_display_name(data), carried=carried)


def _file(data: JsonObject, origin: Origin, carried: Carried) -> Media:
    name = "file_uri" if "file_uri" in data else "fileUri"
    return replace(read_media(data, name, origin), name=_display_name(data), carried=carried)


def _display_name(data: JsonObject) -> str:
    return string(data.get("displayName")) or string(data.get("display_name"))


def _result(result: JsonObject, origin: Origin, carried: Carried) -> ToolResult:
    """Decode a result: what the tool said, then its parts."""
    response = result.get("response")
    said = tuple(_said(response, below(origin, "response")))
    parts = shown(_flat(result.get("parts"), below(origin, "parts")))
    return ToolResult(
        string(result.get("id")),
        string(result.get("name")),
        (*said, *parts),
        is_error=isinstance(response, dict) and "error" in response and "output" not in response,
        plain=len(said) == 1 and isinstance(said[0], Text) and not parts,
        origin=origin,
        carried=carried,
    )


_DECODERS: dict[str, Callable[[JsonObject, Origin, Carried], Block]] = {
    "functionCall": _call,
    "function_call": _call,
    "functionResponse": _result,
    "function_response": _result,
    "inlineData": _inline,
    "inline_data": _inline,
    "fileData": _file,
    "file_data": _file,
}


def _said(response: object, origin: Origin) -> Iterator[Text | Media]:
    """Give a tool's response as text: its only member if that is a string, the blocks of MCP, else all of it as JSON."""
    match response:
        case {"content": list(blocks), **rest} if not rest:
            for at, block in enumerate(blocks):
                yield from _shown(part_media(block, below(origin, "content", at)), below(origin, "content", at))
        case _:
            yield from _shown(part_media(response, origin), origin)


def _shown(said: Parted, origin: Origin) -> Iterator[Text | Media]:
    match said.rest:
        case {"output": str(text), **rest} | {"error": str(text), **rest} if not rest:
            yield from [Text(text, origin)] if text else []
        case {"type": "text", "text": str(text)}:
            yield Text(text, origin)
        case None | {"output": None}:
            pass
        case dict() as members if not members:
            pass
        case other:
            yield Text(dumps(other), origin)
    yield from said.media


def _flat(parts: object, origin: Origin) -> Iterator[Block]:
    """Decode the parts of a result; the parts of responses among them stand in their place, at any depth."""
    todo = [(parts, origin)]
    while todo:
        found, place = todo.pop()
        match found:
            case list():
                todo += reversed([(part, below(place, at)) for at, part in enumerate(found)])
            case {"functionResponse": {"parts": inner}}:
                todo.append((inner, below(place, "functionResponse", "parts")))
            case _:
                yield from decode_content(found, place, decode_part)[0]
