"""What all reports of `verify` have: the verdict and the sums."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.cli.conduct import Report
from sessionkit.errors import ExitCode
from sessionkit.ops.verify import StoreVerified, Verified

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.ops.findings import FindingKind, Severity

Result: TypeAlias = Verified | StoreVerified


@dataclass(slots=True)
class VerifyTotals:
    """Sums over all sessions and stores."""

    sessions: int = 0
    references: int = 0
    assets: int = 0
    checked_bytes: int = 0
    orphan_bytes: int = 0
    findings: Counter[FindingKind] = field(default_factory=Counter)
    notes: Counter[FindingKind] = field(default_factory=Counter)

    def add(self, result: Result) -> None:
        """Add a session or a store."""
        self.findings += result.findings.counts
        self.notes += result.notes.counts
        match result:
            case Verified():
                self.sessions += 1
                self.references += result.references
                self.assets += result.assets
                self.checked_bytes += result.checked_bytes
            case StoreVerified():
                self.orphan_bytes += result.orphan_bytes

    def of_severity(self, severity: Severity) -> int:
        """Number of findings of a severity."""
        return sum(number for kind, number in self.findings.items() if kind.severity is severity)


class VerifyReport(Report[Result]):
    """Keeps the sums. Findings that are not notes decide the exit code."""

    def __init__(self, how: Manner) -> None:
        self._voice = how.voice
        self._verbosity = how.verbosity
        self._sums = VerifyTotals()

    def add(self, result: Result) -> None:
        """Add to the sums, and tell."""
        self._sums.add(result)
        self.tell(result)

    def tell(self, result: Result) -> None:
        """Tell of a session or a store."""

    def verdict(self) -> ExitCode:
        """FINDINGS if there are any."""
        return ExitCode.FINDINGS if self._sums.findings else ExitCode.OK
