"""What a profile is: one agent's way to count the tokens of a conversation.

A profile weighs every part of a message in whole units, some of which make a token, and says what is rounded together. Parts that
are rounded together are rounded as a running sum, so the costs of parts are whole tokens that add up to the total.
Neither the bytes of a medium nor where they lie is looked at: a session and its spilled twin cost the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import Media, MediaKind, Role, Shell, Text, Thinking, ToolCall, ToolResult, Unsupported
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sessionkit.core.model import Block, Message


class Kind(StrEnum):
    """What tokens are spent on. The media of a tool's result count as media; a summary and a shell run as text."""

    SYSTEM = "system"
    TEXT = "text"
    THINKING = "thinking"
    TOOL_CALLS = "tool_calls"
    TOOL_RESULTS = "tool_results"
    IMAGES = "images"
    DOCUMENTS = "documents"


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a message, weighed in units of the profile."""

    kind: Kind
    units: int


Parcel: TypeAlias = tuple[Share, ...]

_SYSTEM, _TEXT, _TOOL_RESULTS, _OF_SYSTEM = Kind.SYSTEM, Kind.TEXT, Kind.TOOL_RESULTS, Role.SYSTEM
"""To look a member up takes longer than to make a share."""


@dataclass(frozen=True, slots=True)
class Cost:
    """A part of a message and its tokens."""

    kind: Kind
    tokens: int


class Rounding(Enum):
    """What becomes of part of a token."""

    UP = auto()
    DOWN = auto()
    HALF_UP = auto()


class Scope(Enum):
    """What is rounded together."""

    PARCEL = auto()
    CONVERSATION = auto()


Pricing: TypeAlias = "Callable[[Media], int | None]"
"""Tokens of one medium; None leaves it to the profile's constant."""


@dataclass(frozen=True, slots=True)
class Profile(ABC):
    """One way to count. `image_tokens` replaces the constant of media, `pricing` goes before both."""

    image_tokens: int | None = None
    pricing: Pricing | None = None

    name: ClassVar[str]
    formats: ClassVar[frozenset[str]] = frozenset()
    """Ids of the session formats whose agent counts this way."""

    units_per_token: ClassVar[int] = 4
    rounding: ClassVar[Rounding] = Rounding.UP
    scope: ClassVar[Scope] = Scope.PARCEL
    medium_units: ClassVar[int] = 4800
    """The constant of an image, and of a document."""

    unseen: ClassVar[frozenset[Role]] = frozenset({Role.META})
    """Roles that are not counted."""

    least: ClassVar[int] = 0
    """The total of nothing at all."""

    @abstractmethod
    def text(self, text: str) -> int:
        """Weigh a text."""

    def total(self, messages: Iterable[Message]) -> int:
        """Count the tokens of a whole conversation."""
        return max(self.least, sum(cost.tokens for costs in self.costs(messages) for cost in costs))

    def costs(self, messages: Iterable[Message]) -> Iterator[tuple[Cost, ...]]:
        """Count the parts of each message in turn."""
        halves, bias, is_by_parcel = 2 * self.units_per_token, self._bias(), self.scope is Scope.PARCEL
        units = tokens = 0
        for message in messages:
            costs = []
            for parcel in self.parcels(message):
                if is_by_parcel:
                    units = tokens = 0
                for share in parcel:
                    units, before = units + share.units, tokens
                    tokens = (2 * units + bias) // halves
                    costs.append(Cost(share.kind, tokens - before))
            yield tuple(costs)

    def units(self, message: Message) -> int:
        """Weigh a whole message, before any rounding."""
        return sum(share.units for parcel in self.parcels(message) for share in parcel)

    def parcels(self, message: Message) -> Iterable[Parcel]:
        """Weigh the parts of a message, those together that are rounded together: all but results, and every result by itself."""
        role = message.role
        if role in self.unseen:
            return ()
        rest: list[Share] = []
        results: list[Parcel] = []
        for block in message.content:
            if isinstance(block, ToolResult):
                results.append(self.result(block))
            else:
                rest.append(self.share(block, role))
        return tuple(rest), *results

    def share(self, block: Block, role: Role) -> Share:
        """Weigh one block; one that nobody here knows costs nothing. Results are for `result`."""
        match block:
            case Text():
                return Share(_SYSTEM if role is _OF_SYSTEM else _TEXT, self.text(block.text))
            case Thinking():
                return Share(Kind.THINKING, self.thinking(block))
            case Media():
                return Share(kind_of(block), self.medium(block, role))
            case ToolCall():
                return Share(Kind.TOOL_CALLS, self.call(block))
            case Shell():
                return Share(Kind.TEXT, self.text(block.command) + self.text(block.output))
            case Unsupported() | ToolResult():
                return Share(Kind.TEXT, 0)

    def thinking(self, block: Thinking) -> int:
        """Weigh reasoning by its text; signatures and encrypted forms cost nothing."""
        return self.text(block.text)

    def medium(self, media: Media, _role: Role) -> int:
        """Weigh an image or document, wherever it stands."""
        tokens = self.pricing(media) if self.pricing else None
        return self.constant(media) if tokens is None else tokens * self.units_per_token

    def constant(self, _media: Media) -> int:
        """Weigh a medium of which nothing is known but that it is one."""
        return self.medium_units if self.image_tokens is None else self.image_tokens * self.units_per_token

    @property
    def constant_tokens(self) -> int:
        """The constant of an image, in whole tokens."""
        return self.image_tokens or -(-self.medium_units // self.units_per_token)

    def call(self, call: ToolCall) -> int:
        """Weigh a call by its name and its arguments as JSON."""
        return self.text(call.name) + self.text(dumps(call.arguments))

    def result(self, result: ToolResult) -> Parcel:
        """Weigh what a call gave back, without the call's id and name."""
        return tuple([self.result_share(block) for block in result.content])

    def result_share(self, block: Text | Media) -> Share:
        """Weigh one block of a result."""
        if isinstance(block, Text):
            return Share(_TOOL_RESULTS, self.text(block.text))
        return Share(kind_of(block), self.medium(block, Role.TOOL))

    def _bias(self) -> int:
        """How many halves of a unit are added to a sum, so that it can be rounded down."""
        match self.rounding:
            case Rounding.UP:
                return 2 * self.units_per_token - 1
            case Rounding.DOWN:
                return 0
            case Rounding.HALF_UP:
                return self.units_per_token


def kind_of(media: Media) -> Kind:
    """Tell images from documents."""
    return Kind.IMAGES if media.kind is MediaKind.IMAGE else Kind.DOCUMENTS
