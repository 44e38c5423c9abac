"""Cuts in front of a message of the user: whole turns are kept."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from sessionkit.compaction.base import Compat, Nothing, Plan, Reason, Strategy, marker_of
from sessionkit.compaction.head import earlier_summary, noted, seen
from sessionkit.compaction.pairs import last_whole
from sessionkit.compaction.slimming import strip
from sessionkit.core.model import Role, Shell, Text, ToolResult, media_of
from sessionkit.dataclass import dataclass
from sessionkit.tokens.neutral import Neutral

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sessionkit.compaction.base import Settings
    from sessionkit.core.model import Block, Message

_IN_FRONT = frozenset({Role.SYSTEM, Role.COMPACTION, Role.META})
_CHARACTERS_PER_TOKEN = 4


class UserTurns(Strategy):
    """Everything behind what stands in front is the body; its beginning is summarised by one request."""

    @abstractmethod
    def transcript(self, messages: Sequence[Message], settings: Settings) -> str:
        """Write down what is summarised."""

    def plan(self, messages: Sequence[Message], settings: Settings) -> Plan | Nothing:
        cut = _find_cut(messages, settings)
        if isinstance(cut, Reason):
            return Nothing(self.name, cut)
        marker = marker_of(self, settings)
        head = messages[cut.head.start : cut.head.stop]
        plan = Plan(
            strategy=self.name,
            cut=cut.head.stop,
            history=cut.head,
            summary_input=self.transcript(strip(seen(head), marker, settings.compat), settings),
            marker=marker,
            stripped=tuple(media_of(seen(head))),
            previous_summary=_earlier(messages[: cut.head.start], settings),
            snapped_from=cut.snapped_from,
        )
        return noted(plan, messages)


@dataclass(frozen=True, slots=True)
class _Cut:
    """`head` is summarised; `snapped_from` is the first choice, where that would have parted a result from its call."""

    head: range
    snapped_from: int | None = None


def _earlier(front: Sequence[Message], settings: Settings) -> str | None:
    return next((earlier_summary(message, settings.compat) for message in reversed(front) if message.role is Role.COMPACTION), None)


def _find_cut(messages: Sequence[Message], settings: Settings) -> _Cut | Reason:
    """Keep at least so many tokens, counted in characters with a constant for media, and begin with a message of the user."""
    start = next((index for index, message in enumerate(messages) if message.role not in _IN_FRONT), len(messages))
    if settings.compat is Compat.UPSTREAM:
        return _stored_code(messages, start, settings)
    stop = _walk(messages, start, settings, Neutral(settings.image_tokens).units)
    if stop is None:
        return Reason.UNDER_BUDGET
    users = [index for index in range(start + 1, stop + 1) if messages[index].role is Role.USER]
    cut = last_whole(users, messages, start)
    if cut is None:
        return Reason.SINGLE_TURN
    return _Cut(range(start, cut), None if cut == users[-1] else users[-1])


def _stored_code(messages: Sequence[Message], start: int, settings: Settings) -> _Cut | Reason:
    """Cut behind a message of the user, so that its answer is kept. Images count nothing, and the first message is never looked at."""
    cut = _walk(messages, 1, settings, _text_characters)
    if cut is None:
        return Reason.UNDER_BUDGET
    while cut > 1 and messages[cut - 1].role is not Role.USER:
        cut -= 1
    return _Cut(range(start, cut)) if cut > 1 else Reason.SINGLE_TURN


def _walk(messages: Sequence[Message], start: int, settings: Settings, measure: Callable[[Message], int]) -> int | None:
    """Go back until the characters to keep are reached; None if they never are."""
    wanted = _CHARACTERS_PER_TOKEN * settings.keep_recent_tokens
    for index in reversed(range(start, len(messages))):
        wanted -= measure(messages[index])
        if wanted <= 0:
            return index
    return None


def _text_characters(message: Message) -> int:
    return sum(map(_characters, message.content))


def _characters(block: Block) -> int:
    match block:
        case Text(text=text):
            return len(text)
        case Shell(command=command, output=output):
            return len(command) + len(output)
        case ToolResult(content=content):
            return sum(len(part.text) for part in content if isinstance(part, Text))
        case _:
            return 0
