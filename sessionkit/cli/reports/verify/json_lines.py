"""`verify` as JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.printable import without_base64
from sessionkit.cli.reports.jsonlines import JsonLines, Record, name, text
from sessionkit.cli.reports.verify.base import Result, VerifyReport
from sessionkit.ops.verify import Verified

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.errors import ExitCode
    from sessionkit.ops.failed import Failed
    from sessionkit.ops.findings import Finding
    from sessionkit.ops.verify import Reading


class VerifyJson(VerifyReport):
    """Records by the schema of `verify`: sessions, stores that were searched for orphans, and a summary."""

    is_for_programs = True

    def __init__(self, how: Manner, reading: Reading) -> None:
        super().__init__(how, reading)
        self._lines = JsonLines(how.voice, "verify")

    def tell(self, result: Result) -> None:
        """Write the record of a session or a store."""
        status = "findings" if result.findings.counts else "ok"
        found = {"findings": _records(result.findings.kept), "notes": _records(result.notes.kept)}
        if isinstance(result, Verified):
            figures = {"references": result.references, "assets": result.assets, "checked_bytes": result.checked_bytes}
            where = {"status": status, "store": name(result.store), "reading": result.reading.name.lower()}
            self._lines.session(result.source, {**where, **figures, "counts": _counts(result), **found})
        else:
            figures = {"assets": result.assets, "orphan_bytes": result.orphan_bytes}
            self._lines.write("store", {"store": name(result.store), "status": status, **figures, "counts": _counts(result), **found})

    def fail(self, failed: Failed) -> None:
        """Write that a session failed, and why."""
        self._lines.failure(failed)

    def close(self, code: ExitCode) -> None:
        """Write the summary."""
        sums = self._sums
        figures = {
            "reading": self._reading.name.lower(),
            "caveat": self._caveat or None,
            "references": sums.references,
            "assets": sums.assets,
            "checked_bytes": sums.checked_bytes,
            "orphan_bytes": sums.orphan_bytes,
        }
        self._lines.summary({**figures, "counts": {kind.value: number for kind, number in (sums.findings + sums.notes).items()}}, code)


def _counts(result: Result) -> Record:
    return {kind.value: number for kind, number in (result.findings.counts + result.notes.counts).items()}


def _records(findings: list[Finding]) -> list[Record]:
    return [
        {
            "kind": finding.kind.value,
            "severity": finding.severity.value,
            "path": name(finding.place.path),
            "line": finding.place.line,
            "pointer": None if finding.place.pointer is None else text(finding.place.pointer),
            "asset": without_base64(text(finding.asset)) or None,
            "cause": text(finding.cause),
            "hint": text(finding.hint),
        }
        for finding in findings
    ]
