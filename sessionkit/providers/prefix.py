"""How far two requests begin alike: so far the vendor's cache serves the later one."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from sessionkit.core.dialects import anthropic, chat, gemini, responses
from sessionkit.core.dialects.content import decode_content
from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import NOWHERE, Message, Role, Text, media_of
from sessionkit.dataclass import dataclass
from sessionkit.errors import UsageError
from sessionkit.providers.differences import first_difference, shown
from sessionkit.providers.units import Body, Piece, Unit, Wire, list_name, units_of
from sessionkit.tokens import NEUTRAL
from sessionkit.tokens.text import utf8_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionkit.core.model import Block
    from sessionkit.providers.body import Steps

CACHED_PRICE: Final = 0.1
"""Of a token that is read from the cache, in parts of the price of one that is not."""


class Outcome(StrEnum):
    """What became of the earlier request in the later one."""

    EQUAL = "equal"
    EXTENDED = "extended"
    """All of it is the beginning of the later one."""
    SHORTENED = "shortened"
    """The later one is a beginning of it."""
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The way to the first difference in one body, and its value there, short and without base64."""

    steps: Steps
    value: str


@dataclass(frozen=True, slots=True)
class Load:
    """What some units cost: estimated tokens, and how many images and documents are among them."""

    tokens: int
    media: int


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two bodies: its units, where it parts from the other (None where it has ended), what is before and behind."""

    units: int
    spot: FirstDifference | None
    before: Load
    behind: Load


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two requests of one conversation; `equal` units at the beginning are the same. `uploaded` are the bytes of the later body."""

    wire: Wire
    equal: int
    earlier: Side
    later: Side
    uploaded: int

    @property
    def outcome(self) -> Outcome:
        """Tell what became of the earlier one."""
        match self.earlier.spot, self.later.spot:
            case None, None:
                return Outcome.EQUAL
            case None, _:
                return Outcome.EXTENDED
            case _, None:
                return Outcome.SHORTENED
            case _:
                return Outcome.BROKEN

    @property
    def again(self) -> int:
        """Tokens that are paid in full once more, at most: as many as stand behind the break in both."""
        return min(self.earlier.behind.tokens, self.later.behind.tokens)

    @property
    def cost_ratio(self) -> float:
        """What the later request's input costs, in parts of what it would have cost without the break."""
        now = self.later.before.tokens * CACHED_PRICE + self.later.behind.tokens
        saved = self.again * (1 - CACHED_PRICE)
        return now / (now - saved) if now else 1.0


def compare(earlier: Body, later: Body) -> Comparison:
    """Find where two bodies part, in the order in which their vendor reads them. Raises UsageError for bodies of two interfaces."""
    if list_name(earlier.wire) != list_name(later.wire):
        raise UsageError("these bodies are for two interfaces", why=f"{earlier.wire} and {later.wire}", hint="compare two for the same one")
    before, after = tuple(units_of(earlier)), tuple(units_of(later))
    parting = _models(earlier, later) or _parting(before, after)
    return Comparison(
        later.wire,
        parting.equal,
        _side(before, earlier.wire, parting.equal, parting.earlier),
        _side(after, later.wire, parting.equal, parting.later),
        utf8_bytes(dumps(later.members)),
    )


@dataclass(frozen=True, slots=True)
class _Parting:
    equal: int
    earlier: FirstDifference | None
    later: FirstDifference | None


def _models(earlier: Body, later: Body) -> _Parting | None:
    """Every model has a cache of its own: with two of them nothing is alike."""
    models = earlier.members.get("model"), later.members.get("model")
    if None in models or models[0] == models[1]:
        return None
    return _Parting(0, *(FirstDifference(("model",), shown(model)) for model in models))


def _parting(before: Sequence[Unit], after: Sequence[Unit]) -> _Parting:
    for equal, (unit, other) in enumerate(zip(before, after, strict=False)):
        spots = _spots(unit, other)
        if spots:
            return _Parting(equal, *spots)
    equal = min(len(before), len(after))
    return _Parting(equal, *(_whole(units[equal]) if equal < len(units) else None for units in (before, after)))


def _spots(unit: Unit, other: Unit) -> tuple[FirstDifference, FirstDifference] | tuple[()]:
    """Find the first difference of two units; nothing if there is none."""
    if len(unit.pieces) != len(other.pieces):  # one of them begins a message
        return _whole(unit), _whole(other)
    for piece, twin in zip(unit.pieces, other.pieces, strict=True):
        found = first_difference(piece.value, twin.value)
        if found:
            return FirstDifference((*piece.steps, *found.steps), shown(found.earlier)), FirstDifference(
                (*twin.steps, *found.steps), shown(found.later)
            )
    return ()


def _whole(unit: Unit) -> FirstDifference:
    return FirstDifference(unit.pieces[0].steps, " ".join(shown(piece.value) for piece in unit.pieces))


def _side(units: Sequence[Unit], wire: Wire, equal: int, spot: FirstDifference | None) -> Side:
    return Side(len(units), spot, _load(units[:equal], wire), _load(units[equal:], wire))


def _load(units: Iterable[Unit], wire: Wire) -> Load:
    messages = [Message(Role.USER, tuple(_decoded(unit.pieces[-1], wire))) for unit in units]
    weight = sum(NEUTRAL.units(message) for message in messages)
    return Load(-(-weight // NEUTRAL.units_per_token), len(list(media_of(messages))))


def _decoded(piece: Piece, wire: Wire) -> Iterable[Block]:
    """Read a tool as text, and a block as its vendor means it."""
    if isinstance(piece.value, str) or piece.steps[0] == "tools":
        return (Text(piece.value if isinstance(piece.value, str) else dumps(piece.value)),)
    match wire:
        case Wire.ANTHROPIC:
            return anthropic.decode_blocks([piece.value], NOWHERE)[0]
        case Wire.OPENAI_CHAT:
            return _decoded_for_chat(piece)
        case Wire.OPENAI_RESPONSES:
            return _decoded_for_responses(piece)
        case Wire.GEMINI:
            return gemini.decode_parts([piece.value], NOWHERE)


def _decoded_for_chat(piece: Piece) -> Iterable[Block]:
    if "tool_calls" in piece.steps:
        return chat.decode_calls({"tool_calls": [piece.value]}, NOWHERE)
    return decode_content([piece.value], NOWHERE, chat.decode_block)[0]


def _decoded_for_responses(piece: Piece) -> Iterable[Block]:
    match piece:
        case Piece((_, int()), dict() as item):
            return responses.decode_item({**item}, NOWHERE).content
        case _:
            return responses.decode_blocks([piece.value], NOWHERE)[0]
