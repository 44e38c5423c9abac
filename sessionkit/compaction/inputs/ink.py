"""Ink's transcript, after its description: labels on lines of their own, blank lines between them, without reasoning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.inputs.texts import RESULT_UNITS, shorten, sound, texts
from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import Role, Text, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.compaction.base import Settings
    from sessionkit.core.model import Block, Message

_USER_UNITS = 4000


def transcript(messages: Iterable[Message], settings: Settings) -> str:
    """Write down messages; one of images alone leaves its label."""
    return sound("\n\n".join(part for message in messages for part in _parts(message, settings)), settings.compat)


def _parts(message: Message, settings: Settings) -> Iterator[str]:
    match message.role:
        case Role.USER | Role.COMPACTION:
            yield f"[user]\n{shorten(_lines(message.content), _USER_UNITS)}"
        case Role.ASSISTANT:
            yield from _assistant(message)
        case Role.TOOL:
            most = RESULT_UNITS if settings.tool_chars is None else settings.tool_chars
            for block in message.content:
                if isinstance(block, ToolResult):
                    yield f"[tool result {block.name}{_error(block)}]\n{shorten(_lines(block.content), most)}"
        case _:  # system texts, and what the model never sees
            return


def _assistant(message: Message) -> Iterator[str]:
    if any(isinstance(block, Text) for block in message.content):
        yield f"[assistant]\n{_lines(message.content)}"
    for block in message.content:
        if isinstance(block, ToolCall):
            yield f"[tool call {block.name}]\n{dumps(block.arguments)}"


def _error(result: ToolResult) -> str:
    return " (error)" if result.is_error else ""


def _lines(blocks: Iterable[Block]) -> str:
    return "\n".join(texts(blocks))
