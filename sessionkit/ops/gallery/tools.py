"""Which tool a call was of: also calls on branches that are not sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.content import string
from sessionkit.core.model import ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.case import Case

_IDS = ("id", "callId", "call_id", "toolCallId", "tool_call_id", "tool_use_id")
_NAMES = ("toolName", "tool_name", "name")


def tools_of(case: Case) -> dict[str, str]:
    """Names of tools by the ids of their calls."""
    return {**dict(_recorded(case)), **dict(_sent(case))}


def _sent(case: Case) -> Iterator[tuple[str, str]]:
    for message in case.conversation.messages:
        for block in message.content:
            match block:
                case ToolCall(id=id_, name=name) | ToolResult(call_id=id_, name=name) if name:
                    yield id_, name


def _recorded(case: Case) -> Iterator[tuple[str, str]]:
    """Find every object of an entry that has an id and the name of a function."""
    for record in case.outline.records:
        todo: list[object] = [record.value]
        while todo:
            value = todo.pop()
            if isinstance(value, dict):
                yield from _named(value)
                todo += value.values()
            elif isinstance(value, list):
                todo += value


def _named(value: dict[str, object]) -> Iterator[tuple[str, str]]:
    function = value.get("function")
    named = function if isinstance(function, dict) else value
    tool = next((string(named[name]) for name in _NAMES if named.get(name)), "")
    for name in _IDS if tool else ():
        if id_ := string(value.get(name)):
            yield id_, tool
