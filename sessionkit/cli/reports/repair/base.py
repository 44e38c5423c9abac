"""What all reports of `repair` have: the verdict and the sums."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.cli.conduct import Report
from sessionkit.dataclass import dataclass, field
from sessionkit.errors import ExitCode
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.repair import Repaired
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.core.assets import AssetName
    from sessionkit.ops.repair import Options


@dataclass(slots=True)
class RepairTotals:
    """Sums over all sessions. `left` are findings that do harm, in `ill` sessions; `notes` the others that are left."""

    sessions: int = 0
    unchanged: int = 0
    cured: int = 0
    left: int = 0
    ill: int = 0
    notes: int = 0
    before: int = 0
    after: int = 0
    kept: dict[tuple[str, AssetName], int] = field(default_factory=dict)
    absent: Counter[str] = field(default_factory=Counter)

    @property
    def nowhere(self) -> list[str]:
        """Faults that were asked for, and that no session has."""
        return [fault for fault, number in self.absent.items() if number == self.sessions]

    def add(self, result: Repaired) -> None:
        """Add a session."""
        prognosis = result.prognosis
        harm = sum(left.finding.counts for left in prognosis.left)
        self.sessions += 1
        self.unchanged += result.outcome is Outcome.UNCHANGED
        self.cured += len(prognosis.treated)
        self.left += harm
        self.ill += not prognosis.is_clean
        self.notes += len(prognosis.left) - harm + prognosis.more
        self.before += prognosis.before
        self.after += prognosis.after
        self.absent.update(prognosis.absent)
        self.kept |= {(str(result.store), asset): size for asset, size in prognosis.assets.items()}


class RepairReport(Report[Repaired]):
    """Says nothing, but keeps the sums: what is left decides the exit code."""

    def __init__(self, how: Manner, options: Options) -> None:
        self._voice = how.voice
        self._verbosity = how.verbosity
        self._options = options
        self._sums = RepairTotals()

    def add(self, result: Repaired) -> None:
        """Add to the sums, and tell."""
        self._sums.add(result)
        self.tell(result)

    def tell(self, result: Repaired) -> None:
        """Tell of a session."""

    def close(self, code: ExitCode) -> None:
        """Say nothing in sum."""

    def verdict(self) -> ExitCode:
        """FINDINGS if something is left that does harm."""
        return ExitCode.FINDINGS if self._sums.ill else ExitCode.OK

    @property
    def _is_dry(self) -> bool:
        return self._options.writing.effect is Effect.REHEARSE
