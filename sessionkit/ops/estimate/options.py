"""What an estimate is told."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass, field
from sessionkit.errors import UsageError
from sessionkit.ops.conversations import NEWEST, Selection
from sessionkit.ops.estimate.image_tokens import ImageTokens
from sessionkit.tokens import NEUTRAL, PROFILES, Profile
from sessionkit.tokens.gates import Gate, Watermark

if TYPE_CHECKING:
    from sessionkit.core.stores.addresses import Address

AUTO = "auto"
"""The profile of the agent that wrote the session."""
ALL = "all"
"""Every profile, one beside the other; the first of the shelf is the one that is told in detail."""


class Over(Enum):
    """What it means when the gate fires: a line of the report, or a finding."""

    TELL = auto()
    FAIL = auto()


@dataclass(frozen=True, slots=True)
class Dimensions:
    """Price images by their pixels, for a model: the one named, else one that stands for the provider, else the session's own.

    Raises UsageError for a model or provider that no formula is known for.
    """

    provider: str | None = None
    model: str | None = None

    def __post_init__(self) -> None:
        from sessionkit.tokens.formulas import PROVIDERS, formula_of  # noqa: PLC0415  seldom wanted, and it costs start-up

        if self.provider is not None and self.provider not in PROVIDERS:
            raise UsageError(f"unknown provider: {self.provider}", hint=f"one of {', '.join(PROVIDERS)}")
        if self.model is not None and formula_of(self.model) is None:
            hint = "name a model of Claude, GPT, Gemini or Qwen-VL as its vendor does, or leave --by-dimensions out"
            raise UsageError(f"no formula is known for the model {self.model}", hint=hint)


@dataclass(frozen=True, slots=True)
class Options:
    """How to estimate. `profile` is AUTO, ALL, or the name of one of `profiles`; `window` is the model's, in tokens.

    `dimensions` prices images by their pixels; None by the profile's constant. `store` is the asset folder; None for `images` beside
    each session. Raises UsageError for an unknown profile, for a bad setting that it needs, for a window of which the gate leaves
    nothing, and where `over` is to fail without a window to be over.
    """

    profile: str = NEUTRAL.name
    profiles: tuple[Profile, ...] = PROFILES
    image_tokens: ImageTokens = field(default_factory=ImageTokens)
    dimensions: Dimensions | None = None
    window: int | None = None
    gate: Gate = field(default_factory=Watermark)
    over: Over = Over.TELL
    store: Address | None = None
    selection: Selection = NEWEST

    def __post_init__(self) -> None:
        names = [AUTO, ALL, *(profile.name for profile in self.profiles)]
        if self.profile not in names:
            raise UsageError(f"unknown profile: {self.profile}", hint=f"one of {', '.join(names)}")
        for profile in self.profiles:
            if self.profile in {profile.name, ALL}:
                self.image_tokens.of(profile.name)  # a bad setting is refused before work begins
        self.gate.require_room(self.window)
        if self.over is Over.FAIL and self.window is None:
            raise UsageError("--fail-over needs a window", why="over what is not known", hint="add --window, in tokens, such as 200000")
