"""What an estimate tells."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from sessionkit.core.model import Role
from sessionkit.dataclass import dataclass
from sessionkit.tokens import Kind

if TYPE_CHECKING:
    from sessionkit.core.model import Origin, Skipped
    from sessionkit.ops.sources import Source
    from sessionkit.tokens import Cost
    from sessionkit.tokens.anchors import Anchor
    from sessionkit.tokens.gates import Reading


_KINDS = tuple(Kind)
_MEDIA = (Kind.IMAGES, Kind.DOCUMENTS)


class By(StrEnum):
    """What rows are made of."""

    MESSAGE = "message"
    ROLE = "role"
    KIND = "kind"


class NoteKind(StrEnum):
    """Why a number is worth less than it looks."""

    SIZE_UNKNOWN = "size_unknown"
    """An image has the constant, because nothing tells its pixels."""
    MODEL_UNKNOWN = "model_unknown"
    """All images have the constant, because no formula is known for the session's model."""
    BYTES_UNKNOWN = "bytes_unknown"
    """An asset is not there, so the sums of bytes are unknown."""
    UNSUPPORTED_BLOCK = "unsupported_block"
    """A block costs nothing here, because nobody knows what it is."""


@dataclass(frozen=True, slots=True)
class Note:
    """A warning about one block, or about the whole session."""

    kind: NoteKind
    origin: Origin
    cause: str


@dataclass(frozen=True, slots=True)
class MessageCost:
    """One message of the conversation, by its index, and what its parts cost."""

    index: int
    role: Role
    origin: Origin
    costs: tuple[Cost, ...]

    @property
    def tokens(self) -> int:
        """Tokens of the whole message."""
        return sum([cost.tokens for cost in self.costs])


@dataclass(frozen=True, slots=True)
class Row:
    """Tokens of a message, a role or a kind, which `key` names. `origin` is a message's."""

    key: str
    tokens: int
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """What one profile says of a conversation, in tokens.

    `total` is the pure estimate: before and after a change, compare this. `context` is anchored on recorded usage, and so includes
    the system prompt and tools that no session holds. `constant` is what the profile takes for an image of which nothing is known.
    """

    profile: str
    constant: int
    messages: tuple[MessageCost, ...]
    total: int
    context: int
    anchor: Anchor | None

    @property
    def trailing(self) -> int:
        """The part of `context` that is estimated."""
        return self.context - (self.anchor.tokens if self.anchor else 0)

    @property
    def seen(self) -> list[MessageCost]:
        """The messages that the model sees: all but meta messages."""
        meta = Role.META
        return [message for message in self.messages if message.role is not meta]

    @property
    def free_media(self) -> int:
        """How many images and documents cost nothing, because the agent whose profile it is does not look at them."""
        return sum([cost.kind in _MEDIA and not cost.tokens for message in self.messages for cost in message.costs])

    def by_kind(self) -> dict[Kind, int]:
        """Split `total` by what the tokens are spent on; every kind has its place."""
        tokens = dict.fromkeys(_KINDS, 0)
        for message in self.messages:
            for cost in message.costs:
                tokens[cost.kind] += cost.tokens
        return tokens

    def rows(self, by: By) -> list[Row]:
        """Split `total`: by message in their order, by role and by kind with the most expensive first. Only what is seen has rows."""
        match by:
            case By.MESSAGE:
                return [Row(str(message.index), message.tokens, message.origin) for message in self.seen]
            case By.ROLE:
                tokens = Counter[str]()
                for message in self.seen:
                    tokens[message.role] += message.tokens
            case By.KIND:
                tokens = Counter(self.by_kind())
        return [Row(key, count) for key, count in tokens.most_common()]


@dataclass(frozen=True, slots=True)
class MediaTotals:
    """Media of the conversation, each place counted. `spilled` are in assets; `base64` is their size in a request, None if unknown."""

    images: int
    documents: int
    spilled: int
    base64: int | None


@dataclass(frozen=True, slots=True)
class ProfileTotal:
    """What one of several profiles says."""

    profile: str
    total: int
    context: int


@dataclass(frozen=True, slots=True)
class Estimated:
    """A session's next request.

    `base64_as_text` is what the total would be if base64 were counted as text. `wire` is about the size of the request in bytes:
    messages and tools as compact JSON, media as base64. Both, like `media.base64`, are None where an asset is missing.
    `profiles` is empty unless all were asked for. `fails` tells that the gate fired and was to be a finding.
    """

    source: Source
    format: str
    count: Count
    media: MediaTotals
    base64_as_text: int | None
    wire: int | None
    gate: Reading
    fails: bool
    profiles: tuple[ProfileTotal, ...]
    notes: tuple[Note, ...]
    skipped: tuple[Skipped, ...]
