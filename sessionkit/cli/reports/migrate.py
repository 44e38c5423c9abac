"""What `migrate` tells."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.cli.conduct import Manner, Report, Silence
from sessionkit.cli.reports.jsonlines import JsonLines, Record, name, note_records, text
from sessionkit.cli.reports.notes import NoteDigest
from sessionkit.cli.sizes import count, share, size
from sessionkit.cli.tables import Column, Table
from sessionkit.cli.voice import Verbosity
from sessionkit.core.stores.base import Stored
from sessionkit.errors import Place
from sessionkit.ops.ledger import Kept, Ledger, Stock, keep, take_stock
from sessionkit.ops.migrate import Migrated
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from sessionkit.cli.voice import Voice
    from sessionkit.core.assets import AssetName
    from sessionkit.errors import ExitCode
    from sessionkit.ops.failed import Failed

_COLUMNS = (Column("before", 7), Column("after", 7), Column("media", 6), Column("unique", 6), Column("saved", 6))
_STORED = {Stored.NEW: "new", Stored.REUSED: "reused", Stored.REPAIRED: "repaired", Stored.KNOWN: "repeated"}


def report_for(how: Manner, effect: Effect, as_json: bool) -> Report[Migrated]:
    """Choose a report."""
    if as_json:
        return MigrateJson(how.voice, effect)
    return Silence() if how.verbosity is Verbosity.QUIET else MigrateText(how, effect)


class MigrateTotals:
    """Sums over all sessions."""

    def __init__(self) -> None:
        self.ledger = Ledger()
        self.sessions = 0
        self.unchanged = 0
        self.resumed = 0
        self._stores: dict[str, dict[AssetName, Kept]] = {}

    def add(self, result: Migrated) -> None:
        """Add a session."""
        self.ledger.append(result.ledger)
        if result.ledger.assets:
            keep(self._stores.setdefault(str(result.store), {}), result.ledger.assets)
        self.sessions += 1
        self.unchanged += result.outcome is Outcome.UNCHANGED
        self.resumed += result.outcome is Outcome.RESUMED

    @property
    def stock(self) -> Stock:
        """What became of all media: two processes may have met one asset at the same time."""
        return take_stock(self.ledger.sites, self._stores.values())

    @property
    def reference_bytes(self) -> int:
        """Mean size of a reference."""
        return round(self.ledger.references / self.ledger.sites) if self.ledger.sites else 0


class MigrateText(Report[Migrated]):
    """A row for each session that has media, then sums and notes."""

    def __init__(self, how: Manner, effect: Effect) -> None:
        self._voice = how.voice
        self._verbosity = how.verbosity
        self._effect = effect
        self._table = Table(how.voice, "session", _COLUMNS)
        self._totals = MigrateTotals()
        self._notes = NoteDigest(how.verbosity)

    def add(self, result: Migrated) -> None:
        """Write the row of a session, if it has something to say."""
        self._totals.add(result)
        ledger = result.ledger
        if ledger.causes:
            self._add_notes(str(result.transfer.source.path), ledger)
        if ledger.sites or ledger.causes or self._verbosity is Verbosity.VERBOSE:
            saved = share(ledger.read - ledger.written, ledger.read)
            figures = (size(ledger.read), size(ledger.written), f"{ledger.sites:,}", f"{len(ledger.assets):,}", saved)
            self._table.row(str(result.transfer.source.path), *figures)

    def _add_notes(self, path: str, ledger: Ledger) -> None:
        for note in ledger.notes:
            self._notes.add(note.cause, Place(path, note.line, note.pointer or None))
        for cause, number in (ledger.causes - Counter(note.cause for note in ledger.notes)).items():
            self._notes.add_unplaced(cause, number)

    def close(self, code: ExitCode) -> None:  # noqa: ARG002  failures are told on their own
        """Sum up."""
        if self._totals.sessions:
            for line in _summary(self._totals, self._effect):
                self._voice.paragraph(line, 0)
            self._notes.tell(self._voice, "left as it was")


def _summary(totals: MigrateTotals, effect: Effect) -> list[str]:
    ledger = totals.ledger
    saved = share(ledger.read - ledger.written, ledger.read)
    lines = [f"{count(totals.sessions, 'session')}: {size(ledger.read)} before, {size(ledger.written)} after, {saved} saved"]
    if ledger.sites:
        stock = totals.stock
        stored = ", ".join(f"{stock.counts[kind]:,} {word}" for kind, word in _STORED.items() if stock.counts[kind])
        media = f"{ledger.sites:,} media ({size(ledger.media)}), {len(ledger.assets):,} unique"
        lines.append(f"{media}; a reference takes {totals.reference_bytes} B on average")
        lines.append(f"{size(stock.written)} stored: {stored}")
    if totals.unchanged:
        lines.append(f"{count(totals.unchanged, 'session')} written already, and unchanged")
    if totals.resumed:
        lines.append(f"{count(totals.resumed, 'session')} resumed: done by an earlier run, and as it left them by size and time")
    if ledger.passed_over:
        lines.append(f"{ledger.passed_over:,} media left inline by --media or --min-bytes")
    if ledger.unknown:
        lines.append(f"{count(ledger.unknown, 'payload')} of an unknown type, stored as .bin")
    if ledger.respelled:
        lines.append(f"{ledger.respelled:,} media will be restored equal in value, not in bytes (--normalize)")
    if effect is Effect.REHEARSE:
        lines.append("dry run: nothing was written")
    return lines


class MigrateJson(Report[Migrated]):
    """Records by the schema of `migrate`."""

    is_for_programs = True

    def __init__(self, voice: Voice, effect: Effect) -> None:
        self._lines = JsonLines(voice, "migrate")
        self._effect = effect
        self._totals = MigrateTotals()

    def add(self, result: Migrated) -> None:
        """Write the record of a session."""
        self._totals.add(result)
        target = result.transfer.target
        record = {
            "status": "planned" if self._effect is Effect.REHEARSE else result.outcome.name.lower(),
            "target": name(target) if target else "-",
            "store": name(result.store),
            **_figures(result.ledger, result.ledger.stock),
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
            "dry_run": self._effect is Effect.REHEARSE,
            **_figures(self._totals.ledger, self._totals.stock),
        }
        self._lines.summary(sums, code)


def _figures(ledger: Ledger, stock: Stock) -> Record:
    return {
        "bytes_before": ledger.read,
        "bytes_after": ledger.written,
        "media": ledger.sites,
        "media_bytes": ledger.media,
        "unique": len(ledger.assets),
        "stored": {word: stock.counts[kind] for kind, word in _STORED.items()},
        "stored_bytes": stock.written,
        "reference_bytes": ledger.references,
        "respelled": ledger.respelled,
        "unknown_type": ledger.unknown,
        "passed_over": ledger.passed_over,
        "causes": {text(cause): number for cause, number in ledger.causes.items()},
    }
