"""Which call a result answers. Ids are no proof: some models use them again in every turn, and some have none."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.model import Role, ToolCall, ToolResult
from sessionkit.dataclass import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.model import Message

Place: TypeAlias = "tuple[int, int]"
"""Index of a message, and of a block in it."""
_Key: TypeAlias = "tuple[str, str]"

_ID, _NAME, _NAME_ALONE, _ANY = "id", "name", "name of a call without an id", "any"


@dataclass(frozen=True, slots=True)
class Pairs:
    """The call of each result that has one; `repeated` are the results of calls that have been answered before."""

    calls: dict[Place, Place]
    repeated: frozenset[Place]

    @property
    def answers(self) -> dict[Place, Place]:
        """The result of each call that has one, in the order of the results."""
        return {call: result for result, call in self.calls.items() if result not in self.repeated}


def pair(messages: Sequence[Message]) -> Pairs:
    """Pair each result with the first open call, in the newest turn before it, of those that it can be meant for."""
    register = _Register()
    calls: dict[Place, Place] = {}
    repeated: set[Place] = set()
    for at, message in enumerate(messages):
        if message.role is not Role.ASSISTANT:
            register.turn += 1
        for index, block in enumerate(message.content):
            match block:
                case ToolCall():
                    register.add(block, (at, index))
                case ToolResult() if (call := register.find(block)) is not None:
                    calls[at, index] = call
                    if register.is_repeated(call):
                        repeated.add((at, index))
    return Pairs(calls, frozenset(repeated))


@dataclass(slots=True)
class _Group:
    """Calls of one turn that a result cannot tell apart, in order, and the one of them that was answered last."""

    turn: int
    still_open: deque[Place] = field(default_factory=deque)
    last: Place | None = None


@dataclass(slots=True)
class _Register:
    """Calls so far, of each key those of its newest turn; a turn is a run of messages of the assistant."""

    turn: int = 0
    _groups: dict[_Key, _Group] = field(default_factory=dict)
    _answered: set[Place] = field(default_factory=set)

    def add(self, call: ToolCall, place: Place) -> None:
        for key in _keys(call):
            group = self._groups.get(key)
            if group is None or group.turn != self.turn:
                group = self._groups[key] = _Group(self.turn)
            group.still_open.append(place)

    def find(self, result: ToolResult) -> Place | None:
        """Return the first open call, else the one that was answered last, unless only its name speaks for it; None if there is none."""
        is_known = not result.call_id or (_ID, result.call_id) in self._groups
        groups = [group for key in self._candidates(result) if (group := self._groups.get(key))]
        for group in groups:
            while group.still_open and group.still_open[0] in self._answered:
                group.last = group.still_open.popleft()
        found = next((group.still_open[0] for group in groups if group.still_open), None)
        if found and result.call_id:
            self._groups.setdefault((_ID, result.call_id), _Group(self.turn, last=found))
        return found or next((group.last for group in groups if group.last and is_known), None)

    def is_repeated(self, call: Place) -> bool:
        """Whether the call was answered before; from now on it is."""
        was_answered = call in self._answered
        self._answered.add(call)
        return was_answered

    def _candidates(self, result: ToolResult) -> Iterator[_Key]:
        """Name what it can know its call by, the surest first. Gemini's API gives no ids, but its client makes some up for results."""
        match result:
            case ToolResult(call_id="", name=""):
                yield _ANY, ""
            case ToolResult(call_id="", name=name):
                yield _NAME_ALONE, name
                yield _NAME, name
            case ToolResult(call_id=id_) if (_ID, id_) in self._groups:
                yield _ID, id_
            case ToolResult(name=name):
                yield _NAME_ALONE, name


def _keys(call: ToolCall) -> Iterator[_Key]:
    yield (_ID, call.id) if call.id else (_NAME_ALONE, call.name)
    yield _NAME, call.name
    yield _ANY, ""
