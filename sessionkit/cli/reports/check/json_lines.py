"""`check` as JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.check.base import CheckReport, counting, worst_of
from sessionkit.cli.reports.findings import finding_record
from sessionkit.cli.reports.jsonlines import JsonLines, Record, name
from sessionkit.faults.base import Severity, State

if TYPE_CHECKING:
    from collections import Counter

    from sessionkit.cli.conduct import Manner
    from sessionkit.cli.reports.check.base import Bar
    from sessionkit.errors import ExitCode
    from sessionkit.ops.check import Checked, Kind
    from sessionkit.ops.failed import Failed


class CheckJson(CheckReport):
    """Records by the schema of `check`: sessions, and a summary."""

    is_for_programs = True

    def __init__(self, how: Manner, bar: Bar) -> None:
        super().__init__(how, bar)
        self._lines = JsonLines(how.voice, "check")

    def tell(self, result: Checked) -> None:
        """Write the record of a session."""
        worst = worst_of(result)
        path = name(result.source.path)
        records = [(finding.counts, {"path": path, **finding_record(finding)}) for finding in result.findings]
        verdict = {
            "status": "findings" if counting(result.counts) else "ok",
            "worst": worst.value if worst else None,
            "refused": any(map(self._bar.refuses, result.counts)),
        }
        read = {"format": result.format, "profile": result.profile, "unseen": list(result.unseen)}
        found = {
            "curable": result.curable,
            "counts": _counts(result.counts, result.won),
            "findings": [record for counts, record in records if counts],
            "notes": [record for counts, record in records if not counts],
        }
        self._lines.session(result.source, {**verdict, **read, **found})

    def fail(self, failed: Failed) -> None:
        """Write that a session failed, and why."""
        self._lines.failure(failed)

    def close(self, code: ExitCode) -> None:
        """Write the summary."""
        sums = self._sums
        figures = {
            "bricked": sums.worst[Severity.BRICKS],
            "degraded": sums.worst[Severity.DEGRADES],
            "refused": sums.refused,
            "partial": sums.partial,
            "curable": sums.curable,
            "counts": _counts(sums.counts, sums.won),
        }
        self._lines.summary(figures, code)


def _counts(counts: Counter[Kind], won: Counter[Kind]) -> list[Record]:
    return [
        {
            "fault": kind.fault,
            "severity": kind.severity.value,
            "live": kind.state is State.LIVE,
            "number": number,
            "bytes_won": won[kind],
        }
        for kind, number in counts.items()
    ]
