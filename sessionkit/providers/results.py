"""Results of tools, for interfaces that keep their text apart from their media."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import Media, Text, ToolResult

if TYPE_CHECKING:
    from sessionkit.core.model import Message

ONLY_MEDIA = "(see attached image)"
NO_OUTPUT = "(no tool output)"


def results_of(message: Message) -> list[ToolResult]:
    """Of a tool message, in order."""
    return [block for block in message.content if isinstance(block, ToolResult)]


def media_of(result: ToolResult) -> list[Media]:
    """In order, without the texts between them."""
    return [block for block in result.content if isinstance(block, Media)]


def text_of(result: ToolResult, nothing: str = NO_OUTPUT) -> str:
    """All texts, a line each; `nothing` is what a result without content says."""
    texts = [block.text for block in result.content if isinstance(block, Text)]
    return "\n".join(texts) or (ONLY_MEDIA if media_of(result) else nothing)
