"""What all reports of `check` have: the bar, the verdict and the sums."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from sessionkit.cli.conduct import Report
from sessionkit.dataclass import dataclass, field
from sessionkit.errors import ExitCode, UsageError
from sessionkit.faults import FAULTS
from sessionkit.faults.base import Severity, State
from sessionkit.ops.check import Checked, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.cli.conduct import Manner
    from sessionkit.faults.base import Finding

NOTE: Final = "note"
"""Word for all that is told, what is asleep too."""

_SEVERITIES: Final = tuple(Severity)


@dataclass(frozen=True, slots=True)
class Bar:
    """What makes the command exit with 1: live findings of a severity or a worse one, and faults wherever they stand.

    A `severity` that is None means none of them; `notes` that everything does.
    """

    severity: Severity | None = Severity.DEGRADES
    faults: frozenset[str] = frozenset()
    notes: bool = False

    def refuses(self, kind: Kind) -> bool:
        """Whether findings of a kind make the command exit with 1."""
        return self.notes or kind.fault in self.faults or self._is_too_bad(kind)

    def _is_too_bad(self, kind: Kind) -> bool:
        if self.severity is None or kind.state is not State.LIVE:
            return False
        return _SEVERITIES.index(kind.severity) <= _SEVERITIES.index(self.severity)


def read_bar(words: Iterable[str]) -> Bar:
    """Read the words of --fail-on, each a severity, a fault or `note`; none for the usual bar. Raises UsageError."""
    given = frozenset(words)
    severities = [severity for severity in _SEVERITIES if severity in given]
    faults = frozenset(fault.id for fault in FAULTS if fault.id in given)
    for word in sorted(given - faults - {NOTE, *severities}):
        raise _unknown(word)
    return Bar(severities[-1] if severities else None, faults, NOTE in given) if given else Bar()


def _unknown(word: str) -> UsageError:
    words = [*_SEVERITIES, NOTE, *(fault.id for fault in FAULTS)]
    near = get_close_matches(word, words)
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    hint = f"{meant}say {', '.join(_SEVERITIES)}, {NOTE}, or a fault, which `sessionkit explain` lists"
    return UsageError(f"--fail-on {word}: neither a severity nor a fault", hint=hint)


@dataclass(slots=True)
class CheckTotals:
    """Sums over all sessions. `worst` counts the sessions by their worst finding, `refused` those that the bar refuses.

    `partial` are the sessions that were not looked at as a whole.
    """

    sessions: int = 0
    curable: int = 0
    refused: int = 0
    partial: int = 0
    worst: Counter[Severity] = field(default_factory=Counter)
    counts: Counter[Kind] = field(default_factory=Counter)
    won: Counter[Kind] = field(default_factory=Counter)

    def add(self, checked: Checked) -> None:
        """Add a session."""
        self.sessions += 1
        self.curable += checked.curable
        self.partial += bool(checked.unseen)
        worst = worst_of(checked)
        if worst:
            self.worst[worst] += 1
        self.counts += checked.counts
        self.won += checked.won

    @property
    def findings(self) -> int:
        """Findings that count."""
        return counting(self.counts)

    @property
    def notes(self) -> int:
        """The others."""
        return self.counts.total() - self.findings


def counting(counts: Counter[Kind]) -> int:
    """Number of the findings that count."""
    return sum(number for kind, number in counts.items() if kind.counts)


def worst_of(checked: Checked) -> Severity | None:
    """Severity of the worst finding that counts; None if there is none."""
    return min((kind.severity for kind in checked.counts if kind.counts), key=_SEVERITIES.index, default=None)


class CheckReport(Report[Checked]):
    """Keeps the sums. The bar decides the exit code."""

    def __init__(self, how: Manner, bar: Bar) -> None:
        self._voice = how.voice
        self._verbosity = how.verbosity
        self._bar = bar
        self._sums = CheckTotals()

    def add(self, result: Checked) -> None:
        """Add to the sums, and tell."""
        self._sums.add(result)
        self._sums.refused += any(map(self._bar.refuses, result.counts))
        self.tell(result)

    def tell(self, result: Checked) -> None:
        """Tell of a session."""

    def verdict(self) -> ExitCode:
        """FINDINGS if the bar refuses a session."""
        return ExitCode.FINDINGS if self._sums.refused else ExitCode.OK

    def _is_told(self, finding: Finding) -> bool:
        """Whether it is more than a note, or what --fail-on asks for."""
        return finding.counts or self._bar.refuses(Kind.of(finding))
