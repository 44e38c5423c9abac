"""my-pi-agent's transcript: a line for each message, without reasoning and arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.base import Compat
from sessionkit.compaction.inputs.texts import RESULT_UNITS, shorten, sound, texts
from sessionkit.core.model import Role, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.compaction.base import Settings
    from sessionkit.core.model import Message

_STORED_CODE = 4000
"""Code points of a result, without a word of what is cut off."""


def transcript(messages: Iterable[Message], settings: Settings) -> str:
    """Write down messages; a result is a message of its own."""
    return sound("\n".join(line for message in messages for line in _lines(message, settings)), settings.compat)


def _lines(message: Message, settings: Settings) -> Iterator[str]:
    match message.role:
        case Role.TOOL:
            for block in message.content:
                if isinstance(block, ToolResult):
                    yield f"tool: {_cut(''.join(texts(block.content)), settings)}"
        case Role.ASSISTANT:
            yield f"assistant: {_calls(message)}{''.join(texts(message.content))}"
        case Role.USER | Role.COMPACTION:
            yield f"user: {''.join(texts(message.content))}"
        case _:  # system texts, and what the model never sees
            return


def _calls(message: Message) -> str:
    names = [block.name for block in message.content if isinstance(block, ToolCall)]
    return f"[tool_calls: {', '.join(names)}] " if names else ""


def _cut(text: str, settings: Settings) -> str:
    most = settings.tool_chars
    if settings.compat is Compat.UPSTREAM:
        return text[: _STORED_CODE if most is None else most]
    return shorten(text, RESULT_UNITS if most is None else most)
