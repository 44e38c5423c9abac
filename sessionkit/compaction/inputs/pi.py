"""Pi's transcript: labelled blocks with blank lines between them, without reasoning; only results are cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.inputs.texts import RESULT_UNITS, shorten, sound, texts
from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import Role, Text, ToolCall, ToolResult
from sessionkit.providers.replay.summaries import speak_summaries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.compaction.base import Settings
    from sessionkit.core.model import Message


def transcript(messages: Iterable[Message], settings: Settings) -> str:
    """Write down messages; what says nothing leaves no trace."""
    most = RESULT_UNITS if settings.tool_chars is None else settings.tool_chars
    spoken = speak_summaries(tuple(messages), "pi").messages
    return sound("\n\n".join(part for message in spoken for part in _parts(message, most)), settings.compat)


def _parts(message: Message, most: int) -> Iterator[str]:
    match message.role:
        case Role.USER:
            yield from _user(message)
        case Role.ASSISTANT:
            yield from _assistant(message)
        case Role.TOOL:
            for block in message.content:
                if isinstance(block, ToolResult) and (text := "".join(texts(block.content))):
                    yield f"[Tool result]: {shorten(text, most)}"
        case _:  # system texts, and what the model never sees
            return


def _user(message: Message) -> Iterator[str]:
    if text := "".join(texts(message.content)):
        yield f"[User]: {text}"


def _assistant(message: Message) -> Iterator[str]:
    if any(isinstance(block, Text) for block in message.content):
        yield f"[Assistant]: {chr(10).join(texts(message.content))}"
    if calls := [_call(block) for block in message.content if isinstance(block, ToolCall)]:
        yield f"[Assistant tool calls]: {'; '.join(calls)}"


def _call(call: ToolCall) -> str:
    match call.arguments:
        case dict(members):
            return f"{call.name}({', '.join(f'{name}={dumps(value)}' for name, value in members.items())})"
        case None:
            return f"{call.name}()"
        case other:
            return f"{call.name}({dumps(other)})"
