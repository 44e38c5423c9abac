"""The Gemini API: contents of parts. Gemini CLI and qwen-code keep their messages in it; SDKs dump it in snake_case."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from sessionkit.core.dialects.content import below, carry, decode_content, shown, string
from sessionkit.core.dialects.embedded import Parted, part_media, unsupported
from sessionkit.core.dialects.media import read_media
from sessionkit.core.dialects.turns import user_turn
from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import Media, Message, Role, Text, Thinking, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Block, Json, Origin

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
    """Decode one part."""
    signature = next((string(part[name]) for name in _SIGNATURES if name in part), "")
    match part:
        case {"functionCall": dict(call)} | {"function_call": dict(call)}:
            return (_call(call, part, origin),)
        case {"functionResponse": dict(response)} | {"function_response": dict(response)}:
            return (_result(response, below(origin, next(iter(part)))),)
        case {"inlineData": dict(data)} | {"inline_data": dict(data)}:
            return (_medium(data, "data", part, origin),)
        case {"fileData": dict(data)} | {"file_data": dict(data)}:
            return (_medium(data, "file_uri" if "file_uri" in data else "fileUri", part, origin),)
        case {"text": str(text), "thought": True}:
            return (Thinking(text, signature, origin=origin),)
        case {"text": str(text)}:
            return (Text(text, origin, carry(part, *_SIGNATURES)),)
        case _:
            return unsupported(part, next(iter(part), ""), origin)


def _call(call: JsonObject, part: JsonObject, origin: Origin) -> ToolCall:
    arguments = cast("Json", call.get("args", {}))
    return ToolCall(string(call.get("id")), string(call.get("name")), arguments, origin=origin, carried=carry(part, *_SIGNATURES))


def _medium(data: JsonObject, name: str, part: JsonObject, origin: Origin) -> Media:
    display = string(data.get("displayName")) or string(data.get("display_name"))
    return replace(read_media(data, name, origin), name=display, carried=carry(part, *_SIGNATURES))


def _result(response: JsonObject, origin: Origin) -> ToolResult:
    """Decode a result: what the tool said, then its parts; responses inside them add theirs."""
    said = part_media(response.get("response"), below(origin, "response"))
    texts = tuple(_said(said, below(origin, "response")))
    parts = shown(_flat(response.get("parts"), below(origin, "parts")))
    return ToolResult(
        string(response.get("id")),
        string(response.get("name")),
        (*texts, *parts),
        is_error=isinstance(said.rest, dict) and "error" in said.rest and "output" not in said.rest,
        plain=len(texts) == 1 and isinstance(texts[0], Text) and not parts,
        origin=origin,
    )


def _said(said: Parted, origin: Origin) -> Iterator[Text | Media]:
    """Give the text of a tool's response: its only member if that is a string, else all of it as JSON; then the media in it."""
    match said.rest:
        case {"output": str(text), **rest} | {"error": str(text), **rest} if not rest:
            yield from [Text(text, origin)] if text else []
        case None | {"output": None}:
            pass
        case {"content": list(blocks), **rest} if not rest:
            yield from _content(blocks, origin)
        case dict() as members if not members:
            pass
        case other:
            yield Text(dumps(other), origin)
    yield from said.media


def _content(blocks: list[Json], origin: Origin) -> Iterator[Text]:
    """Give the texts of a response of MCP."""
    for at, block in enumerate(blocks):
        match block:
            case None:
                pass
            case {"type": "text", "text": str(text)}:
                yield Text(text, below(origin, "content", at))
            case _:
                yield Text(dumps(block), below(origin, "content", at))


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
