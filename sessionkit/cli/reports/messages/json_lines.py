"""A conversation as JSON Lines."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.cli.reports.jsonlines import JsonLines, Record, name, text
from sessionkit.cli.reports.messages.elision import without_base64
from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import Media, Role, Shell, Text, Thinking, ToolCall, ToolResult, Unsupported, Uri
from sessionkit.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.cli.voice import Voice
    from sessionkit.core.model import Block, Json, Message, Model, Origin, Skipped, Usage
    from sessionkit.ops.messages import Opened, View

Look: TypeAlias = "Callable[[Media], View]"

_DEEPEST = 64
"""Levels of arguments that are written as values. What is below them is written as text: not every reader can nest deeper."""


def write_records(opened: Opened, session: str, voice: Voice) -> None:
    """Write a record for each message, and a summary, by the schema of `messages`."""
    lines = JsonLines(voice, "messages")
    conversation = opened.conversation
    for index, message in enumerate(conversation.messages):
        lines.write("message", {"index": index, **message_record(message, opened.viewer.view)})
    summary = {
        "session": name(session),
        "format": conversation.format,
        "messages": len(conversation.messages),
        "skipped": [_skipped(skip) for skip in conversation.skipped],
        "exit_code": int(ExitCode.OK),
    }
    lines.write("summary", summary)


def message_record(message: Message, look: Look) -> Record:
    """Write down a message, with what `look` tells of its media."""
    return {
        "role": message.role.value,
        "kind": message.kind.value if message.role is Role.USER else None,
        "origin": _origin(message.origin),
        "content": [_block(block, look) for block in message.content],
        "model": _model(message.model) if message.model else None,
        "stop_reason": message.stop_reason.value if message.stop_reason else None,
        "usage": _usage(message.usage) if message.usage else None,
        "kept": message.kept,
        "tokens_before": message.tokens_before,
    }


def _block(block: Block, look: Look) -> Record:
    return {**_content(block, look), "origin": _origin(block.origin)}


def _content(block: Block, look: Look) -> Record:
    match block:
        case Media():
            return {"type": block.kind.value, "name": _text(block.name), "media": _media(block, look)}
        case ToolResult():
            content = [_block(inner, look) for inner in block.content]
            call = {"call_id": _text(block.call_id), "name": _text(block.name), "is_error": block.is_error}
            return {"type": "tool_result", **call, "content": content}
        case _:
            return _words(block)


def _words(block: Text | Thinking | ToolCall | Shell | Unsupported) -> Record:
    match block:
        case Text():
            return {"type": "text", "text": _text(block.text)}
        case Thinking():
            return {"type": "thinking", "text": _text(block.text), "signed": bool(block.signature), "redacted": block.redacted}
        case ToolCall():
            return {"type": "tool_call", "id": _text(block.id), "name": _text(block.name), "arguments": _value(block.arguments, _DEEPEST)}
        case Shell():
            return {"type": "shell", **_shell(block)}
        case Unsupported():
            return {"type": "unsupported", "unsupported_type": _text(block.type)}


def _media(media: Media, look: Look) -> Record:
    view = look(media)
    return {
        "media_type": None if view.media_type is None else _text(view.media_type),
        "width": view.size.width if view.size else None,
        "height": view.size.height if view.size else None,
        "bytes": view.bytes,
        "sha256": view.sha256,
        "uri": _text(media.source.uri) if isinstance(media.source, Uri) else None,
        "fault": view.fault or None,
    }


def _shell(shell: Shell) -> Record:
    return {
        "command": _text(shell.command),
        "output": _text(shell.output),
        "exit_code": shell.exit_code,
        "excluded": shell.excluded,
        "cancelled": shell.cancelled,
    }


def _model(model: Model) -> Record:
    return {"provider": text(model.provider), "api": text(model.api), "model": text(model.model)}


def _usage(usage: Usage) -> Record:
    return {
        "input": usage.input,
        "output": usage.output,
        "cache_read": usage.cache_read,
        "cache_write": usage.cache_write,
        "total": usage.total,
        "estimated": usage.estimated,
    }


def _value(value: Json, levels: int) -> object:
    """Make a value that every reader of JSON accepts."""
    match value:
        case str():
            return _text(value)
        case float() if not isfinite(value):
            return None
        case dict() | list() if levels == 0:
            return _text(dumps(value))
        case dict():
            return {_text(key): _value(member, levels - 1) for key, member in value.items()}
        case list():
            return [_value(item, levels - 1) for item in value]
        case _:
            return value


def _skipped(skip: Skipped) -> Record:
    return {**_origin(skip.origin), "cause": text(skip.cause)}


def _origin(origin: Origin) -> Record:
    return {"line": origin.line or None, "entry": text(origin.entry), "pointer": text(origin.pointer)}


def _text(words: str) -> str:
    return text(without_base64(words))
