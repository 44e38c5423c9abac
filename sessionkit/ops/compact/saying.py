"""What a message says, in a few words: so that a person finds it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import Media, Shell, Text, ToolCall, ToolResult

if TYPE_CHECKING:
    from sessionkit.core.model import Block, Message

_LONGEST = 200


def says(message: Message) -> str:
    """Give the beginning of its text, at most 200 characters; without any, what it calls, answers or shows."""
    text = " ".join(filter(None, map(_text, message.content)))
    return text[:_LONGEST] or ", ".join(filter(None, map(_deed, message.content)))[:_LONGEST]


def _text(block: Block) -> str:
    match block:
        case Text(text=text):
            return _beginning(text)
        case Shell(command=command):
            return _beginning(command)
        case _:
            return ""


def _beginning(text: str) -> str:
    """On one line; a text of megabytes is not gone through."""
    return " ".join(text.lstrip()[: 4 * _LONGEST].split())


def _deed(block: Block) -> str:
    match block:
        case ToolCall(name=name):
            return f"{name}(…)"
        case ToolResult(name=name):
            return f"result of {name}" if name else "result"
        case Media(kind=kind):
            return str(kind)
        case _:
            return ""
