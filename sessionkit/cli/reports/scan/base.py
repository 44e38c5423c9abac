"""What all reports of `scan` have: the sums, and the verdict of --fail-on."""

from __future__ import annotations

import heapq
from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.cli.conduct import Report
from sessionkit.dataclass import dataclass, field
from sessionkit.errors import ExitCode

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.core.assets import AssetName
    from sessionkit.core.media.intake import Cause
    from sessionkit.ops.scan import BigLine, ByteKind, LineFault, ScanKind, Scanned


@dataclass(frozen=True, slots=True)
class Choices:
    """What the exit code depends on, and how many of the biggest lines are shown."""

    fail_on: frozenset[ScanKind]
    top: int


@dataclass(slots=True)
class ScanTotals:
    """Sums over all sessions; `has` counts the sessions that have something of a kind.

    `assets` are the different media of all sessions, and `repeated` is the base64 of their occurrences behind the first one in the run.
    """

    sessions: int = 0
    lines: int = 0
    entries: int = 0
    sites: int = 0
    images: int = 0
    taken: int = 0
    repeated: int = 0
    references: int = 0
    kinds: Counter[ByteKind] = field(default_factory=Counter)
    formats: Counter[str] = field(default_factory=Counter)
    stays: Counter[Cause] = field(default_factory=Counter)
    faults: Counter[LineFault] = field(default_factory=Counter)
    has: Counter[ScanKind] = field(default_factory=Counter)
    assets: set[AssetName] = field(default_factory=set)

    def add(self, scanned: Scanned) -> None:
        """Add a session."""
        tally = scanned.tally
        self.sessions += 1
        for figure in ("lines", "entries", "sites", "images", "taken", "repeated", "references"):
            setattr(self, figure, getattr(self, figure) + getattr(tally, figure))
        self.kinds += tally.kinds
        self.formats[scanned.format] += 1
        self.stays += tally.stays
        self.faults += tally.faults
        self.has.update(scanned.kinds())
        self.repeated += sum(size for asset, size in tally.firsts.items() if asset in self.assets)
        self.assets |= tally.assets

    @property
    def duplication(self) -> float:
        """How many times each medium stands in the sessions on average; 1.0 when there are none."""
        return self.taken / len(self.assets) if self.assets else 1.0


class ScanReport(Report["Scanned"]):
    """Keeps the sums and the biggest lines, and says nothing."""

    def __init__(self, how: Manner, choices: Choices) -> None:
        self._voice = how.voice
        self._verbosity = how.verbosity
        self._choices = choices
        self._sums = ScanTotals()
        self._biggest: list[tuple[BigLine, str]] = []

    def add(self, result: Scanned) -> None:
        """Add to the sums, and tell."""
        self._sums.add(result)
        lines = [(line, str(result.source.path)) for line in result.tally.biggest]
        self._biggest = heapq.nlargest(self._choices.top, [*self._biggest, *lines])
        self.tell(result)

    def tell(self, result: Scanned) -> None:
        """Tell of a session."""

    def close(self, code: ExitCode) -> None:
        """Sum up."""

    def refused(self) -> Counter[ScanKind]:
        """Sessions that have what --fail-on refuses, by kind."""
        return Counter({kind: self._sums.has[kind] for kind in sorted(self._choices.fail_on) if self._sums.has[kind]})

    def verdict(self) -> ExitCode:
        """FINDINGS if a session has what --fail-on refuses."""
        return ExitCode.FINDINGS if self.refused() else ExitCode.OK
