"""`verify` for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.printable import without_base64
from sessionkit.cli.reports.notes import NoteDigest
from sessionkit.cli.reports.verify.base import Result, VerifyReport
from sessionkit.cli.sizes import count, size
from sessionkit.cli.tables import Column, Table
from sessionkit.cli.voice import Style, Verbosity
from sessionkit.errors import Place
from sessionkit.ops.findings import Severity
from sessionkit.ops.verify import Verified

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.errors import ExitCode
    from sessionkit.ops.findings import Finding, Findings
    from sessionkit.ops.verify import Reading

_COLUMNS = (Column("references", 10), Column("assets", 7), Column("checked", 8), Column("findings", 8))
_FEW = 10
_STYLES = {Severity.ERROR: Style.ALARM, Severity.WARNING: Style.WARNING, Severity.NOTE: Style.FAINT}


class VerifyText(VerifyReport):
    """A row for each session or store with findings, the findings below it, and sums."""

    def __init__(self, how: Manner, reading: Reading) -> None:
        super().__init__(how, reading)
        self._table = Table(how.voice, "session", _COLUMNS)
        self._notes = NoteDigest(how.verbosity)

    def tell(self, result: Result) -> None:
        """Write a row, if it has something to say."""
        self._gather(result.notes)
        if not result.findings.counts and self._verbosity is not Verbosity.VERBOSE:
            return
        found = f"{result.findings.counts.total():,}"
        if isinstance(result, Verified):
            checked = size(result.checked_bytes) if result.checked_bytes else "-"
            self._table.row(str(result.source.path), f"{result.references:,}", f"{result.assets:,}", checked, found)
        else:
            self._table.row(str(result.store), "-", f"{result.assets:,}", "-", found)
        self._list(result.findings)

    def _gather(self, notes: Findings) -> None:
        rest = notes.counts.copy()
        for note in notes.kept:
            rest[note.kind] -= 1
            self._notes.add(f"{note.kind}: {note.cause}", note.place)
        for kind, number in (+rest).items():
            self._notes.add_unplaced(f"{kind}: not kept one by one", number)

    def _list(self, findings: Findings) -> None:
        shown = findings.kept if self._verbosity is Verbosity.VERBOSE else findings.kept[:_FEW]
        for finding in shown:
            self._show(finding)
        rest = findings.counts.total() - len(shown)
        if rest:
            hint = "" if self._verbosity is Verbosity.VERBOSE else " (-v shows them)"
            self._voice.line(f"  … and {rest:,} more{hint}", Style.FAINT)

    def _show(self, finding: Finding) -> None:
        self._voice.paragraph(f"{finding.severity} {finding.kind}, {_within(finding.place)}", 2, _STYLES[finding.severity])
        if finding.asset:
            self._voice.line(f"    {without_base64(finding.asset)}")
        self._voice.paragraph(finding.cause, 4)
        self._voice.paragraph(f"next: {finding.hint}", 4, Style.FAINT)

    def close(self, code: ExitCode) -> None:  # noqa: ARG002  failures are told on their own
        """Sum up."""
        sums = self._sums
        if self._verbosity is Verbosity.QUIET or not sums.sessions:
            return
        checked = f", {size(sums.checked_bytes)} checked" if sums.checked_bytes else ""
        self._voice.line(
            f"{count(sums.sessions, 'session')}: {count(sums.references, 'reference')}, {count(sums.assets, 'asset')}{checked}"
        )
        verdict = f"{count(sums.errors, 'error')}, {count(sums.warnings, 'warning')}" if sums.findings else "nothing is wrong"
        self._voice.line("; ".join(filter(None, (verdict, self._caveat))))
        self._notes.tell(self._voice, "notes")


def _within(place: Place) -> str:
    """Place without the path, which stands in the row above; whole where there is no line."""
    if place.line is None:
        return place.path
    return f"line {place.line}" + ("" if place.pointer is None else f" at {place.pointer or '(root)'}")
