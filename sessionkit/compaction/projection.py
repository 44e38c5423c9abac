"""The context after a compaction: the system's messages, the summary, and what is kept.

The head is frozen until the next compaction: messages that come later are appended, and nothing before them changes. So neither a
clock nor a count gets into the summary, and tombstones go by what was there when the compaction was planned.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from sessionkit.compaction.base import Group
from sessionkit.compaction.clearing import Clearing
from sessionkit.compaction.tombstones import sights
from sessionkit.core.model import Message, Role, Text, ToolCall, UserKind, media_of
from sessionkit.dataclass import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.compaction.base import Cleared, Plan, Settings, Strategy
    from sessionkit.compaction.tombstones import Identity, Tombstones
    from sessionkit.core.model import Block


@dataclass(frozen=True, slots=True)
class Epoch:
    """A plan, the strategy that made it, and the number of messages that it was made for."""

    strategy: Strategy
    plan: Plan
    planned_at: int


@dataclass(frozen=True, slots=True)
class Boundary:
    """Where the summary ends; a mark for reports, which is never sent. The first compaction of a conversation is epoch 1."""

    epoch: int
    kept_from: int
    planned_at: int


@dataclass(frozen=True, slots=True)
class Projection:
    """What the next request starts from: `front` is the system and the summary, `tail` the kept messages, the very same objects.

    `wire` is the text that the model gets as the summary.
    """

    front: tuple[Message, ...]
    boundary: Boundary
    tail: tuple[Message, ...]
    wire: str

    @property
    def messages(self) -> tuple[Message, ...]:
        """All of it, in order."""
        return (*self.front, *self.tail)

    @property
    def sent(self) -> tuple[Message, ...]:
        """All of it as it goes out, whatever agent wrote the session: a summary of ours is a text of the user."""
        return (*map(self._spoken, self.front), *self.tail)

    def _spoken(self, message: Message) -> Message:
        if message.role is not Role.COMPACTION:
            return message
        return Message(Role.USER, (Text(self.wire),), kind=UserKind.NOTE)


class Worth(StrEnum):
    """Whether a compaction was worth it."""

    SMALLER = "smaller"
    EQUAL = "equal"
    INFLATED = "inflated"


def project(messages: Sequence[Message], epoch: Epoch, summary: str, tombstones: Tombstones | None = None) -> Projection:
    """Put a summary, as it is given, in the place of what was summarised; an earlier summary goes with it."""
    plan, planned = epoch.plan, messages[: epoch.planned_at]
    kept = tuple(message for at, message in enumerate(planned) if at >= plan.cut and at != plan.dropped and message.role is not Role.SYSTEM)
    told = "\n".join(tombstones.lines(planned, plan.cut)) if tombstones else ""
    text = f"{summary}\n\n{told}" if told else summary
    return Projection(
        (*(message for message in planned if message.role is Role.SYSTEM), *epoch.strategy.frame(text, kept)),
        Boundary(1 + sum(message.role is Role.COMPACTION for message in planned), plan.cut, epoch.planned_at),
        (*kept, *messages[epoch.planned_at :]),
        epoch.strategy.wire(text),
    )


def bury(messages: Sequence[Message], cleared: Cleared, settings: Settings, tombstones: Tombstones) -> Sequence[Message]:
    """Clear what microcompact cleared of these messages, with tombstones for media that cannot be seen elsewhere."""
    newest = graves(messages, cleared, tombstones)
    by_type = Clearing.by(settings)
    clearing = replace(by_type, write=lambda media: newest.get(tombstones.identity(media)) or by_type.write(media))
    return clearing.clear(messages, cleared.cleared) if newest else cleared.messages


def graves(messages: Sequence[Message], cleared: Cleared, tombstones: Tombstones) -> dict[Identity, str]:
    """Write the tombstones of media that were cleared one by one, and not with all of a result."""
    places = {(reference.message, reference.block) for reference in cleared.cleared if reference.group is not Group.TOOL}
    lost = (replace(message, content=tuple(_lost(message, at, places))) for at, message in enumerate(messages))
    lines = tombstones.each(sights(lost), media_of(cleared.messages))
    return dict([*lines.items()][max(0, len(lines) - tombstones.most) :])


def judge(before: int, after: int) -> Worth:
    """Compare two estimates of the whole context."""
    if after == before:
        return Worth.EQUAL
    return Worth.SMALLER if after < before else Worth.INFLATED


def stable_messages(before: Sequence[Message], after: Sequence[Message]) -> int:
    """Count the messages at the beginning that stay as they were: those that a provider may still have in its cache."""
    return next((at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), min(len(before), len(after)))


def _lost(message: Message, index: int, places: set[tuple[int, int]]) -> Iterator[Block]:
    """Leave the blocks at these places, and calls, which know names."""
    return (block for at, block in enumerate(message.content) if isinstance(block, ToolCall) or (index, at) in places)
