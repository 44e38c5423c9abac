"""What all reports of `verify` have: the verdict and the sums."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.cli.conduct import Report
from sessionkit.core.stores.addresses import whole
from sessionkit.dataclass import dataclass, field
from sessionkit.errors import ExitCode
from sessionkit.ops.findings import FindingKind, Severity
from sessionkit.ops.verify import Reading, StoreVerified, Verified

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.core.assets import AssetName

Result: TypeAlias = Verified | StoreVerified

_CAVEATS = {Reading.HEADERS: "the hashes were not checked (--fast)"}


@dataclass(slots=True)
class VerifyTotals:
    """Sums over all sessions and stores. `checked` are the different assets of each store that sessions name, with the bytes hashed."""

    sessions: int = 0
    references: int = 0
    checked: dict[tuple[str, AssetName], int] = field(default_factory=dict)
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
                store = str(whole(result.store))
                self.checked.update(((store, asset), size) for asset, size in result.checked.items())
            case StoreVerified():
                self.orphan_bytes += result.orphan_bytes

    @property
    def assets(self) -> int:
        """Different assets that are named; one of several stores counts for each."""
        return len(self.checked)

    @property
    def checked_bytes(self) -> int:
        """Bytes that were hashed and found right."""
        return sum(self.checked.values())

    @property
    def warnings(self) -> int:
        """Number of findings that are warnings."""
        return sum(number for kind, number in self.findings.items() if kind.severity is Severity.WARNING)

    @property
    def errors(self) -> int:
        """Number of the others: what is among the findings is no note."""
        return self.findings.total() - self.warnings


class VerifyReport(Report[Result]):
    """Keeps the sums. Findings that are not notes decide the exit code."""

    def __init__(self, how: Manner, reading: Reading) -> None:
        self._reading = reading
        self._caveat = _CAVEATS.get(reading, "")
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
