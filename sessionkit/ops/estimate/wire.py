"""About how many bytes the next request has: the wall that no count of tokens sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core import ecmajson, jsonl
from sessionkit.core.model import Media, Role, Shell, Text, Thinking, ToolCall, ToolResult, Uri
from sessionkit.tokens.text import utf8_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.model import Block, Conversation, Json, Message

_BETWEEN = len(",")


def json_bytes(conversation: Conversation) -> int:
    """Count the bytes of messages and tool definitions as compact JSON in Anthropic's form, without the base64 of media.

    Approximate: other vendors' names differ by some bytes a block, and the client adds its own prompt and tools.
    """
    return sum(_size(tool) + _BETWEEN for tool in conversation.tools) + message_bytes(conversation.messages)


def message_bytes(messages: Iterable[Message]) -> int:
    """Count the bytes of messages alone in the same way."""
    meta = Role.META
    return sum([_size(_record(message)) + _BETWEEN for message in messages if message.role is not meta])


def _size(record: Json) -> int:
    try:
        return len(jsonl.dumps(record))
    except TypeError:  # what the fast library refuses: lone surrogates, huge numbers, deep nesting
        return utf8_bytes(ecmajson.dumps(record))


def _record(message: Message) -> Json:
    return {"role": str(message.role), "content": _parts(message.content)}


def _parts(blocks: Iterable[Block]) -> list[Json]:
    return [part for block in blocks if (part := _part(block))]


def _part(block: Block) -> Json:
    """Spell a block; None for one that is not sent."""
    part: Json = None
    match block:
        case Text():
            part = {"type": "text", "text": block.text}
        case Thinking():
            part = {"type": "thinking", "thinking": block.text, "signature": block.signature}
        case Media():
            part = {"type": block.kind, "source": _source(block)}
        case ToolCall():
            part = {"type": "tool_use", "id": block.id, "name": block.name, "input": block.arguments}
        case ToolResult():
            content = _parts(block.content)
            part = {"type": "tool_result", "tool_use_id": block.call_id, "content": content, "is_error": block.is_error}
        case Shell(excluded=False):
            part = {"type": "text", "text": block.command + block.output}
    return part


def _source(media: Media) -> Json:
    if isinstance(media.source, Uri):
        return {"type": "url", "url": media.source.uri}
    return {"type": "base64", "media_type": media.media_type, "data": ""}
