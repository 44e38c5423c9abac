"""Figures of a compaction: what there was, what there is, and what has to be read anew."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from sessionkit.compaction.base import Cleared, Nothing, Plan
from sessionkit.core.model import Role, media_of
from sessionkit.dataclass import dataclass
from sessionkit.ops.compact.parts import parts_of
from sessionkit.ops.compact.result import At, Cache, Part, Portion, Projected, Side
from sessionkit.ops.compact.result import Cost as MessageCost
from sessionkit.ops.estimate.wire import message_bytes
from sessionkit.tokens import Kind
from sessionkit.tokens.anchors import context
from sessionkit.tokens.text import utf16_units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sessionkit.compaction.base import Outcome, SummaryInput
    from sessionkit.core.model import Message
    from sessionkit.ops.estimate.media import MediaReader
    from sessionkit.tokens import Cost, Profile

_INSTRUCTIONS = "{instructions}"
_UNITS_PER_TOKEN = 4
_MEDIA = frozenset({Kind.IMAGES, Kind.DOCUMENTS})


@dataclass(frozen=True, slots=True)
class Meter:
    """Measures contexts by a profile; `wire` counts the bytes of a whole request, if that is wanted."""

    profile: Profile
    reader: MediaReader
    wire: Callable[[Sequence[Message]], int | None]

    def before(self, messages: Sequence[Message]) -> Side:
        """Measure a context as it is."""
        return Side(self.profile.total(messages), context(messages, self.profile), *self.media(messages), self.wire(messages))

    def after(self, projected: Projected, before: Side) -> Side:
        """Measure what became of a context; what recorded usage counts beside the messages is still there."""
        tokens = self.profile.total(projected.messages)
        total = max(0, before.context + tokens - before.tokens)
        return Side(tokens, total, *self.media(projected.messages), self.wire(projected.sent))

    def portions(self, messages: Sequence[Message], parts: Sequence[Part]) -> tuple[Portion, ...]:
        """Measure each part that has messages."""
        places = {part: [index for index, other in enumerate(parts) if other is part] for part in Part}
        costs = [*self.profile.costs(messages)]
        return tuple(
            self._portion(part, [messages[index] for index in found], chain.from_iterable(costs[index] for index in found))
            for part, found in places.items()
            if any(messages[index].role is not Role.META for index in found)
        )

    def cache(self, messages: Sequence[Message], outcome: Outcome) -> Cache:
        """Find out how much of the context stays in its place, and how much is behind that."""
        changed = _first_changed(messages, outcome)
        tokens = self.costs(messages)
        stable = messages[:changed]
        return Cache(sum(message.role is not Role.META for message in stable), sum(tokens[:changed]), sum(tokens[len(stable) :]), changed)

    def listed(self, messages: Sequence[Message], outcome: Outcome) -> Iterator[MessageCost]:
        """Tell of each message what becomes of it, and what it costs."""
        parts = parts_of(messages, outcome)
        for index, (message, part, costs) in enumerate(zip(messages, parts, self.profile.costs(messages), strict=True)):
            media = sum(cost.tokens for cost in costs if cost.kind in _MEDIA)
            yield MessageCost(At(index, message.role, message.origin), part, sum(cost.tokens for cost in costs), media)

    def costs(self, messages: Sequence[Message]) -> list[int]:
        """Count the tokens of each message, which add up."""
        return [sum(cost.tokens for cost in costs) for costs in self.profile.costs(messages)]

    def _portion(self, part: Part, messages: Sequence[Message], costs: Iterable[Cost]) -> Portion:
        tokens = Counter(dict.fromkeys(Kind, 0))
        for cost in costs:
            tokens[cost.kind] += cost.tokens
        images, documents, base64 = self.media(messages)
        seen = sum(message.role is not Role.META for message in messages)
        whole = None if base64 is None else base64 + message_bytes(messages)
        return Portion(part, seen, tokens.total(), dict(tokens), images, documents, base64, whole)

    def media(self, messages: Sequence[Message]) -> tuple[int, int, int | None]:
        """Count images, documents and the bytes of their base64."""
        totals, _ = self.reader.totals(media_of(messages))
        return totals.images, totals.documents, totals.base64


def input_tokens(requests: Sequence[SummaryInput], profile: Profile) -> int:
    """Count what requests for summaries hold beside the agent's instructions: texts by their length, messages by the agent's profile."""
    return sum(_tokens(request, profile) for request in requests)


def _tokens(request: SummaryInput, profile: Profile) -> int:
    if isinstance(request, str):
        return -(-(utf16_units(request) - len(_INSTRUCTIONS)) // _UNITS_PER_TOKEN)
    return profile.total(request[:-1])


def _first_changed(messages: Sequence[Message], outcome: Outcome) -> int | None:
    """A summary stands behind the first run of system messages."""
    match outcome:
        case Nothing():
            return None
        case Cleared():
            return outcome.first_changed
        case Plan():
            parts = zip(messages, parts_of(messages, outcome), strict=True)
            return next(index for index, (message, part) in enumerate(parts) if part is not Part.SYSTEM and message.role is not Role.META)
