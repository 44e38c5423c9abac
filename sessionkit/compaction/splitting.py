"""Where qwen-code's splitter parts a history: at a prompt behind the share to summarise, else by how the history ends."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from sessionkit.compaction.base import Branch
from sessionkit.core.model import Role, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.compaction.base import Settings
    from sessionkit.core.model import Message


def choose_split(contents: Sequence[Message], counts: Sequence[int], settings: Settings) -> tuple[int, Branch]:
    """Choose how many of the contents are summarised. Theirs are the characters in `counts`; there is at least one content."""
    target = sum(counts) * settings.fraction
    before = accumulate(counts, initial=0)
    for index, (content, characters) in enumerate(zip(contents, before, strict=False)):
        if _is_prompt(content) and characters >= target:
            return index, Branch.TARGET
    last = contents[-1]
    if is_in_flight(last):
        rounds = _complete_rounds(contents[:-1], settings.retain_rounds)
        return len(contents) - (2 * rounds + 1), Branch.IN_FLIGHT
    if _is_prompt(last):
        return len(contents) - 1, Branch.LAST_USER
    return len(contents), Branch.ALL_MODEL_END if last.role is Role.ASSISTANT else Branch.ALL_TOOL_END


def is_in_flight(content: Message) -> bool:
    """Whether it is a call; at the end of a history its result has yet to come."""
    return content.role is Role.ASSISTANT and any(isinstance(block, ToolCall) for block in content.content)


def _is_prompt(content: Message) -> bool:
    return content.role in {Role.USER, Role.COMPACTION} and not _has_results(content)


def _has_results(content: Message) -> bool:
    return any(isinstance(block, ToolResult) for block in content.content)


def _complete_rounds(contents: Sequence[Message], most: int) -> int:
    """Count calls with their results at the end, up to the first gap."""
    rounds = 0
    while rounds < most and _is_round(contents[len(contents) - 2 * rounds - 2 : len(contents) - 2 * rounds]):
        rounds += 1
    return rounds


def _is_round(contents: Sequence[Message]) -> bool:
    match contents:
        case [call, answer]:
            return is_in_flight(call) and (answer.role is Role.TOOL or _has_results(answer))
        case _:
            return False
