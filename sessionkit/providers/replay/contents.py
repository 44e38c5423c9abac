"""Content wherever it stands: in messages, and in the results that tool messages hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import is_
from typing import TypeAlias

from sessionkit.core.model import Block, Media, Message, Text, ToolResult
from sessionkit.dataclass import replace

Holder: TypeAlias = Message | ToolResult
Change: TypeAlias = Callable[[Holder], Iterable[Block]]
"""Gives the new content of a message or result."""


def with_contents(messages: Iterable[Message], change: Change) -> tuple[Message, ...]:
    """Change the content of every message, and first that of every result in it."""
    return tuple(_changed(message, change) for message in messages)


def with_content(message: Message, content: Iterable[Block]) -> Message:
    """Give a message another content; it stays the same object if every block does."""
    blocks = tuple(content)
    return message if _are_same(blocks, message.content) else replace(message, content=blocks)


def _changed(message: Message, change: Change) -> Message:
    inner = (_with_parts(block, change) if isinstance(block, ToolResult) else block for block in message.content)
    outer = with_content(message, inner)
    return with_content(outer, change(outer))


def _with_parts(result: ToolResult, change: Change) -> ToolResult:
    parts = tuple(block for block in change(result) if isinstance(block, Text | Media))
    return result if _are_same(parts, result.content) else replace(result, content=parts)


def _are_same(blocks: tuple[Block, ...], others: tuple[Block, ...]) -> bool:
    return len(blocks) == len(others) and all(map(is_, blocks, others))
