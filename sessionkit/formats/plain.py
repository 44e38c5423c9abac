"""Messages as providers take them, one or a whole conversation on a line: fine-tuning sets, logs, batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.formats.base import Format

if TYPE_CHECKING:
    from sessionkit.formats.head import Head, JsonObject


class Plain(Format):
    """No agent's own records: chat, Anthropic and Gemini messages, Responses items, and lists of them."""

    id = "plain"
    agent = "none"

    def recognises(self, head: Head) -> bool:
        return any(_is_line(entry) for entry in head.objects)


def _is_line(entry: JsonObject) -> bool:
    return _is_conversation(entry) or _is_message(entry) or _is_item(entry) or _is_request(entry)


def _is_conversation(entry: JsonObject) -> bool:
    match entry:
        case {"messages": list(messages)} | {"contents": list(messages)} if "type" not in entry:
            return bool(messages) and all(isinstance(message, dict) and "role" in message for message in messages)
        case _:
            return False


def _is_message(entry: JsonObject) -> bool:
    match entry:
        case {"role": "system" | "developer" | "user" | "assistant" | "tool" | "function", "content": _}:
            return "message" not in entry
        case {"role": "user" | "model" | "function", "parts": list()}:
            return True
        case _:
            return False


def _is_item(entry: JsonObject) -> bool:
    match entry:
        case {"type": "message" | "reasoning" | "function_call" | "function_call_output" | "image_generation_call"}:
            return "payload" not in entry
        case {"type": "custom_tool_call" | "custom_tool_call_output"}:
            return "payload" not in entry
        case _:
            return False


def _is_request(entry: JsonObject) -> bool:
    """Find the conversation one level down: batch files, logs, preference pairs."""
    match entry:
        case {"body": dict(inner)} | {"params": dict(inner)} | {"request": dict(inner)} | {"input": dict(inner)}:
            return _is_conversation(inner)
        case _:
            return False
