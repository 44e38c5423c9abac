"""Claude Code: characters by four, block by block."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from sessionkit.core.model import ToolResult
from sessionkit.dataclass import dataclass
from sessionkit.tokens.base import Cost, Profile, Rounding
from sessionkit.tokens.text import utf16_units

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from fractions import Fraction

    from sessionkit.core.model import Message
    from sessionkit.tokens.base import Parcel


@dataclass(frozen=True, slots=True)
class Claude(Profile):
    """Four UTF-16 units make a token, rounded half up per block; every medium is 2000 tokens.

    `factor` goes over the sum, which is then rounded up: 4/3 is reported for some uses.
    """

    factor: Fraction | int = 1

    name = "claude"
    formats = frozenset({"claude-code"})
    rounding = Rounding.HALF_UP
    medium_units = 8000

    def text(self, text: str) -> int:
        """Count UTF-16 units."""
        return utf16_units(text)

    def parcels(self, message: Message) -> Iterator[Parcel]:
        """Weigh each block by itself, those inside of results too."""
        if message.role in self.unseen:
            return
        for block in message.content:
            if isinstance(block, ToolResult):
                yield from ((share,) for share in self.result(block))
            else:
                yield (self.share(block, message.role),)

    def costs(self, messages: Iterable[Message]) -> Iterator[tuple[Cost, ...]]:
        """Apply the factor, as a running sum too."""
        if self.factor == 1:
            yield from Profile.costs(self, messages)
            return
        tokens = 0
        for costs in Profile.costs(self, messages):
            scaled = []
            for cost in costs:
                scaled.append(Cost(cost.kind, ceil((tokens + cost.tokens) * self.factor) - ceil(tokens * self.factor)))
                tokens += cost.tokens
            yield tuple(scaled)
