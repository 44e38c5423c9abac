"""Conversations of small sessions made by hand, written so that a table can show them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sessionkit.core.entries import Defect, Entry, read_entries
from sessionkit.core.model import Media, Role, Shell, Text, Thinking, ToolCall, ToolResult, UserKind
from sessionkit.core.streams import open_source
from sessionkit.formats import detect, read_head

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.model import Block, Conversation, Message
    from sessionkit.formats import Format

JsonObject = dict[str, Any]


def read(path: Path, leaf: str | None = None, name: str = "session.jsonl") -> Conversation:
    """Conversation of a file, in the words of the format that wrote it; `name` stands in its origins."""
    with open_source(path) as stream:
        return detect(read_head(path)).conversation(read_entries(stream), name, leaf)


def rebuild(book: Format, *lines: JsonObject | str, leaf: str | None = None) -> Conversation:
    """Conversation of entries, one on each line; a string stands for a line that is none, and is the reason."""
    entries = (Entry(line, at) if isinstance(line, dict) else Defect(at, line) for at, line in enumerate(lines, 1))
    return book.conversation(entries, "session.jsonl", leaf)


def outline(conversation: Conversation) -> list[str]:
    """A line for each message."""
    return [_message(message) for message in conversation.messages]


def skips(conversation: Conversation) -> list[str]:
    """What was passed over, with its line."""
    return [f"{skipped.origin.line}: {skipped.cause}" for skipped in conversation.skipped]


def _message(message: Message) -> str:
    kind = f"/{message.kind}" if message.role is Role.USER and message.kind is not UserKind.PROMPT else ""
    kept = f"+{message.kept}" if message.kept else ""
    return f"{message.role}{kind}{kept}: {' | '.join(map(_block, message.content))}".rstrip()


def _block(block: Block) -> str:
    match block:
        case Text(text):
            return text
        case Media(kind, media_type=media_type):
            return f"<{kind} {media_type}>"
        case Thinking(text):
            return f"({text})"
        case ToolCall(id_, name, arguments):
            return f"{name} {id_} {json.dumps(arguments)}"
        case ToolResult(call, content=content, is_error=is_error):
            return f"{call}{'!' if is_error else '='}{' | '.join(map(_block, content))}"
        case _:
            return f"$ {block.command} → {block.output}" if isinstance(block, Shell) else f"?{block.type}"
