"""Calls of tools and their results in the entries of a session, as Anthropic, Claude Code and Pi write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.dialects.content import string
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.entries import JsonObject
    from sessionkit.formats.records import Record

_CALLS: Final = frozenset({"tool_use", "toolCall"})
_NEVER_SENT: Final = frozenset({"error", "aborted"})
"""Why a turn stopped that Pi leaves out; the results of its calls are sent all the same."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call, or the result of one. `key` is the id of the call, or what an outline has left of it; `pointer` leads to the block."""

    key: str
    record: Record
    pointer: str

    @property
    def line(self) -> int:
        """The line that it stands on."""
        return self.record.origin.line


def calls_of(record: Record) -> Iterator[Call]:
    """Find the calls of an entry that are sent."""
    message, place = message_of(record.value)
    if string(message.get("stopReason")) not in _NEVER_SENT:
        for at, block in _blocks(message):
            if string(block.get("type")) in _CALLS:
                yield Call(string(block.get("id")), record, f"{place}/content/{at}")


def results_of(record: Record) -> Iterator[Call]:
    """Find the results of an entry; of Pi's the block is the message."""
    message, place = message_of(record.value)
    if message.get("role") == "toolResult" and "toolCallId" in message:
        yield Call(string(message["toolCallId"]), record, place)
    for at, block in _blocks(message):
        if block.get("type") == "tool_result":
            yield Call(string(block.get("tool_use_id")), record, f"{place}/content/{at}")


def is_answer(record: Record) -> bool:
    """Whether an entry is the model's."""
    return message_of(record.value)[0].get("role") == "assistant"


def message_of(value: JsonObject) -> tuple[JsonObject, str]:
    """Give the message of an entry, and its pointer; the entry itself where it is one."""
    message = value.get("message")
    return (message, "/message") if isinstance(message, dict) else (value, "")


def _blocks(message: JsonObject) -> Iterator[tuple[int, JsonObject]]:
    content = message.get("content")
    for at, block in enumerate(content if isinstance(content, list) else []):
        if isinstance(block, dict):
            yield at, block
