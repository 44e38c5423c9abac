"""qwen-code's splitter, and Gemini CLI's: a share of the characters is summarised, as the messages themselves without their media."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from sessionkit.compaction.base import Compat, Marker, Note, NoteKind, Nothing, Plan, Reason, Split, Strategy, Trigger, marker_of
from sessionkit.compaction.head import UNSEEN, noted, seen
from sessionkit.compaction.inputs.texts import sound
from sessionkit.compaction.pairs import last_whole
from sessionkit.compaction.rewriting import Rewriting
from sessionkit.compaction.slimming import strip
from sessionkit.compaction.splitting import choose_split, is_in_flight
from sessionkit.core.model import Message, Role, Text, media_of
from sessionkit.dataclass import replace
from sessionkit.tokens.qwen import Qwen as Profile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.compaction.base import Settings, SummaryInput
    from sessionkit.core.model import Json

_LEAST_SHARE = Fraction(1, 20)
_INSTRUCTIONS = Message(Role.USER, (Text("{instructions}"),), plain=True)
_ACKNOWLEDGED = Message(Role.ASSISTANT, (Text("Got it. Thanks for the additional context!"),))
_GO_ON = Message(Role.USER, (Text("Continue with the prior task using the context above."),))


class QwenSplit(Strategy):
    """Contents are the messages without system and meta ones; an earlier summary is a content like the user's."""

    name = "qwen-split"
    formats = frozenset({"qwen-code", "gemini-cli"})
    profile = Profile.name
    marker = Marker.MIME

    def plan(self, messages: Sequence[Message], settings: Settings) -> Plan | Nothing:
        everything = [index for index, message in enumerate(messages) if message.role not in UNSEEN]
        places = _without_orphan(messages, everything, settings)
        contents = [messages[place] for place in places]
        dropped = len(places) if places != everything else None
        counts = tuple(map(Profile(settings.image_tokens).units, contents))
        if not contents:
            return Nothing(self.name, Reason.EMPTY, split=Split(counts, dropped=dropped))
        chosen, branch = choose_split(contents, counts, settings)
        at = chosen if settings.compat is Compat.UPSTREAM else last_whole(range(chosen + 1), contents) or 0
        split = Split(counts, at, branch, dropped, Fraction(sum(counts[:at]), sum(counts) or 1))
        cuts = [*places, places[-1] + 1]
        snapped_from = None if at == chosen else cuts[chosen]
        reason = _too_little(split)
        if reason:
            return Nothing(self.name, reason, snapped_from, split)
        plan = self._plan(contents, cuts[at], split, settings)
        return noted(replace(plan, snapped_from=snapped_from, dropped=None if dropped is None else everything[-1]), messages)

    def _plan(self, contents: Sequence[Message], cut: int, split: Split, settings: Settings) -> Plan:
        assert split.split is not None
        head = contents[: split.split]
        marker = marker_of(self, settings)
        stripped = strip(head, marker, settings.compat)
        after = Fraction(sum(map(Profile(settings.image_tokens).units, stripped)), sum(split.counts))
        return Plan(
            strategy=self.name,
            cut=cut,
            history=range(cut),
            summary_input=tuple(Rewriting(partial(sound, compat=settings.compat), _as_it_is).messages(stripped)),
            marker=marker,
            stripped=tuple(media_of(head)),
            bridge=_begins_with_assistant(contents[split.split :]),
            split=replace(split, share_after=after),
            notes=_notes(after),
        )

    def requests(self, plan: Plan) -> tuple[SummaryInput, ...]:
        """Add a closing instruction to the messages."""
        assert not isinstance(plan.summary_input, str)
        return ((*plan.summary_input, _INSTRUCTIONS),)

    def frame(self, summary: str, tail: Sequence[Message]) -> tuple[Message, ...]:
        said = (Message(Role.USER, (Text(summary),)), _ACKNOWLEDGED)
        return (*said, _GO_ON) if _begins_with_assistant(tail) else said


def _begins_with_assistant(tail: Sequence[Message]) -> bool:
    return any(message.role is Role.ASSISTANT for message in seen(tail)[:1])


def _without_orphan(messages: Sequence[Message], places: list[int], settings: Settings) -> list[int]:
    """Leave out a call in flight if a person asks: its result will not come. If the agent does, it is still on its way."""
    orphan = settings.trigger is Trigger.MANUAL and places and is_in_flight(messages[places[-1]])
    return places[:-1] if orphan else places


def _too_little(split: Split) -> Reason | None:
    if not split.share:
        return Reason.NOTHING_BEFORE_SPLIT
    return Reason.BELOW_MIN_FRACTION if split.share < _LEAST_SHARE else None


def _notes(share_after: Fraction) -> tuple[Note, ...]:
    if share_after >= _LEAST_SHARE:
        return ()
    what = f"without its media the summarised part is {float(share_after):.1%} of all characters"
    return (Note(NoteKind.BELOW_MIN_FRACTION_AFTER_STRIP, what),)


def _as_it_is(value: Json) -> Json:
    return value
