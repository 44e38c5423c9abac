"""Codex's items: those of the Responses API, which each carry themselves, so that they can be sent again as they were recorded.

A message, a part of a message or of an output, and the call, result or other block that an item is, have all their members under
`carried["recorded"]`. Null stands there for the one that is told elsewhere (content, output, text, image), and so keeps its place.
What no host would take back carries nothing, and is told like the items of any other agent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects import responses
from sessionkit.core.dialects.content import shown, string
from sessionkit.core.dialects.embedded import part_media, unspilled
from sessionkit.core.model import NOWHERE, Media, Message, Text, Thinking, ToolCall, ToolResult, Unsupported
from sessionkit.dataclass import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Block, Carried, Json, Origin

_RECORDED = "recorded"
_UNSENT = frozenset({"internal_chat_message_metadata_passthrough", "content_item_kinds"})
"""What Codex keeps for itself."""
_TOLD = {
    "input_text": "text",
    "output_text": "text",
    "text": "text",
    "refusal": "refusal",
    "input_image": "image_url",
    "computer_screenshot": "image_url",
    "input_file": "file_data",
}
"""Types of parts, and the member of each that a block of ours tells."""
ITEMS = frozenset({"message", "reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"})
"""Types of items that we know: none of them is a type of a part."""
_WORDS = frozenset({"id", "role", "name", "namespace", "status", "phase", "detail", "filename"})
"""Members that are strings wherever they stand."""
_BEGINNINGS = {"message": "msg", "function_call": "fc", "reasoning": "rs"}
"""How ids of items begin, by type."""
_LONGEST_ID = 64


def decode_item(item: JsonObject, origin: Origin) -> Message:
    """Decode an item that stands at `origin`."""
    is_output = string(item.get("type")).endswith("_output")
    message = responses.decode_item(item, origin, _decode_output if is_output else _decode_part)
    content, carried = message.content, message.carried
    if "role" in item:
        carried = _with_members(carried, item, "content")
    else:
        content = tuple([_with_item(block, item) for block in content])
    return Message(message.role, content, origin, plain=message.plain, carried=carried)


def recorded(carried: Carried) -> Carried | None:
    """Return the members that were recorded, if any were."""
    members = carried.get(_RECORDED)
    return members if isinstance(members, dict) else None


def told_member(type_: Json) -> str | None:
    """Name the member of a part that a block tells; None for types that nobody here knows."""
    return _TOLD.get(type_) if isinstance(type_, str) else None


def forgetting(carried: Carried, names: frozenset[str]) -> Carried:
    """Leave out some of the members that were recorded."""
    members = recorded(carried)
    return carried if members is None else {**carried, _RECORDED: {name: value for name, value in members.items() if name not in names}}


def _decode_part(part: JsonObject, origin: Origin) -> Iterable[Block]:
    blocks = responses.decode_block(part, origin)
    told = _TOLD.get(string(part.get("type")))
    return blocks if told is None else [_with_part(block, part, told) for block in blocks]


def _decode_output(part: JsonObject, origin: Origin) -> Iterable[Block]:
    """Decode a part of an output. One of an unknown type becomes the text that says so, which carries it if no media are in it."""
    match tuple(_decode_part(part, origin)):
        case (Unsupported(carried=members) as unknown,):
            return (replace(text, carried={_RECORDED: dict(members)}) for text in shown((unknown,)))
        case blocks:
            return blocks


def _with_part(block: Block, part: JsonObject, told: str) -> Block:
    if isinstance(block, Text):
        return Text(block.text, block.origin, _with_members(block.carried, part, told))
    if isinstance(block, Media):
        return replace(block, carried=_with_members(block.carried, part, told))
    return block


def _with_item(block: Block, item: JsonObject) -> Block:
    """Let the block that an item became carry the item. One of an unknown type does so already, and its media stand behind it."""
    match block:
        case ToolResult():
            return replace(block, carried=_with_members(block.carried, item, "output"))
        case Media() if item.get("type") == "image_generation_call":
            return replace(block, carried=_with_members(block.carried, item, "result"))
        case ToolCall() | Thinking():
            return replace(block, carried=_with_members(block.carried, item))
        case _:
            return block


def _with_members(carried: Carried, holder: JsonObject, told: str = "") -> Carried:
    """Add all members in their order, unless they are broken. Null ones are left away: Codex does not send them."""
    if not _is_sound(holder):
        return carried
    rest: dict[str, Json] = {}
    for name, value in unspilled(holder).items():
        if value is not None and name not in _UNSENT:
            rest[name] = None if name == told else value if isinstance(value, str) else part_media(value, NOWHERE).rest
    return {**carried, _RECORDED: rest}


def _is_sound(holder: JsonObject) -> bool:
    """Whether words are strings, and an id is one of the kind that the interface gives."""
    for name, value in holder.items():
        if not isinstance(value, str) and value is not None and name in _WORDS:
            return False
    id_ = holder.get("id")
    return not isinstance(id_, str) or (0 < len(id_) <= _LONGEST_ID and id_.startswith(_BEGINNINGS.get(string(holder.get("type")), "")))
