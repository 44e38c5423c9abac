"""Strategies side by side, and the compactions that the agent itself has made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.compact.base import CompactReport
from sessionkit.cli.reports.compact.words import REASONS, bytes_or_unknown, identity
from sessionkit.cli.reports.skips import tell_skipped
from sessionkit.cli.sizes import count
from sessionkit.cli.tables import Column, Table
from sessionkit.cli.voice import Style
from sessionkit.compaction.recorded import Kind
from sessionkit.ops.compact import History, Others

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.cli.conduct import Manner
    from sessionkit.compaction.recorded import Recorded
    from sessionkit.errors import ExitCode
    from sessionkit.ops.compact import Compacted, Compared
    from sessionkit.ops.compact.options import Telling

_STRATEGIES = (
    Column("cut", 10),
    Column("gone", 9),
    Column("stays", 9),
    Column("images", 6),
    Column("base64", 7),
    Column("to summarise", 12),
)
_RECORDED = (Column("before", 9), Column("after", 9), Column("summary", 8), Column("kept", 5), Column("images", 9))


class CompactTables(CompactReport):
    """The tables that were asked for, for each session."""

    def __init__(self, how: Manner, telling: Telling) -> None:
        super().__init__(how)
        self._telling = telling

    def tell(self, result: Compacted) -> None:
        """Tell of a session."""
        if self._sums.sessions > 1:
            self._voice.line()
        self._voice.paragraph(f"{result.source.path}: {_size(result)}", 0, Style.HEADING)
        if self._telling.others is Others.COMPARED:
            self._compare(result.compared)
        if self._telling.history is History.RECORDED:
            self._tell_recorded(result.recorded)
        tell_skipped(result.skipped, str(result.source.path), self._voice, self._verbosity)

    def _compare(self, compared: Sequence[Compared]) -> None:
        table = Table(self._voice, "strategy", _STRATEGIES)
        for one in compared:
            cut = f"#{one.cut.index}{' split' if one.is_split else ''}" if one.cut else "-"
            figures = (f"{one.gone:,}", f"{one.stays:,}", f"{one.images:,}", bytes_or_unknown(one.media_bytes), f"{one.input_tokens:,}")
            table.row(one.strategy, cut, *figures)
        for one in compared:
            if one.reason:
                self._voice.paragraph(f"{one.strategy} does nothing: {REASONS[one.reason]}", 0)

    def _tell_recorded(self, recorded: Sequence[Recorded]) -> None:
        if not recorded:
            self._voice.line("no compaction is recorded")
        table = Table(self._voice, "compaction", _RECORDED)
        for one in recorded:
            clearing = "clearing, " if one.kind is Kind.CLEARING else ""
            table.row(f"{clearing}line {one.origin.line}", *_figures(one))
            for line in _about(one):
                self._voice.paragraph(line, 2, Style.FAINT)

    def close(self, code: ExitCode) -> None:  # noqa: ARG002  failures are told on their own
        """Sum up several sessions."""
        if self._sums.sessions > 1 and self._telling.history is History.RECORDED:
            self._voice.line()
            self._voice.line(f"{count(self._sums.sessions, 'session')}, {count(self._sums.recorded, 'recorded compaction')}")


def _size(result: Compacted) -> str:
    before = result.figures.before
    return f"{result.format}, {count(before.tokens, 'token')} by the profile {result.profile}, {count(before.images, 'image')}"


def _figures(one: Recorded) -> tuple[str, ...]:
    """A dash stands for what the session does not tell."""
    numbers = (one.tokens_before, one.tokens_after, one.summary_tokens, one.kept)
    images = " > ".join("-" if number is None else f"{number:,}" for number in (one.images_before, one.images_after))
    return (*("-" if number is None else f"{number:,}" for number in numbers), images)


def _about(one: Recorded) -> list[str]:
    told = [
        f"started by {identity(one.trigger)}" if one.trigger else "",
        f"entry {identity(one.origin.entry)}" if one.origin.entry else "",
        f"the first one kept is {identity(one.first_kept)}" if one.first_kept else "",
    ]
    return ["; ".join(filter(None, told))] if any(told) else []
