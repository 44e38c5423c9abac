"""Messages as providers take them, one or a whole conversation on a line: fine-tuning sets, logs, batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.calls import name_results
from sessionkit.core.entries import Defect
from sessionkit.core.model import Conversation, Origin, Skipped
from sessionkit.errors import Place, UsageError
from sessionkit.formats.base import Format
from sessionkit.formats.skips import unknown_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionkit.core.entries import Entry
    from sessionkit.formats.head import Head, JsonObject
    from sessionkit.formats.plain.lines import Part


class Plain(Format):
    """No agent's own records: chat, Anthropic and Gemini messages, Responses items, and lists of them."""

    id = "plain"
    agent = "none"

    def recognises(self, head: Head) -> bool:
        return any(_is_line(entry) for entry in head.objects)

    def conversation(self, entries: Iterable[Entry | Defect], path: str, leaf: str | None) -> Conversation:
        """Read the lines in order. A line that is a conversation of its own can be chosen: `leaf` is its number."""
        from sessionkit.formats.plain.lines import read_line

        parts: list[Part] = []
        skipped: list[Skipped] = []
        for entry in entries:
            origin = Origin(path, entry.line)
            if isinstance(entry, Defect):
                skipped.append(Skipped(entry.cause, origin))
            else:
                parts.append(read_line(entry.value, origin))
        chosen = parts if leaf is None else [_choose(parts, leaf, path)]
        messages = name_results(message for part in chosen for message in part.messages)
        skipped += [*(note for part in chosen for note in part.skipped), *_several(chosen), *unknown_parts(messages)]
        return Conversation(self.id, messages, tuple(skipped), tuple(tool for part in chosen for tool in part.tools))


def _choose(parts: Sequence[Part], leaf: str, path: str) -> Part:
    wholes = [part for part in parts if part.is_whole]
    found = next((part for part in wholes if str(part.origin.line) == leaf), None)
    if found is None:
        why = f"{len(wholes)} lines are conversations of their own" if wholes else "all its lines are one conversation"
        hint = f"give the number of a line, from {wholes[0].origin.line} to {wholes[-1].origin.line}" if wholes else "leave the entry away"
        raise UsageError(f"no conversation stands on line {leaf!r}", place=Place(path), why=why, hint=hint)
    return found


def _several(parts: Sequence[Part]) -> Iterable[Skipped]:
    """Say that conversations have been strung together."""
    wholes = [part for part in parts if part.is_whole]
    if len(wholes) > 1:
        why = f"{len(wholes)} lines are conversations of their own, read one after the other: choose one by the number of its line"
        yield Skipped(why, wholes[0].origin)


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
