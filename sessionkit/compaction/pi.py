"""Pi: keeps the newest tokens, cuts at any message of the user or the assistant, and summarises a split turn's beginning by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.base import Compat, Marker, Nothing, Plan, Reason, Strategy, marker_of
from sessionkit.compaction.files import find_files, list_files
from sessionkit.compaction.head import earlier_summary, noted, seen
from sessionkit.compaction.inputs.pi import transcript
from sessionkit.compaction.pairs import last_whole
from sessionkit.compaction.slimming import strip
from sessionkit.core.model import Message, Role, Text, media_of
from sessionkit.providers.replay.summaries import summary_text
from sessionkit.tokens.pi import Pi as Profile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.compaction.base import Settings, SummaryInput

_CUT_POINTS = frozenset({Role.USER, Role.ASSISTANT})
_INSTRUCTIONS = "{instructions}"
_NO_HISTORY = "No prior history."
_TURN_FOLLOWS = "\n\n---\n\n**Turn Context (split turn):**\n\n"


class Pi(Strategy):
    """The range begins behind the latest compaction: what that one had kept is summarised again."""

    name = "pi"
    formats = frozenset({"pi"})
    profile = Profile.name
    marker = Marker.NONE

    def plan(self, messages: Sequence[Message], settings: Settings) -> Plan | Nothing:
        start = _start(messages)
        if start and messages[start - 1].kept >= len(messages) - start:  # for Pi, what is kept stands before the compaction
            return Nothing(self.name, Reason.ENDS_IN_COMPACTION)
        points = [index for index in range(start, len(messages)) if messages[index].role in _CUT_POINTS]
        if not points:
            return Nothing(self.name, Reason.NO_CUT_POINT)
        stop = _walk(messages, start, settings)
        chosen = points[0] if stop is None else next((point for point in points if point >= stop), points[-1])
        point = chosen if settings.compat is Compat.UPSTREAM else last_whole([at for at in points if at <= chosen], messages, start)
        snapped_from = None if point == chosen else chosen
        if point is None or not seen(messages[start:point]):
            return Nothing(self.name, Reason.UNDER_BUDGET if stop is None else Reason.NOTHING_BEFORE_CUT, snapped_from)
        return noted(self._plan(messages, range(start, point), snapped_from, settings), messages)

    def _plan(self, messages: Sequence[Message], head: range, snapped_from: int | None, settings: Settings) -> Plan:
        cut = _back_over_meta(messages, head)
        turn = _split_turn(messages, head.start, cut if settings.compat is Compat.UPSTREAM else head.stop)
        marker = marker_of(self, settings)
        history = range(head.start, cut if turn is None else turn)
        prefix = None if turn is None else range(turn, cut)
        earlier = messages[head.start - 1] if head.start else None
        summarised = messages[head.start : cut]

        def write(part: range) -> str:
            return transcript(strip(seen(messages[part.start : part.stop]), marker, settings.compat), settings)

        return Plan(
            strategy=self.name,
            cut=cut,
            history=history,
            summary_input=write(history),
            marker=marker,
            stripped=tuple(media_of(seen(summarised))),
            prefix=prefix,
            prefix_input=None if prefix is None else write(prefix),
            previous_summary=None if earlier is None else earlier_summary(earlier, settings.compat),
            snapped_from=snapped_from,
            files=find_files(summarised, earlier),
        )

    def requests(self, plan: Plan) -> tuple[SummaryInput, ...]:
        parts = []
        if plan.summary_input:
            earlier = f"<previous-summary>\n{plan.previous_summary}\n</previous-summary>\n\n" if plan.previous_summary else ""
            parts.append(f"<conversation>\n{plan.summary_input}\n</conversation>\n\n{earlier}{_INSTRUCTIONS}")
        if plan.prefix_input:
            parts.append(f"# Conversation\n{plan.prefix_input}\n\n# Instructions\n{_INSTRUCTIONS}")
        return tuple(parts)

    def frame(self, summary: str, tail: Sequence[Message]) -> tuple[Message, ...]:
        return (Message(Role.COMPACTION, (Text(summary),), plain=True, kept=len(tail)),)

    def wire(self, summary: str) -> str:
        return summary_text(summary, self.name)


def join_answers(plan: Plan, history: str | None, prefix: str) -> str:
    """Make one summary of what both requests were answered, where a turn is split; None is of a history that holds nothing."""
    told = plan.previous_summary or _NO_HISTORY if history is None else history
    return f"{told}{_TURN_FOLLOWS}{prefix}{list_files(plan.files)}"


def _start(messages: Sequence[Message]) -> int:
    return next((index + 1 for index in reversed(range(len(messages))) if messages[index].role is Role.COMPACTION), 0)


def _walk(messages: Sequence[Message], start: int, settings: Settings) -> int | None:
    """Go back until the tokens to keep are reached; None if they never are. The tail is never empty, even of nothing to keep."""
    profile = Profile(settings.image_tokens)
    wanted = max(settings.keep_recent_tokens, 1)
    for index in reversed(range(start, len(messages))):
        wanted -= profile.total([messages[index]])
        if wanted <= 0:
            return index
    return None


def _back_over_meta(messages: Sequence[Message], head: range) -> int:
    cut = head.stop
    while cut > head.start and messages[cut - 1].role is Role.META:
        cut -= 1
    return cut


def _split_turn(messages: Sequence[Message], start: int, cut: int) -> int | None:
    """Find the prompt of the turn that a cut splits. Pi looks at the entry at the cut, even one that the model never sees."""
    if messages[cut].role is Role.USER:
        return None
    return next((index for index in reversed(range(start, cut)) if messages[index].role is Role.USER), None)
