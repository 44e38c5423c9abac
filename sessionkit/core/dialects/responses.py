"""The Responses API of OpenAI: items, each of which is a message of ours. Codex keeps its history in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sessionkit.core.dialects.arguments import read_arguments
from sessionkit.core.dialects.content import below, carry, decode_content, shown, string
from sessionkit.core.dialects.embedded import medium_of, unspilled, unsupported
from sessionkit.core.dialects.media import read_media
from sessionkit.core.model import Media, MediaKind, Message, Role, Text, Thinking, ToolCall, ToolResult, Uri
from sessionkit.dataclass import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.dialects.content import BlockDecoder, Decoded
    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Block, Json, Origin

_ROLES = {"system": Role.SYSTEM, "developer": Role.SYSTEM, "user": Role.USER, "assistant": Role.ASSISTANT}


def decode_blocks(content: object, origin: Origin) -> Decoded:
    """Decode the content of a message or of a tool's result, which stands at `origin`."""
    return decode_content(content, origin, decode_block)


def decode_block(block: JsonObject, origin: Origin) -> Iterable[Block]:
    """Decode one part of a content."""
    match block.get("type"):
        case "input_text" | "output_text" | "text" | "summary_text" | "reasoning_text" if isinstance(text := block.get("text"), str):
            return (Text(text, origin, _annotations(block)),)
        case "refusal" if isinstance(text := block.get("refusal"), str):
            return (Text(text, origin, carry(block, "type")),)
        case "input_image" | "computer_screenshot":
            return (_image(block, origin),)
        case "input_file":
            return (_file(block, origin),)
        case _:
            return unsupported(block, string(block.get("type")), origin)


def decode_item(item: JsonObject, origin: Origin, decode: BlockDecoder = decode_block) -> Message:
    """Decode an item that stands at `origin`; `decode` decodes the blocks of messages and results.

    Whatever has a `call_id` is a call, or the result of one if its type ends in `_output`. What else is unknown is an unsupported
    block in a message of the assistant, with the media in it; a message of an unknown role is a meta message that carries the role.
    """
    if item.get("type") == "message" or isinstance(item.get("role"), str):
        return _message(item, origin, decode)
    type_, call = item.get("type"), item.get("call_id")
    if isinstance(type_, str) and isinstance(call, str):
        if type_.endswith("_output"):
            return Message(Role.TOOL, (_result(item, call, origin, decode),), origin)
        return Message(Role.ASSISTANT, (_call(item, call, origin),), origin)
    match type_:
        case "image_generation_call":
            carried = carry(item, "type", "id", "status", "revised_prompt")
            medium = replace(read_media(item, "result", origin), kind=MediaKind.IMAGE, carried=carried)
            return Message(Role.ASSISTANT, (medium,), origin)
        case "reasoning" | "compaction" | "compaction_summary" | "context_compaction":
            return Message(Role.ASSISTANT, (_reasoning(item, origin),), origin)
        case _:
            return Message(Role.ASSISTANT, tuple(unsupported(item, string(item.get("type")), origin)), origin)


def _message(item: JsonObject, origin: Origin, decode: BlockDecoder) -> Message:
    role = _ROLES.get(string(item.get("role")))
    if role is None:
        return Message(Role.META, (), origin, carried={"role": cast("Json", item.get("role"))})
    blocks, plain = decode_content(item.get("content"), below(origin, "content"), decode)
    return Message(role, blocks, origin, plain=plain, carried=carry(item, "id", "status", "phase"))


def _call(item: JsonObject, call: str, origin: Origin) -> ToolCall:
    """Decode a call of a function, of a custom tool with free text, or of a tool of the vendor's own, which has an action."""
    type_ = string(item["type"])
    written = next((item[name] for name in ("arguments", "input", "action", "operation") if name in item), {})
    arguments, raw = (written, written) if type_ == "custom_tool_call" and isinstance(written, str) else read_arguments(written)
    name = string(item.get("name")) or type_.removesuffix("_call")
    carried = carry(item, *(() if type_ == "function_call" else ("type",)), "id", "status", "namespace")
    return ToolCall(call, name, arguments, raw, origin, carried)


def _result(item: JsonObject, call: str, origin: Origin, decode: BlockDecoder) -> ToolResult:
    place = below(origin, "output")
    output = unspilled(item).get("output")
    carried = carry(item, *(() if item["type"] == "function_call_output" else ("type",)), "id", "status")
    medium = medium_of(output, place)
    if medium:  # a string that is wholly a data URL
        return ToolResult(call, "", (medium,), origin=origin, carried=carried)
    is_error = False
    match output:
        case {"content": content, **rest}:  # up to 2025
            is_error = rest.get("success") is False
            output, place = content, below(place, "content")
    blocks, plain = decode_content(output, place, decode)
    return ToolResult(call, "", shown(blocks), is_error, plain, origin, carried)


def _reasoning(item: JsonObject, origin: Origin) -> Thinking:
    """Decode reasoning: its text, or its summary where that is all there is; its encrypted form is the signature."""
    written = (decode_blocks(item.get(name), below(origin, name))[0] for name in ("content", "summary"))
    blocks = next((found for found in written if found), ())
    text = "\n\n".join(block.text for block in blocks if isinstance(block, Text))
    carried = carry(item, "type", "id", "summary", "content", "status")
    return Thinking(text, string(item.get("encrypted_content")), origin=origin, carried=carried)


def _annotations(block: JsonObject) -> dict[str, Json]:
    annotations = block.get("annotations")
    return {"annotations": cast("Json", annotations)} if annotations else {}


def _image(block: JsonObject, origin: Origin) -> Media:
    carried = carry(block, "detail", "file_id")
    if "file_id" in block and not block.get("image_url"):
        return Media(MediaKind.IMAGE, Uri(string(block["file_id"])), origin=origin, carried=carried)
    return replace(read_media(block, "image_url", origin), carried=carried)


def _file(block: JsonObject, origin: Origin) -> Media:
    name = string(block.get("filename"))
    for member in ("file_id", "file_url"):
        if block.get(member):
            return Media(MediaKind.DOCUMENT, Uri(string(block[member])), name=name, origin=origin, carried=carry(block, member))
    return replace(read_media(block, "file_data", origin), kind=MediaKind.DOCUMENT, name=name)
