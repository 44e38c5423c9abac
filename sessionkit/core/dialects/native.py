"""The messages of my-pi-agent: Pi's blocks, calls in the shape of OpenAI, and keys in snake case or in camel case."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sessionkit.core.dialects.arguments import read_arguments
from sessionkit.core.dialects.content import below, carry, shown, string
from sessionkit.core.dialects.pi import decode_blocks
from sessionkit.core.model import Message, Role, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Origin

_after_underscore = re.compile("_([a-z])").sub


def spelled(holder: JsonObject, name: str) -> str:
    """Give the spelling in which an object has a member that is called `name` in snake case."""
    camel = _after_underscore(lambda found: found[1].upper(), name)
    return camel if camel in holder else name


def member(holder: object, name: str) -> object:
    """Look up a member by its name in snake case; None if there is none."""
    return holder.get(spelled(holder, name)) if isinstance(holder, dict) else None


def decode_message(message: JsonObject, origin: Origin) -> Message:
    """Decode a message that stands at `origin`. One of an unknown role becomes a meta message that carries its role."""
    blocks, plain = decode_blocks(message.get("content"), below(origin, "content"))
    match message.get("role"):
        case "system" | "user" as role:
            return Message(Role(role), blocks, origin, plain=plain)
        case "assistant":
            return Message(Role.ASSISTANT, (*blocks, *_calls(message, origin)), origin, plain=plain)
        case "tool":
            metadata = member(message, "metadata")
            call, name = string(member(metadata, "tool_call_id")), string(member(metadata, "tool_name"))
            is_error = member(metadata, "is_error") is True
            return Message(Role.TOOL, (ToolResult(call, name, shown(blocks), is_error, plain, origin),), origin)
        case _:
            return Message(Role.META, (), origin, carried=carry(message, "role"))


def _calls(message: JsonObject, origin: Origin) -> Iterator[ToolCall]:
    metadata = message.get("metadata")
    calls = member(metadata, "tool_calls")
    if not isinstance(metadata, dict) or not isinstance(calls, list):
        return
    place = below(origin, "metadata", spelled(metadata, "tool_calls"))
    for at, call in enumerate(calls):
        match call:
            case {"function": dict(function)}:
                arguments, raw = read_arguments(function.get("arguments"))
                yield ToolCall(string(call.get("id")), string(function.get("name")), arguments, raw, below(place, at))
