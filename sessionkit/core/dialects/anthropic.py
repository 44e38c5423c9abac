"""The Messages API of Anthropic: its blocks, and its messages, which hold results of tools in user turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sessionkit.core.dialects.content import below, carry, decode_content, shown, string, token_counts
from sessionkit.core.dialects.embedded import unsupported
from sessionkit.core.dialects.media import read_media
from sessionkit.core.dialects.turns import user_turn
from sessionkit.core.model import (
    Media,
    MediaKind,
    Message,
    Model,
    Role,
    StopReason,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Uri,
    Usage,
    UserKind,
)
from sessionkit.dataclass import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.dialects.content import Decoded
    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Block, Json, Origin

_ASSISTANT, _PROMPT = Role.ASSISTANT, UserKind.PROMPT
_STOP_REASONS = {
    "end_turn": StopReason.STOP,
    "stop_sequence": StopReason.STOP,
    "max_tokens": StopReason.LENGTH,
    "model_context_window_exceeded": StopReason.LENGTH,
    "tool_use": StopReason.TOOL_USE,
    "refusal": StopReason.ERROR,
}


def decode_blocks(content: object, origin: Origin) -> Decoded:
    """Decode the content of a message, which stands at `origin`."""
    return decode_content(content, origin, _decode)


def decode_message(message: JsonObject, origin: Origin) -> tuple[Message, ...]:
    """Decode a message that stands at `origin`; results of tools in a user turn become tool messages between the rest of it.

    One of an unknown role becomes a meta message that carries its role.
    """
    blocks, plain = decode_blocks(message.get("content"), below(origin, "content"))
    match message.get("role"):
        case "user" if not plain:
            return user_turn(blocks, origin)
        case "assistant":
            return (_answer(message, (blocks, plain), origin),)
        case "user" | "system" as role:
            return (Message(Role(role), blocks, origin, plain=plain),)
        case _:
            return (Message(Role.META, (), origin, carried=carry(message, "role")),)


def _answer(message: JsonObject, decoded: Decoded, origin: Origin) -> Message:
    """Make an assistant's message of its content and what stands beside that."""
    blocks, plain = decoded
    name = string(message.get("model"))
    model = Model("anthropic", "anthropic-messages", name) if name else None
    usage, stop_reason = _usage(message.get("usage")), _STOP_REASONS.get(string(message.get("stop_reason")))
    return Message(_ASSISTANT, blocks, origin, _PROMPT, plain, usage, stop_reason, model)


def _usage(usage: object) -> Usage | None:
    counts = token_counts(usage, "input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    if not counts:
        return None
    sent, received, read, written = counts
    return Usage(sent, received, read, written)


def _decode(block: JsonObject, origin: Origin) -> Iterable[Block]:
    """Results hold no results, and documents no documents: so nothing here goes deeper than three levels."""
    if block.get("type") != "tool_result":
        return _decode_shown(block, origin)
    blocks, plain = decode_content(block.get("content"), below(origin, "content"), _decode_shown)
    call, is_error = string(block.get("tool_use_id")), block.get("is_error") is True
    return (ToolResult(call, "", shown(blocks), is_error, plain, origin),)


def _decode_shown(block: JsonObject, origin: Origin) -> Iterable[Block]:
    """Decode what a result may hold. A document of blocks gives way to them."""
    match block.get("source") if block.get("type") == "document" else None:
        case {"type": "content", "content": content}:
            return decode_content(content, below(origin, "source", "content"), _decode_single)[0]
        case _:
            return _decode_single(block, origin)


def _decode_single(block: JsonObject, origin: Origin) -> Iterable[Block]:
    match block.get("type"):
        case "text" if isinstance(text := block.get("text"), str):
            return (Text(text, origin, carry(block, "citations")),)
        case "image" | "document" if isinstance(source := block.get("source"), dict):
            return (_medium(block, source, origin),)
        case "thinking" | "redacted_thinking":
            return (_thinking(block, origin),)
        case "tool_use":
            call, name = string(block.get("id")), string(block.get("name"))
            return (ToolCall(call, name, cast("Json", block.get("input")), origin=origin),)
        case _:
            return unsupported(block, string(block.get("type")), origin)


def _thinking(block: JsonObject, origin: Origin) -> Thinking:
    """What is redacted has its encrypted form as its signature."""
    if block["type"] == "redacted_thinking":
        return Thinking("", string(block.get("data")), redacted=True, origin=origin)
    return Thinking(string(block.get("thinking")), string(block.get("signature")), origin=origin)


def _medium(block: JsonObject, source: JsonObject, origin: Origin) -> Text | Media:
    kind = MediaKind(string(block["type"]))
    match source:
        case {"type": "text", "data": str(text)}:
            return Text(text, origin)
        case {"type": "url", "url": str(address)} | {"type": "file", "file_id": str(address)}:
            medium = Media(kind, Uri(address), origin=origin, carried=carry(block, "source"))
        case _:
            medium = replace(read_media(source, "data", origin), kind=kind)
    return replace(medium, name=string(block.get("title")))
