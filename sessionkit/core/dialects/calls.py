"""Calls and their results: some vendors name the tool at the call alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import Role, ToolCall, ToolResult
from sessionkit.dataclass import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.model import Block, Message


def name_results(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Give every result without a name that of its call, wherever the call stands."""
    found = tuple(messages)
    names = {block.id: block.name for message in found for block in message.content if isinstance(block, ToolCall)}
    tool = Role.TOOL
    return tuple([_with_names(message, names) if message.role is tool else message for message in found])


def _with_names(message: Message, names: dict[str, str]) -> Message:
    return replace(message, content=tuple([_named(block, names) for block in message.content]))


def _named(block: Block, names: dict[str, str]) -> Block:
    if isinstance(block, ToolResult) and not block.name:
        return replace(block, name=names.get(block.call_id, ""))
    return block
