"""Chat Completions of OpenAI, with what lenient writers add to it: images in results of tools, `imageUrl`, reasoning."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sessionkit.core.dialects.arguments import read_arguments
from sessionkit.core.dialects.content import below, carry, decode_content, shown, string
from sessionkit.core.dialects.embedded import unsupported
from sessionkit.core.dialects.media import read_media
from sessionkit.core.model import Inline, Media, MediaKind, Message, Role, Text, Thinking, ToolCall, ToolResult, Uri
from sessionkit.dataclass import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.dialects.content import BlockDecoder
    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Block, Json, Origin

_URLS = ("image_url", "imageUrl", "video_url", "audio_url")
_REASONING = ("reasoning_content", "reasoning")
_ROLES = {"system": Role.SYSTEM, "developer": Role.SYSTEM, "user": Role.USER, "assistant": Role.ASSISTANT}


def decode_block(block: JsonObject, origin: Origin) -> Iterable[Block]:
    """Decode one part of a content."""
    match block.get("type"):
        case "text" if isinstance(text := block.get("text"), str):
            return (Text(text, origin),)
        case "refusal" if isinstance(text := block.get("refusal"), str):
            return (Text(text, origin, carry(block, "type")),)
        case "input_audio" if isinstance(audio := block.get("input_audio"), dict):
            return (_audio(audio, origin),)
        case "file" if isinstance(file := block.get("file"), dict):
            return (_file(file, origin),)
        case "image_url" | "imageUrl" | "video_url" | "audio_url":
            return (_medium(block, origin),)
        case _:
            return unsupported(block, string(block.get("type")), origin)


def decode_message(message: JsonObject, origin: Origin, decode: BlockDecoder = decode_block) -> Message:
    """Decode a message that stands at `origin`; `decode` decodes its blocks. One of an unknown role is a meta message that carries it."""
    blocks, plain = decode_content(message.get("content"), below(origin, "content"), decode)
    match message.get("role"):
        case "tool" | "function":
            call, name = string(message.get("tool_call_id")), string(message.get("name"))
            return Message(Role.TOOL, (ToolResult(call, name, shown(blocks), plain=plain, origin=origin),), origin)
        case "assistant":
            content = (*_reasoning(message, origin), *blocks, *_refusal(message, origin), *decode_calls(message, origin))
            return Message(Role.ASSISTANT, content, origin, plain=plain, carried=carry(message, "name", "audio"))
        case str(role) if role in _ROLES:
            return Message(_ROLES[role], blocks, origin, plain=plain, carried=carry(message, "name"))
        case role:
            return Message(Role.META, (), origin, carried={"role": cast("Json", role)})


def decode_calls(message: JsonObject, origin: Origin) -> Iterator[ToolCall]:
    """Decode the calls of an assistant's message: `tool_calls`, and `function_call` of the earliest form."""
    calls = message.get("tool_calls")
    for at, call in enumerate(calls if isinstance(calls, list) else []):
        if isinstance(call, dict):
            yield _call(call, below(origin, "tool_calls", at))
    match message:
        case {"function_call": {"name": str(name), "arguments": written}}:
            arguments, raw = read_arguments(written)
            yield ToolCall("", name, arguments, raw, below(origin, "function_call"))


def _call(call: JsonObject, origin: Origin) -> ToolCall:
    """Decode a call of a function, or of a custom tool, whose input is free text."""
    match call:
        case {"function": dict(function)}:
            arguments, raw = read_arguments(function.get("arguments"))
            return ToolCall(string(call.get("id")), string(function.get("name")), arguments, raw, origin)
        case {"custom": {"name": str(name), "input": str(text)}}:
            return ToolCall(string(call.get("id")), name, text, text, origin, carry(call, "type"))
        case _:
            arguments, raw = read_arguments(call.get("arguments"))
            return ToolCall(string(call.get("id")), string(call.get("name")), arguments, raw, origin)


def _reasoning(message: JsonObject, origin: Origin) -> Iterator[Thinking]:
    """Decode reasoning that stands beside the content; its signature is the name of the field that it must go back into."""
    for name in _REASONING:
        text = message.get(name)
        if isinstance(text, str) and text:
            yield Thinking(text, signature=name, origin=below(origin, name))


def _refusal(message: JsonObject, origin: Origin) -> Iterator[Text]:
    text = message.get("refusal")
    if isinstance(text, str) and text:
        yield Text(text, below(origin, "refusal"), {"type": "refusal"})


def _medium(block: JsonObject, origin: Origin) -> Media:
    """Decode a medium by its address: `{"image_url": {"url", "detail"}}`, or the address alone."""
    for name in _URLS:
        inner = block.get(name)
        if isinstance(inner, dict) and inner.get("asset_field", "url"):
            return replace(read_media(inner, "url", origin), carried=carry(inner, "detail"))
    name = next((name for name in _URLS if name in block), string(block.get("asset_field")))
    return replace(read_media(block, name, origin), carried=carry(block, "detail"))


def _file(file: JsonObject, origin: Origin) -> Media:
    name = string(file.get("filename"))
    if "file_id" in file:
        return Media(MediaKind.DOCUMENT, Uri(string(file["file_id"])), None, name=name, origin=origin, carried=carry(file, "file_id"))
    return replace(read_media(file, "file_data", origin), kind=MediaKind.DOCUMENT, name=name)


def _audio(audio: JsonObject, origin: Origin) -> Media:
    """Decode audio, which is never spilled."""
    return Media(MediaKind.DOCUMENT, Inline(string(audio.get("data"))), f"audio/{string(audio.get('format'))}", origin=origin)
