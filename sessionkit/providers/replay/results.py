"""Results of tools, which must stand directly behind the turn of their calls: one for each call."""

from __future__ import annotations

from itertools import accumulate, chain
from typing import TYPE_CHECKING, Final, cast

from sessionkit.core.model import Message, Role, Text, ToolCall, ToolResult, UserKind
from sessionkit.dataclass import replace
from sessionkit.providers.replay.choices import Orphans
from sessionkit.providers.replay.pairing import pair
from sessionkit.providers.replay.remarks import Note, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.providers.replay.pairing import Place

_NO_RESULT: Final = "No result provided"


def answer_calls(messages: tuple[Message, ...], orphans: Orphans) -> Outcome:
    """Move each result behind the turn of its call, in the order of the session, and say of calls without one that there is none.

    A turn is a run of messages of the assistant: those up to its last call become one message, as they were one reply.
    """
    held = _Held(messages, orphans)
    return Outcome(tuple(held.rebuilt()), (*held.late(), *held.notes()))


def answer_in_place(messages: tuple[Message, ...], orphans: Orphans) -> Outcome:
    """Leave messages and results where they are; only a call without a result gets one, behind its message."""
    held = _Held(messages, orphans)
    return Outcome(tuple(chain.from_iterable(map(held.left, range(len(messages))))), tuple(held.notes()))


class _Held:
    """A conversation of which the result of every call is known. What repeats a result, or answers nothing, goes."""

    def __init__(self, messages: tuple[Message, ...], orphans: Orphans) -> None:
        self._messages = messages
        self._orphans = orphans
        self._pairs = pair(messages)
        self._answers = self._pairs.answers

    def left(self, at: int) -> Iterator[Message]:
        """Give what is left of a message, and what belongs behind it."""
        message = self._messages[at]
        if message.role is Role.TOOL:
            calls = {place: self._pairs.calls[place] for place, _ in self._results(at) if place in self._pairs.calls}
            kept = tuple(self._fitted(place, call) for place, call in calls.items() if place not in self._pairs.repeated)
            yield from [replace(message, content=kept)] if kept else []
            yield from self._kept_orphans(at)
            return
        yield message
        missing = tuple(self._made_up(call) for call in self._calls([at]) if call not in self._answers)
        yield from [Message(Role.TOOL, missing, message.origin)] if missing else []

    def rebuilt(self) -> Iterator[Message]:
        """Give the messages turn by turn: one ends where something else stands, be it a result of one of its calls."""
        turn: list[int] = []
        for at, message in enumerate(self._messages):
            match message.role:
                case Role.ASSISTANT:
                    turn.append(at)
                case Role.TOOL if not any(self._kept_orphans(at)):
                    if self._answers_any(turn, at):
                        yield from self._answered(turn)
                        turn = self._behind_calls(turn)
                case _:
                    yield from self._closed(turn)
                    turn = []
                    yield from self._kept_orphans(at) if message.role is Role.TOOL else [message]
        yield from self._closed(turn)

    def late(self) -> Iterator[Note]:
        """Tell of results that the user has spoken before: they move."""
        users = list(accumulate(message.role is Role.USER for message in self._messages))
        for result, call in self._pairs.calls.items():
            if users[result[0]] > users[call[0]] and result not in self._pairs.repeated:
                origin = self._messages[result[0]].content[result[1]].origin
                yield Note("the result stands behind a message of the user: it is sent directly behind its call", origin)

    def notes(self) -> Iterator[Note]:
        """Tell of results that are not sent, and of those that are made up."""
        results = [found for at in range(len(self._messages)) for found in self._results(at)]
        repeated = [result for place, result in results if place in self._pairs.repeated]
        if repeated:
            yield Note(f"{len(repeated)} of the results repeat earlier ones: they are not sent", repeated[0].origin)
        fate = "the user tells it" if self._orphans is Orphans.KEEP else "it is not sent"
        for place, result in results:
            if place not in self._pairs.calls:
                yield Note(f"the result of {_named(result.call_id, result.name)} has no call: {fate}", result.origin)
        for place in self._calls(range(len(self._messages))):
            if place not in self._answers:
                call = self._call(place)
                yield Note(f"{_named(call.id, call.name)} has no result: `{_NO_RESULT}` stands for it", call.origin)

    def _closed(self, turn: list[int]) -> Iterator[Message]:
        yield from self._answered(turn)
        yield from (self._messages[at] for at in self._behind_calls(turn))

    def _answered(self, turn: list[int]) -> Iterator[Message]:
        """Give what a turn says up to its last call, and the results."""
        calls = self._calls(turn)
        if calls:
            yield self._joined(turn[: turn.index(calls[-1][0]) + 1])
            yield self._gathered(calls)

    def _behind_calls(self, turn: list[int]) -> list[int]:
        calls = self._calls(turn)
        return turn[turn.index(calls[-1][0]) + 1 :] if calls else turn

    def _answers_any(self, turn: list[int], at: int) -> bool:
        answered = {self._pairs.calls[place][0] for place, _ in self._results(at) if place in self._pairs.calls}
        return not answered.isdisjoint(turn)

    def _kept_orphans(self, at: int) -> Iterator[Message]:
        if self._orphans is Orphans.KEEP:
            yield from (_as_prompt(result) for place, result in self._results(at) if place not in self._pairs.calls)

    def _calls(self, run: Iterable[int]) -> list[Place]:
        blocks = ((at, index, block) for at in run for index, block in enumerate(self._messages[at].content))
        return [(at, index) for at, index, block in blocks if isinstance(block, ToolCall)]

    def _call(self, place: Place) -> ToolCall:
        return cast("ToolCall", self._messages[place[0]].content[place[1]])

    def _results(self, at: int) -> Iterator[tuple[Place, ToolResult]]:
        for index, block in enumerate(self._messages[at].content):
            if isinstance(block, ToolResult):
                yield (at, index), block

    def _joined(self, run: list[int]) -> Message:
        first, *others = (self._messages[at] for at in run)
        content = chain(first.content, *(message.content for message in others))
        return replace(first, content=tuple(content), plain=False) if others else first

    def _gathered(self, calls: list[Place]) -> Message:
        """Give the results of a turn: those that were recorded, in their order, then what stands for the others."""
        recorded = sorted((self._answers[call], call) for call in calls if call in self._answers)
        found = (self._fitted(result, call) for result, call in recorded)
        missing = (self._made_up(call) for call in calls if call not in self._answers)
        origin = self._messages[recorded[0][0][0] if recorded else calls[-1][0]].origin
        return Message(Role.TOOL, (*found, *missing), origin)

    def _fitted(self, place: Place, of: Place) -> ToolResult:
        """Give a result the id and the name of its call."""
        result, call = cast("ToolResult", self._messages[place[0]].content[place[1]]), self._call(of)
        return replace(result, call_id=call.id, name=call.name or result.name)

    def _made_up(self, place: Place) -> ToolResult:
        call = self._call(place)
        return ToolResult(call.id, call.name, (Text(_NO_RESULT, call.origin),), is_error=True, plain=True, origin=call.origin)


def _as_prompt(result: ToolResult) -> Message:
    heading = Text(f"[result of a lost {_named(result.call_id, result.name)}]", result.origin)
    return Message(Role.USER, (heading, *result.content), result.origin, UserKind.NOTE)


def _named(call: str, name: str) -> str:
    return " ".join(filter(None, (name, "call", call)))
