"""What a preview of a compaction tells."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from sessionkit.compaction.base import Cleared, Nothing, Plan, Reason
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sessionkit.compaction.base import Note, Outcome, Settings, SummaryInput
    from sessionkit.compaction.projection import Boundary, Worth
    from sessionkit.compaction.recorded import Recorded
    from sessionkit.core.model import MediaKind, Message, Origin, Role, Skipped
    from sessionkit.core.pixels import Size
    from sessionkit.ops.sources import Source
    from sessionkit.tokens import Kind
    from sessionkit.tokens.gates import Reading


class Part(StrEnum):
    """What becomes of a message.

    EARLIER is in front of what is summarised now: a summary, which is passed on, and what that one stands for.
    CLEARED messages lose old payloads, and DROPPED is a call in flight that nobody waits for.
    """

    SYSTEM = "system"
    EARLIER = "earlier"
    HISTORY = "history"
    PREFIX = "prefix"
    CLEARED = "cleared"
    DROPPED = "dropped"
    KEPT = "kept"


STAYING = frozenset({Part.SYSTEM, Part.KEPT})
"""What stays as it is."""


@dataclass(frozen=True, slots=True)
class Portion:
    """The messages of one part, as they were before; those that the model never sees are not counted.

    `by_kind` splits `tokens` by what they are spent on; every kind has its place. `bytes` is about the size of the messages in a
    request, of which `media_bytes` are base64; both are None if an asset is missing.
    """

    part: Part
    messages: int
    tokens: int
    by_kind: Mapping[Kind, int]
    images: int
    documents: int
    media_bytes: int | None
    bytes: int | None


class Fate(StrEnum):
    """What becomes of a medium: a tombstone is left of one, nothing or a placeholder of others."""

    KEPT = "kept"
    STRIPPED = "stripped"
    TOMBSTONE = "tombstone"
    CLEARED = "cleared"


@dataclass(frozen=True, slots=True)
class Destiny:
    """A medium, and what becomes of it. `bytes`, `sha256` and `size` are those of the decoded medium; None where nothing tells them.

    `media_type` is by its bytes if they can be read, else what the session says. `message` is an index. `tombstone` is the line that
    is left of it, `trouble` why it could not be sent.
    """

    message: int
    part: Part
    fate: Fate
    kind: MediaKind
    media_type: str | None
    size: Size | None
    bytes: int | None
    sha256: str | None
    origin: Origin
    tombstone: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """The context before or after. `context` starts from recorded usage; `wire_bytes` are those of a whole request.

    None is unknown: an asset is missing, or no provider is named.
    """

    tokens: int
    context: int
    images: int
    documents: int
    media_bytes: int | None
    wire_bytes: int | None


@dataclass(frozen=True, slots=True)
class Cache:
    """How much of the provider's prefix cache survives: that many messages, from the first on, and their tokens.

    `tokens_behind` have to be read anew, as far as they are still there. `first_changed` is the index of the first other message.
    """

    stable_messages: int
    stable_tokens: int
    tokens_behind: int
    first_changed: int | None


@dataclass(frozen=True, slots=True)
class At:
    """A message by its index, and how it begins, where that is told; behind the last one there is none."""

    index: int
    role: Role | None
    origin: Origin
    says: str = ""


@dataclass(frozen=True, slots=True)
class Cost:
    """A message, what becomes of it, and its tokens; `media_tokens` are a part of them."""

    at: At
    part: Part
    tokens: int
    media_tokens: int


@dataclass(frozen=True, slots=True)
class Projected:
    """The context that the next request would start from, and as it is `sent`. Only a summary has a boundary, and a text on the wire."""

    messages: tuple[Message, ...]
    sent: tuple[Message, ...]
    boundary: Boundary | None = None
    wire: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """What another strategy would do, in the tokens of the same profile. Without a reason it does something.

    `gone` tokens are summarised, or cleared; `stays` are those of the rest, `images` and `media_bytes` too.
    """

    strategy: str
    reason: Reason | None
    cut: At | None
    is_split: bool
    gone: int
    stays: int
    images: int
    media_bytes: int | None
    input_tokens: int


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a preview. `after` and `verdict` are None where no summary is given, and where there is nothing to do.

    `gone` are the tokens and `images_gone` the images that are summarised or cleared, and not what comes in their place.
    `input_tokens` are those of the requests for summaries, without the agent's own instructions.
    """

    portions: tuple[Portion, ...]
    before: Side
    after: Side | None
    verdict: Worth | None
    cache: Cache
    gone: int
    images_gone: int
    input_tokens: int

    @property
    def stays(self) -> int:
        """Tokens of what stays."""
        return self.before.tokens - self.gone


@dataclass(frozen=True, slots=True)
class Compacted:
    """A session, and what a compaction would make of it. `settings` are complete, and may have defaults of the strategy's own.

    `messages`, `media`, `requests`, `projected`, `compared` and `recorded` are empty unless they were asked for.
    `request_limit` is the most bytes that the provider takes; None if none is named.
    """

    source: Source
    format: str
    strategy: str
    settings: Settings
    profile: str
    gate: Reading
    request_limit: int | None
    outcome: Outcome
    cut: At | None
    turn_start: At | None
    figures: Figures
    messages: tuple[Cost, ...]
    media: tuple[Destiny, ...]
    requests: tuple[SummaryInput, ...]
    projected: Projected | None
    compared: tuple[Compared, ...]
    recorded: tuple[Recorded, ...]
    notes: tuple[Note, ...]
    skipped: tuple[Skipped, ...]

    @property
    def reason(self) -> Reason | None:
        """Why there is nothing to do; None if there is."""
        return reason_of(self.outcome)


def reason_of(outcome: Outcome) -> Reason | None:
    """Tell why nothing is to be done; None if something is."""
    match outcome:
        case Nothing(reason=reason):
            return reason
        case Cleared(cleared=()):
            return Reason.NOTHING_TO_CLEAR
        case Plan() | Cleared():
            return None
