"""How clients number the messages of their requests, which is not how a rehydrated body numbers them.

The clients send what no session holds: reminders, instructions. Where they put it was seen in requests that they sent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum, auto
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar, Final

from sessionkit.dataclass import dataclass
from sessionkit.errors import UsageError
from sessionkit.providers.body import Placed

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from sessionkit.core.model import Origin
    from sessionkit.providers.body import Steps, Tree


class Kind(Enum):
    """What a message of a body is, as far as clients treat it differently."""

    INSTRUCTIONS = auto()
    PROMPT = auto()
    SUMMARY = auto()
    RESULTS = auto()
    OTHER = auto()


_OF_USER: Final = (Kind.PROMPT, Kind.SUMMARY, Kind.RESULTS)


@dataclass(frozen=True, slots=True)
class Turn:
    """A message of a body, and how many blocks it has; a string is one."""

    kind: Kind
    blocks: int


@dataclass(frozen=True, slots=True)
class Shift:
    """Where a client has a message: its index, and how many blocks stand before those of ours."""

    index: int
    blocks: int = 0


class Layout(ABC):
    """One client."""

    id: ClassVar[str]

    @abstractmethod
    def shifts(self, turns: Iterable[Turn]) -> Iterator[Shift]:
        """Tell for each message where the client has it."""


class Pi(Layout):
    """As it is here."""

    id = "pi"

    def shifts(self, turns: Iterable[Turn]) -> Iterator[Shift]:
        return (Shift(index) for index, _ in enumerate(turns))


class Codex(Layout):
    """Instructions come first, whether the session holds them or not."""

    id = "codex"

    def shifts(self, turns: Iterable[Turn]) -> Iterator[Shift]:
        start = 1
        for index, turn in enumerate(turns):
            if index == 0 and turn.kind is Kind.INSTRUCTIONS:
                start = 0
            yield Shift(start + index)


class ClaudeCode(Layout):
    """User messages in a row are one; a reminder stands first in the first of all, and a system message behind each that asks."""

    id = "claude-code"

    def shifts(self, turns: Iterable[Turn]) -> Iterator[Shift]:
        index, blocks = 0, 1
        for of_user, group in groupby(turns, lambda turn: turn.kind in _OF_USER):
            members = list(group)
            for turn in members:
                yield Shift(index, blocks)
                blocks += turn.blocks
                if not of_user:
                    index, blocks = index + 1, 0
            if of_user:
                index, blocks = index + (2 if members[0].kind is Kind.PROMPT else 1), 0


LAYOUTS: Final[tuple[Layout, ...]] = (ClaudeCode(), Codex(), Pi())


def layout_of(client: str) -> Layout:
    """Find a client's layout; UsageError."""
    found = next((layout for layout in LAYOUTS if layout.id == client), None)
    if found is None:
        raise UsageError(f"unknown client: {client}", hint=f"one of {', '.join(layout.id for layout in LAYOUTS)}")
    return found


def turns_of(messages: Tree, summaries: Container[Origin]) -> list[Turn]:
    """Look at the list of messages of a body; `summaries` are the origins of those that stand for what was before them."""
    return [_turn(message, summaries) for message in messages] if isinstance(messages, list) else []


def _turn(message: Tree, summaries: Container[Origin]) -> Turn:
    is_summary = isinstance(message, Placed) and message.origin in summaries
    value = _bare(message)
    members = value if isinstance(value, dict) else {}
    blocks = _bare(next((members[name] for name in ("content", "output", "parts") if name in members), None))
    size = len(blocks) if isinstance(blocks, list) else 1
    match members.get("role"):
        case "system" | "developer":
            return Turn(Kind.INSTRUCTIONS, size)
        case "user" if is_summary:
            return Turn(Kind.SUMMARY, size)
        case "user":
            return Turn(Kind.RESULTS if isinstance(blocks, list) and any(map(_is_result, blocks)) else Kind.PROMPT, size)
        case _:
            return Turn(Kind.OTHER, size)


def _is_result(block: Tree) -> bool:
    members = _bare(block)
    return isinstance(members, dict) and members.get("type") == "tool_result"


def _bare(tree: Tree) -> Tree:
    while isinstance(tree, Placed):
        tree = tree.value
    return tree


def to_client(steps: Steps, shifts: Sequence[Shift]) -> Steps:
    """Change our way to a block, or to a message, into the client's; a way that leads into no message stays."""
    match steps:
        case (name, int(message), *rest):
            shift = shifts[message]
            return (name, shift.index, *_moved(rest, shift.blocks))
        case _:
            return steps


def from_client(steps: Steps, shifts: Sequence[Shift]) -> Steps | None:
    """Change the client's way into ours; None where it leads to what only the client has put there."""
    match steps:
        case (name, int(index), *rest):
            there = [(message, shift) for message, shift in enumerate(shifts) if shift.index == index]
            block = next((step for step in rest[1:2] if isinstance(step, int)), None)
            if block is not None:
                there = [(message, shift) for message, shift in there if shift.blocks <= block][-1:]
            return next(((name, message, *_moved(rest, -shift.blocks)) for message, shift in there), None)
        case _:
            return steps


def _moved(rest: Sequence[str | int], by: int) -> Sequence[str | int]:
    match rest:
        case [str(content), int(block), *inner]:
            return content, block + by, *inner
        case _:
            return rest
