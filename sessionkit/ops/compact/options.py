"""What a preview of a compaction is told."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.compaction import DEFAULT, STRATEGIES, strategy_of
from sessionkit.compaction.base import Settings
from sessionkit.compaction.microcompact import Microcompact
from sessionkit.dataclass import dataclass, field, replace
from sessionkit.errors import UsageError
from sessionkit.ops.conversations import NEWEST, Selection
from sessionkit.ops.estimate.image_tokens import ImageTokens
from sessionkit.tokens import PROFILES
from sessionkit.tokens.gates import Gate, Watermark

if TYPE_CHECKING:
    from sessionkit.compaction import Strategy
    from sessionkit.core.stores.addresses import Address
    from sessionkit.providers.base import Provider
    from sessionkit.tokens import Profile

AUTO = "auto"
"""The strategy of the agent that wrote the session."""


class Show(Enum):
    """What is told beside figures: nothing, what a summary would be made from, or the context after it."""

    FIGURES = auto()
    INPUT = auto()
    PROJECTION = auto()


class Images(Enum):
    """Whether media are only counted, or told one by one: then all of them are read."""

    COUNTED = auto()
    NAMED = auto()


class Messages(Enum):
    """Whether messages are only summed up, or listed with what becomes of each."""

    SUMMED = auto()
    LISTED = auto()


class Others(Enum):
    """Whether the other strategies are planned too."""

    NO = auto()
    COMPARED = auto()


class History(Enum):
    """Whether the compactions that the agent has made itself are looked for."""

    NO = auto()
    RECORDED = auto()


@dataclass(frozen=True, slots=True)
class Tombstoned:
    """Tombstones for pictures that are gone, the newest of them."""

    most: int = 20


@dataclass(frozen=True, slots=True)
class Telling:
    """What is told."""

    show: Show = Show.FIGURES
    images: Images = Images.COUNTED
    messages: Messages = Messages.SUMMED
    others: Others = Others.NO
    history: History = History.NO


@dataclass(frozen=True, slots=True)
class Options:
    """How to compact, and what to tell. `strategy` is AUTO or a name; `profile` None is that of the strategy.

    `summary` is the text that would stand for what is summarised; without it nobody knows what the context is afterwards. Where a turn
    is split, `prefix_summary` is that of the turn, which is joined with the `summary` of the history as Pi does it. `window` is
    the model's, in tokens; for a `provider`, the bytes of its request are told. `store` is the asset folder; None for `images` beside
    each session. Raises UsageError for unknown names, for a bad setting of image tokens, for a window of which the gate leaves
    nothing, and for a projection without a summary.
    """

    strategy: str = DEFAULT.name
    settings: Settings = field(default_factory=Settings)
    profile: str | None = None
    image_tokens: ImageTokens = field(default_factory=ImageTokens)
    gate: Gate = field(default_factory=Watermark)
    window: int | None = None
    provider: Provider | None = None
    summary: str | None = None
    prefix_summary: str | None = None
    tombstones: Tombstoned | None = None
    telling: Telling = field(default_factory=Telling)
    store: Address | None = None
    selection: Selection = NEWEST

    def __post_init__(self) -> None:
        _require(self.strategy, [AUTO, *(strategy.name for strategy in STRATEGIES)], "strategy")
        if self.profile is not None:
            _require(self.profile, [profile.name for profile in PROFILES], "profile")
        for strategy in STRATEGIES if self.strategy == AUTO else [self.strategy_for("")]:
            self.image_tokens.of(self.profile or strategy.profile)  # a bad setting is refused before work begins
        self.gate.require_room(self.window)
        if self.telling.show is Show.PROJECTION and not self.is_answered and self.strategy != Microcompact.name:
            why = "it stands in the place of what is summarised"
            raise UsageError("--show projection needs a summary", why=why, hint="name a text file with --summary")

    @property
    def is_answered(self) -> bool:
        """Whether there is a summary."""
        return self.summary is not None or self.prefix_summary is not None

    def strategy_for(self, session_format: str) -> Strategy:
        """Choose the strategy for a session."""
        if self.strategy == AUTO:
            return strategy_of(session_format)
        return next(strategy for strategy in STRATEGIES if strategy.name == self.strategy)

    def settings_for(self, strategy: Strategy, session_format: str) -> Settings:
        """Complete the settings of a strategy for a session."""
        return replace(self.settings, image_tokens=self.image_tokens.of(strategy.profile), session_format=session_format)

    def profile_for(self, strategy: Strategy) -> Profile:
        """Choose and set up the profile that the figures are counted by."""
        profile = next(profile for profile in PROFILES if profile.name == (self.profile or strategy.profile))
        return replace(profile, image_tokens=self.image_tokens.of(profile.name))


def _require(name: str, names: list[str], what: str) -> None:
    if name not in names:
        raise UsageError(f"unknown {what}: {name}", hint=f"one of {', '.join(names)}")
