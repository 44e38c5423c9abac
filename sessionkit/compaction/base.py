"""What a strategy is: one agent's way to make a conversation shorter; and what it plans.

Nothing is summarised here and no message is changed: a plan says where the cut would be, and what a model would get to summarise.
Ranges are of indices into the messages that were given.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum, StrEnum, auto
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from sessionkit.core.model import Message, Role, Text
from sessionkit.dataclass import dataclass
from sessionkit.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.core.model import Media


class Marker(StrEnum):
    """What stands for a medium that was taken out: nothing, its kind, its kind and type, or a note that it was cleared."""

    NONE = "none"
    SHORT = "short"
    MIME = "mime"
    CLEARED = "cleared"


class Compat(Enum):
    """Whether the agent's own code is followed where that loses something: bug for bug."""

    NO = auto()
    UPSTREAM = auto()


class Trigger(StrEnum):
    """What starts a compaction: the agent by itself, perhaps in the midst of a turn, or a person; and what microcompact waits for."""

    AUTO = "auto"
    MANUAL = "manual"
    FORCE = "force"
    IDLE = "idle"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class Settings:
    """How to compact; every strategy takes what it knows.

    `keep_recent_tokens` (pi, my-pi, ink) stay as they are. `fraction` (qwen-split) of the characters are summarised, `retain_rounds`
    are kept before a call in flight. `keep_recent` (microcompact) blocks of each group stay, results of the `compactable` tools are
    cleared (None: those of the agent that wrote `session_format`), from `threshold` characters on. `tool_chars` cuts results in the
    summary's input (None: as the strategy does). `marker` and `trigger` of None are the strategy's own. `image_tokens` replaces the
    constant of media. Raises UsageError for what makes no sense.
    """

    keep_recent_tokens: int = 20_000
    marker: Marker | None = None
    compat: Compat = Compat.NO
    image_tokens: int | None = None
    tool_chars: int | None = None
    fraction: Fraction = Fraction(7, 10)
    retain_rounds: int = 2
    trigger: Trigger | None = None
    keep_recent: int = 5
    compactable: frozenset[str] | None = None
    threshold: int = 500_000
    session_format: str = ""

    def __post_init__(self) -> None:
        if not 0 < self.fraction < 1:
            raise UsageError(f"bad fraction: {float(self.fraction):g}", why="not between 0 and 1", hint="name a share such as 0.7")
        for name in ("keep_recent_tokens", "retain_rounds", "tool_chars", "threshold"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise UsageError(f"bad value of {name.replace('_', '-')}: {value}", why="it is negative", hint="name 0 or more")


class Reason(StrEnum):
    """Why there is nothing to compact."""

    EMPTY = "empty"
    UNDER_BUDGET = "under_budget"
    ENDS_IN_COMPACTION = "ends_in_compaction"
    NO_CUT_POINT = "no_cut_point"
    NOTHING_BEFORE_CUT = "nothing_before_cut"
    SINGLE_TURN = "single_turn"
    NOTHING_BEFORE_SPLIT = "nothing_before_split"
    BELOW_MIN_FRACTION = "below_min_fraction"
    NOTHING_TO_CLEAR = "nothing_to_clear"


class Branch(StrEnum):
    """Which rule of qwen-split chose the split."""

    TARGET = "target"
    ALL_MODEL_END = "all_model_end"
    IN_FLIGHT = "in_flight"
    ALL_TOOL_END = "all_tool_end"
    LAST_USER = "last_user"


@dataclass(frozen=True, slots=True)
class Split:
    """How qwen-split counted: characters of each content (messages without system and meta ones), and where it split them.

    `split` and `dropped` are indices of contents. `share` is that of the head among all characters, `share_after` without its media.
    """

    counts: tuple[int, ...]
    split: int | None = None
    branch: Branch | None = None
    dropped: int | None = None
    share: Fraction | None = None
    share_after: Fraction | None = None


class NoteKind(StrEnum):
    """What a person should know of a plan."""

    NEWEST_MEDIA_SUMMARISED = "newest_media_summarised"
    MEDIA_WITHOUT_TRACE = "media_without_trace"
    SNAPPED_FROM = "snapped_from"
    EMPTY_REQUEST = "empty_request"
    BELOW_MIN_FRACTION_AFTER_STRIP = "below_min_fraction_after_strip"
    INFLATED = "inflated"
    BYTES_UNKNOWN = "bytes_unknown"
    NOT_SENT = "not_sent"


@dataclass(frozen=True, slots=True)
class Note:
    """A warning, and what it is about."""

    kind: NoteKind
    cause: str


@dataclass(frozen=True, slots=True)
class Files:
    """Paths that the summarised part read, and those that it wrote or edited; sorted."""

    read: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()


SummaryInput: TypeAlias = "str | tuple[Message, ...]"
"""What a summary is made from: a transcript, or the messages themselves without their media."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be summarised, and what kept: `messages[cut:]`, the very same objects, but for `dropped`.

    `history` is summarised; so is `prefix`, by a request of its own, where the cut splits a turn. `snapped_from` is the cut that would
    have parted a result from its call. `bridge` tells that the tail starts with an assistant whose prompt is gone.
    `stripped` are the media of the summarised part, for which `marker` stands in the summary's input.
    """

    strategy: str
    cut: int
    history: range
    summary_input: SummaryInput
    marker: Marker
    stripped: tuple[Media, ...]
    prefix: range | None = None
    prefix_input: SummaryInput | None = None
    previous_summary: str | None = None
    snapped_from: int | None = None
    dropped: int | None = None
    bridge: bool = False
    files: Files = Files()
    split: Split | None = None
    notes: tuple[Note, ...] = ()

    @property
    def turn_start(self) -> int | None:
        """Index of the prompt whose turn is split; None if none is."""
        return self.prefix.start if self.prefix else None

    @property
    def traceless(self) -> tuple[Media, ...]:
        """Media for which nothing stands in the summary's input."""
        return self.stripped if self.marker is Marker.NONE else ()


@dataclass(frozen=True, slots=True)
class Nothing:
    """There is nothing to compact. `split` tells how qwen-split came to that, `snapped_from` which cut it had chosen first."""

    strategy: str
    reason: Reason
    snapped_from: int | None = None
    split: Split | None = None


class Group(StrEnum):
    """What microcompact clears: a tool's result, the media of other results, media in a user message."""

    TOOL = "tool"
    NESTED_MEDIA = "nested_media"
    MEDIA = "media"


@dataclass(frozen=True, slots=True)
class Reference:
    """A block that was cleared, by its message and its place in it."""

    message: int
    block: int
    group: Group


@dataclass(frozen=True, slots=True)
class Cleared:
    """Messages with old payloads cleared in place: the same sequence object where there are none. `kept` has every group."""

    strategy: str
    messages: Sequence[Message]
    cleared: tuple[Reference, ...]
    kept: dict[Group, int]
    tokens_saved: int

    @property
    def first_changed(self) -> int | None:
        """Index of the first message that is not as it was."""
        return self.cleared[0].message if self.cleared else None


Outcome: TypeAlias = Plan | Cleared | Nothing


class Strategy(ABC):
    """One way to compact."""

    name: ClassVar[str]
    formats: ClassVar[frozenset[str]] = frozenset()
    """Ids of the session formats whose agent compacts this way."""
    profile: ClassVar[str]
    """Name of the profile of tokens that the agent goes by."""
    marker: ClassVar[Marker]
    """What stands for media unless the settings say otherwise."""

    @abstractmethod
    def plan(self, messages: Sequence[Message], settings: Settings) -> Outcome:
        """Plan; neither the messages nor their blocks are changed."""

    def requests(self, plan: Plan) -> tuple[SummaryInput, ...]:
        """Wrap what the summary's model gets; `{instructions}` stands for the agent's own text. One request for each part that has any."""
        return tuple(part for part in (plan.summary_input, plan.prefix_input) if part)

    def frame(self, summary: str, tail: Sequence[Message]) -> tuple[Message, ...]:
        """Write the messages that stand for what was summarised, in front of a tail."""
        _ = tail
        return (Message(Role.USER, (Text(summary),), plain=True),)

    def wire(self, summary: str) -> str:
        """Write the text that the model gets as the summary."""
        return summary


def marker_of(strategy: Strategy, settings: Settings) -> Marker:
    """Choose what stands for media."""
    return strategy.marker if settings.marker is None else settings.marker
