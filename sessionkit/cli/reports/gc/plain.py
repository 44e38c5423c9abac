"""`gc` for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.ages import age
from sessionkit.cli.conduct import Report
from sessionkit.cli.reports.gc.base import GcTotals, Result
from sessionkit.cli.reports.notes import NoteDigest
from sessionkit.cli.sizes import count, size
from sessionkit.cli.tables import Column, Table
from sessionkit.cli.voice import Style, Verbosity
from sessionkit.ops.gc import Collected
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.core.stores.base import StoredFile
    from sessionkit.errors import ExitCode
    from sessionkit.ops.gc import Census, Plan

_COLUMNS = (Column("assets", 7), Column("bytes", 7), Column("named", 7), Column("young", 7), Column("orphans", 7))
_STRANGER = "not touched: its name is not that of an asset, or it is no regular file"
_LONELY = "not touched: assets, but no session beside their folder; --store names it"
_LINKED = "not touched: a link where an asset folder should be; --store names the real one"


class GcText(Report[Result]):
    """A row for each store, and sums; with -v each asset that nothing names."""

    def __init__(self, how: Manner, plan: Plan) -> None:
        self._plan = plan
        self._is_dry = plan.options.writing.effect is Effect.REHEARSE
        self._voice = how.voice
        self._verbosity = how.verbosity
        self._table = Table(how.voice, "store", (*_COLUMNS, Column("to free" if self._is_dry else "moved", 7)))
        self._notes = NoteDigest(how.verbosity)
        self._sums = GcTotals()
        self._stamps: dict[str, None] = {}

    def add(self, result: Result) -> None:
        """Write the row of a store."""
        self._sums.add(result)
        if isinstance(result, Collected):
            self._tell(result, result.census)

    def _tell(self, result: Collected, census: Census) -> None:
        moved = census.orphan_size if self._is_dry else result.trash.size if result.trash else 0
        figures = (census.assets, census.named, len(census.young), len(census.orphans))
        assets, named, young, orphans = (f"{figure:,}" for figure in figures)
        self._table.row(census.store, assets, size(census.size), named, young, orphans, size(moved) if moved else "-")
        if self._verbosity is Verbosity.VERBOSE:
            self._list("orphans", census.orphans)
            self._list("young", census.young)
        for stranger in census.strangers:
            self._notes.add(_STRANGER, f"{census.store}/{stranger}")
        if result.trash:
            self._stamps[result.trash.stamp] = None

    def _list(self, what: str, files: tuple[StoredFile, ...]) -> None:
        if files:
            self._voice.line(f"  {what}:")
        for file in files:
            self._voice.line(f"  {size(file.stat.size):>7} {file.name.file_name}", Style.FAINT)

    def close(self, code: ExitCode) -> None:  # noqa: ARG002  failures are told on their own
        """Sum up; where all stores failed there are no sums."""
        sums, sights = self._sums, self._plan.sights
        if sums.stores or not sums.failed:
            self._sum_up()
        if sums.leftovers:
            self._voice.line(f"{count(sums.leftovers, 'half-written file')} of killed runs removed")
        if self._plan.options.store is None:
            for cause, paths in ((_LONELY, sights.lonely), (_LINKED, sights.linked)):
                for path in paths:
                    self._notes.add(cause, str(path))
        self._notes.tell(self._voice, "notes")
        if self._is_dry:
            self._voice.line("dry run: nothing was written" + ("; --apply moves orphans to the trash" if sums.orphans else ""))

    def _sum_up(self) -> None:
        sums, marker = self._sums, self._plan.marker
        self._voice.paragraph(
            f"{count(sums.stores, 'store')}: {count(sums.assets, 'asset')}, {size(sums.size)}; {self._kept()}{self._freed()}", 0
        )
        self._voice.paragraph(f"{count(marker.count, 'root')} read, {size(marker.size)}; nothing else was looked at (--root names more)", 0)

    def _kept(self) -> str:
        grace = int(self._plan.options.grace.total_seconds())
        why = f"for their age of less than {age(grace)}" if grace else "for being used just now"
        young = f", {self._sums.young:,} kept {why}" if self._sums.young else ""
        return f"{self._sums.named:,} named{young}"

    def _freed(self) -> str:
        sums = self._sums
        if self._is_dry:
            return f", {count(sums.orphans, 'orphan')} to free, {size(sums.orphan_size)}" if sums.orphans else ", no orphans"
        spared = f", {sums.orphans - sums.moved:,} used again meanwhile" if sums.orphans > sums.moved and not sums.failed else ""
        if not sums.moved:
            return f", nothing moved{spared}"
        return f"{spared}, {sums.moved:,} in the trash {', '.join(self._stamps)}, {size(sums.moved_size)}"
