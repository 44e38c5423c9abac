"""What is drawn, before anything is."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass
from sessionkit.ops.compact.result import Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.ops.compact.result import Cost


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on one of the axes, and what it means: an index of a message, or tokens."""

    at: int
    words: str


@dataclass(frozen=True, slots=True)
class Chart:
    """The messages of a conversation in their order, the first one that is kept, and the tokens above which an agent would compact.

    `cut` and `limit` are None where there is none. `title` and the words of marks may hold anything that can be printed.
    """

    title: str
    subtitle: str
    costs: Sequence[Cost]
    cut: Mark | None = None
    limit: Mark | None = None

    @property
    def total(self) -> int:
        """Tokens of all messages."""
        return sum(cost.tokens for cost in self.costs)


@dataclass(frozen=True, slots=True)
class Column:
    """Messages with the same future that are drawn as one, with their tokens together."""

    messages: range
    part: Part
    tokens: int
    media_tokens: int


@dataclass(frozen=True, slots=True)
class PartSum:
    """A part, the number of its messages, and their tokens."""

    part: Part
    messages: int
    tokens: int


def columns(costs: Sequence[Cost], most: int) -> list[Column]:
    """Make a column of each message; of several neighbours, where there would be more than about `most`."""
    size = -(-len(costs) // most) or 1
    return [_column(costs, start, min(start + size, stop)) for start, stop in _stretches(costs) for start in range(start, stop, size)]


def sums(costs: Sequence[Cost]) -> list[PartSum]:
    """Sum up each part that there is."""
    tokens = [(part, [cost.tokens for cost in costs if cost.part is part]) for part in Part]
    return [PartSum(part, len(found), sum(found)) for part, found in tokens if found]


def _stretches(costs: Sequence[Cost]) -> Iterator[tuple[int, int]]:
    """Find where a part begins and ends."""
    for _, group in groupby(range(len(costs)), lambda index: costs[index].part):
        indices = [*group]
        yield indices[0], indices[-1] + 1


def _column(costs: Sequence[Cost], start: int, stop: int) -> Column:
    own = costs[start:stop]
    return Column(range(start, stop), own[0].part, sum(cost.tokens for cost in own), sum(cost.media_tokens for cost in own))
