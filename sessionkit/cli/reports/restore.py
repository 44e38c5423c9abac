"""What `restore` tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.conduct import Manner, Report
from sessionkit.cli.reports.jsonlines import JsonLines, Record, name, note_records
from sessionkit.cli.reports.notes import NoteDigest
from sessionkit.cli.sizes import count, size
from sessionkit.cli.tables import Column, Table
from sessionkit.cli.voice import Verbosity
from sessionkit.errors import ExitCode, Place
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.restore import Native, Options, Restored, RestoreLedger
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from sessionkit.cli.voice import Voice
    from sessionkit.ops.failed import Failed

_COLUMNS = (Column("before", 7), Column("after", 7), Column("restored", 8), Column("left", 6))


def report_for(how: Manner, options: Options, as_json: bool) -> Report[Restored]:
    """Choose a report."""
    if as_json:
        return RestoreJson(how.voice, options)
    return RestoreReport() if how.verbosity is Verbosity.QUIET else RestoreText(how, options)


class RestoreTotals:
    """Sums over all sessions."""

    def __init__(self) -> None:
        self.ledger = RestoreLedger()
        self.sessions = 0
        self.unchanged = 0
        self.resumed = 0

    def add(self, result: Restored) -> None:
        """Add a session."""
        self.sessions += 1
        self.unchanged += result.outcome is Outcome.UNCHANGED
        self.resumed += result.outcome is Outcome.RESUMED
        for figure in ("read", "written", "references", "native", "left"):
            setattr(self.ledger, figure, getattr(self.ledger, figure) + getattr(result.ledger, figure))


class RestoreReport(Report[Restored]):
    """Says nothing, but knows what a reference that had to be left means."""

    def __init__(self) -> None:
        self._totals = RestoreTotals()

    def add(self, result: Restored) -> None:
        """Count a session."""
        self._totals.add(result)

    def close(self, code: ExitCode) -> None:
        """Say nothing in sum."""

    def verdict(self) -> ExitCode:
        """Not all is well as long as an asset is missing."""
        return ExitCode.FINDINGS if self._totals.ledger.left else ExitCode.OK


class RestoreText(RestoreReport):
    """A row for each session that has references, then sums and notes."""

    def __init__(self, how: Manner, options: Options) -> None:
        super().__init__()
        self._voice = how.voice
        self._verbosity = how.verbosity
        self._options = options
        self._table = Table(how.voice, "session", _COLUMNS)
        self._notes = NoteDigest(how.verbosity)

    def add(self, result: Restored) -> None:
        """Write the row of a session, if it has something to say."""
        super().add(result)
        ledger, path = result.ledger, str(result.transfer.source.path)
        for note in ledger.notes:
            self._notes.add(note.cause, Place(path, note.line, note.pointer or None))
        if ledger.references or ledger.notes or self._verbosity is Verbosity.VERBOSE:
            self._table.row(path, size(ledger.read), size(ledger.written), f"{ledger.references:,}", f"{ledger.left:,}")

    def close(self, code: ExitCode) -> None:  # noqa: ARG002  failures are told on their own
        """Sum up."""
        if self._totals.sessions:
            for line in _summary(self._totals, self._options):
                self._voice.paragraph(line, 0)
            self._notes.tell(self._voice, "left as it was")


def _summary(totals: RestoreTotals, options: Options) -> list[str]:
    ledger = totals.ledger
    sizes = f"{size(ledger.read)} before, {size(ledger.written)} after"
    lines = [f"{count(totals.sessions, 'session')}: {sizes}, {count(ledger.references, 'reference')} restored"]
    if ledger.native and options.native is Native.KEEP:
        lines.append(f"{count(ledger.native, 'reference')} of the agent itself kept (--native puts them in)")
    if totals.unchanged:
        lines.append(f"{count(totals.unchanged, 'session')} written already, and unchanged")
    if totals.resumed:
        lines.append(f"{count(totals.resumed, 'session')} resumed: done by an earlier run, and as it left them by size and time")
    if options.writing.effect is Effect.REHEARSE:
        lines.append("dry run: nothing was written")
    return lines


class RestoreJson(RestoreReport):
    """Records by the schema of `restore`."""

    is_for_programs = True

    def __init__(self, voice: Voice, options: Options) -> None:
        super().__init__()
        self._lines = JsonLines(voice, "restore")
        self._is_dry = options.writing.effect is Effect.REHEARSE

    def add(self, result: Restored) -> None:
        """Write the record of a session."""
        super().add(result)
        target = result.transfer.target
        record = {
            "status": "planned" if self._is_dry else result.outcome.name.lower(),
            "target": name(target) if target else "-",
            "store": name(result.store),
            **_figures(result.ledger),
            "notes": note_records(result.ledger.notes),
        }
        self._lines.session(result.transfer.source, record)

    def fail(self, failed: Failed) -> None:
        """Write that a session failed, and why."""
        self._lines.failure(failed)

    def close(self, code: ExitCode) -> None:
        """Write the summary."""
        sums = {
            "unchanged": self._totals.unchanged,
            "resumed": self._totals.resumed,
            "dry_run": self._is_dry,
            **_figures(self._totals.ledger),
        }
        self._lines.summary(sums, code)


def _figures(ledger: RestoreLedger) -> Record:
    return {
        "bytes_before": ledger.read,
        "bytes_after": ledger.written,
        "references": ledger.references,
        "native": ledger.native,
        "left": ledger.left,
    }
