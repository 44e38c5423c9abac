"""What all reports of `compact` have: the sums over all sessions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.cli.conduct import Report
from sessionkit.dataclass import dataclass, field

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.compaction.base import Reason
    from sessionkit.errors import ExitCode
    from sessionkit.ops.compact import Compacted


@dataclass(slots=True)
class CompactTotals:
    """Sums over all sessions: tokens that are summarised or cleared are `gone`."""

    sessions: int = 0
    planned: int = 0
    fires: int = 0
    tokens: int = 0
    gone: int = 0
    images: int = 0
    images_gone: int = 0
    recorded: int = 0
    reasons: Counter[Reason] = field(default_factory=Counter)
    strategies: Counter[str] = field(default_factory=Counter)

    def add(self, result: Compacted) -> None:
        """Add a session."""
        self.sessions += 1
        self.planned += result.reason is None
        self.fires += result.gate.fires is True
        self.tokens += result.figures.before.tokens
        self.gone += result.figures.gone
        self.images += result.figures.before.images
        self.images_gone += result.figures.images_gone
        self.recorded += len(result.recorded)
        self.strategies[result.strategy] += 1
        if result.reason:
            self.reasons[result.reason] += 1


class CompactReport(Report["Compacted"]):
    """Keeps the sums, and says nothing."""

    def __init__(self, how: Manner) -> None:
        self._voice = how.voice
        self._verbosity = how.verbosity
        self._sums = CompactTotals()

    def add(self, result: Compacted) -> None:
        """Add to the sums, and tell."""
        self._sums.add(result)
        self.tell(result)

    def tell(self, result: Compacted) -> None:
        """Tell of a session."""

    def close(self, code: ExitCode) -> None:
        """Sum up."""
