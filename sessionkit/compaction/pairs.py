"""No result without its call: a cut must not part them, or the provider refuses what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sessionkit.core.model import Message


def last_whole(cuts: Iterable[int], messages: Sequence[Message], start: int = 0) -> int | None:
    """Find the last of these ascending cuts that parts no result from its call; None if there is none.

    Calls before `start` do not count: they are gone already.
    """
    earliest = _earliest_calls(messages, start)
    return next((cut for cut in reversed([*cuts]) if earliest[cut] >= cut), None)


def _earliest_calls(messages: Sequence[Message], start: int) -> list[int]:
    """For each cut, the place of the first call of all results behind the cut; if that is before the cut, the two would be parted."""
    earliest = [len(messages)] * (len(messages) + 1)
    for result, call in _pairs(messages, start):
        earliest[result] = min(earliest[result], call)
    for cut in reversed(range(len(messages))):
        earliest[cut] = min(earliest[cut], earliest[cut + 1])
    return earliest


def _pairs(messages: Sequence[Message], start: int) -> Iterator[tuple[int, int]]:
    """Places of each result and of the nearest call before it that has its id."""
    calls: dict[str, int] = {}
    for index in range(start, len(messages)):
        for block in messages[index].content:
            match block:
                case ToolCall():
                    calls[block.id] = index
                case ToolResult() if block.call_id in calls:
                    yield index, calls[block.call_id]
