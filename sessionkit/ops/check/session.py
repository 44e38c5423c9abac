"""Check one session."""

from __future__ import annotations

from collections import Counter
from heapq import nsmallest
from typing import TYPE_CHECKING, Final

from sessionkit.dataclass import dataclass, field
from sessionkit.faults import is_cured_unasked
from sessionkit.faults.base import Severity
from sessionkit.faults.open import Options as CaseOptions
from sessionkit.ops.cases import opened, unseen
from sessionkit.ops.check.result import Checked, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.faults.base import Finding
    from sessionkit.faults.case import Case
    from sessionkit.ops.batch import Tick
    from sessionkit.ops.check.options import Options
    from sessionkit.ops.sources import Source

_MOST_KEPT: Final = 1000
"""Findings that are kept one by one, so that memory stays bounded."""

_SEVERITIES: Final = list(Severity)


@dataclass(frozen=True, slots=True)
class Task:
    """A session to check, and how."""

    source: Source
    options: Options


def check_session(task: Task, tick: Tick) -> Checked:
    """Look for every fault that is wanted. Raises UnreadableError for what is no session, and what else opening it raises."""
    options = task.options
    how = CaseOptions(store=options.store, wish=options.wish, depth=options.depth, budget=0)
    with opened(task.source, how) as case:
        tally = _Tally()
        findings = tally.counted(_found(case, task, tick))
        worst = nsmallest(_MOST_KEPT, findings, key=_rank)
        return Checked(task.source, case.format, case.profile.id, tuple(worst), tally.counts, tally.won, tally.curable, tuple(unseen(case)))


def _found(case: Case, task: Task, tick: Tick) -> Iterator[Finding]:
    """Each fault, and the reading before them, is taken for an equal part of the work."""
    faults, size = task.options.faults, task.source.size()
    part = size // (len(faults) + 1)
    tick(size - part * len(faults))
    for fault in faults:
        yield from fault.find(case)
        tick(part)


@dataclass(slots=True)
class _Tally:
    counts: Counter[Kind] = field(default_factory=Counter)
    won: Counter[Kind] = field(default_factory=Counter)
    curable: int = 0

    def counted(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        for finding in findings:
            self.counts[Kind.of(finding)] += 1
            self.won[Kind.of(finding)] += finding.bytes_won
            self.curable += finding.counts and is_cured_unasked(finding)
            yield finding


def _rank(finding: Finding) -> tuple[bool, int, int]:
    """The worst first, and of equally bad ones that on the earlier line."""
    return not finding.counts, _SEVERITIES.index(finding.severity), finding.spot.line
