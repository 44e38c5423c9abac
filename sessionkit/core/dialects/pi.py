"""The blocks of Pi, and of Ink and my-pi-agent, which write the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sessionkit.core.dialects.content import carry, decode_content, string
from sessionkit.core.dialects.embedded import unsupported
from sessionkit.core.dialects.media import read_media
from sessionkit.core.model import MediaKind, Text, Thinking, ToolCall
from sessionkit.dataclass import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.dialects.content import Decoded
    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Block, Json, Origin


def decode_blocks(content: object, origin: Origin) -> Decoded:
    """Decode the content of a message, which stands at `origin`."""
    return decode_content(content, origin, _decode)


def _decode(block: JsonObject, origin: Origin) -> Iterable[Block]:
    match block.get("type"):
        case "text" if isinstance(text := block.get("text"), str):
            return (Text(text, origin, carry(block, "textSignature")),)
        case "image":
            return (replace(read_media(block, "data", origin), kind=MediaKind.IMAGE),)
        case "thinking":
            text, signature = string(block.get("thinking")), string(block.get("thinkingSignature"))
            return (Thinking(text, signature, block.get("redacted") is True, origin),)
        case "toolCall":
            arguments = cast("Json", block.get("arguments"))
            id_, name = string(block.get("id")), string(block.get("name"))
            return (ToolCall(id_, name, arguments, origin=origin, carried=carry(block, "thoughtSignature")),)
        case _:
            return unsupported(block, string(block.get("type")), origin)
