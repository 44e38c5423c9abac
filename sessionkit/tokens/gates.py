"""When agents start to compact by themselves: from how many tokens on, given the model's window."""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import ceil
from typing import TYPE_CHECKING, ClassVar

from sessionkit.dataclass import dataclass
from sessionkit.errors import UsageError

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Reading:
    """What a gate says of a context, in tokens. `threshold` and `fires` are None where no window is known: that is no guess."""

    gate: str
    tokens: int
    window: int | None = None
    threshold: int | None = None
    fires: bool | None = None


@dataclass(frozen=True, slots=True)
class Gate(ABC):
    """One agent's rule."""

    name: ClassVar[str]
    fires_at_threshold: ClassVar[bool] = True
    """Or only above it."""

    @property
    def kept_free(self) -> int:
        """Tokens that stay free of any window, however small: a window must be larger."""
        return 0

    @abstractmethod
    def threshold(self, window: int) -> int:
        """Tokens from which on, or above which, compaction starts."""

    def require_room(self, window: int | None) -> None:
        """Raise UsageError for a window that is none, or of which nothing is left."""
        if window is None:
            return
        if window < 1:
            raise UsageError(f"bad window: {window}", hint="name it in tokens, such as 200000")
        if window <= self.kept_free:
            why = f"the gate {self.name} keeps {self.kept_free:,} tokens free"
            raise UsageError(f"a window of {window:,} tokens leaves no room", why=why, hint="name the model's whole window, such as 200000")

    def read(self, tokens: int, window: int | None) -> Reading:
        """Compare the tokens of a context with a window."""
        if window is None:
            return Reading(self.name, tokens)
        threshold = self.threshold(window)
        fires = tokens > threshold or (tokens == threshold and self.fires_at_threshold)
        return Reading(self.name, tokens, window, threshold, fires)


@dataclass(frozen=True, slots=True)
class Watermark(Gate):
    """A share of the window; None is four fifths, without the library of fractions, which takes long to import."""

    fraction: Fraction | None = None

    name = "watermark"
    fires_at_threshold = False

    def threshold(self, window: int) -> int:
        """Round the share down."""
        return window * 4 // 5 if self.fraction is None else int(window * self.fraction)


@dataclass(frozen=True, slots=True)
class PiGate(Gate):
    """All but a reserve."""

    reserve: int = 16_384

    name = "pi"
    fires_at_threshold = False

    @property
    def kept_free(self) -> int:
        """All of the reserve."""
        return self.reserve

    def threshold(self, window: int) -> int:
        """Leave the reserve."""
        return window - self.kept_free


_QWEN_RESERVE = 33_000


@dataclass(frozen=True, slots=True)
class QwenGate(Gate):
    """A share of the window, and all but a reserve where the window is large enough: whichever comes first."""

    name = "qwen"

    def threshold(self, window: int) -> int:
        """Round the share up: from there on it starts."""
        share = -(-window * 17 // 20)
        return min(share, window - _QWEN_RESERVE) if window > _QWEN_RESERVE else share


@dataclass(frozen=True, slots=True)
class CodexGate(Gate):
    """Nine tenths of the raw window, of which the session records 95 %."""

    name = "codex"

    def threshold(self, window: int) -> int:
        """Round the share down."""
        return window * 9 // 10


_CLAUDE_MOST_OUTPUT = 20_000
_CLAUDE_RESERVE = 13_000


@dataclass(frozen=True, slots=True)
class ClaudeGate(Gate):
    """All but the room for an answer and a reserve; by reports only."""

    max_output: int = _CLAUDE_MOST_OUTPUT

    name = "claude"

    @property
    def kept_free(self) -> int:
        """Room for the answer, and the reserve."""
        return min(self.max_output, _CLAUDE_MOST_OUTPUT) + _CLAUDE_RESERVE

    def threshold(self, window: int) -> int:
        """Leave room for the answer."""
        return window - self.kept_free


@dataclass(frozen=True, slots=True)
class GeminiGate(Gate):
    """Half of the window."""

    name = "gemini"

    def threshold(self, window: int) -> int:
        """Round up: from there on it starts."""
        return ceil(window / 2)


GATES: tuple[Gate, ...] = (Watermark(), PiGate(), QwenGate(), CodexGate(), ClaudeGate(), GeminiGate())
