"""`estimate` for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.estimate.base import EstimateReport
from sessionkit.cli.reports.estimate.summary import summary
from sessionkit.cli.reports.notes import NoteDigest
from sessionkit.cli.sizes import count
from sessionkit.cli.tables import Column, Table
from sessionkit.cli.voice import Style, Verbosity
from sessionkit.errors import Place
from sessionkit.ops.estimate import By

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.cli.conduct import Manner
    from sessionkit.core.model import Origin
    from sessionkit.errors import ExitCode
    from sessionkit.ops.estimate import Estimated, Options

_COLUMNS = (Column("format", 11), Column("images", 6), Column("tokens", 10), Column("context", 10))
_WINDOW = Column("window", 7)


class EstimateText(EstimateReport):
    """A row for each session, its parts below it, and then what the numbers mean; sums if there are several."""

    def __init__(self, how: Manner, options: Options, by: By | None) -> None:
        super().__init__(how, options, by)
        self._table = Table(how.voice, "session", (*_COLUMNS, _WINDOW) if options.window else _COLUMNS)
        self._notes = NoteDigest(how.verbosity)
        self._skipped = NoteDigest(how.verbosity)
        self._passed_over = 0
        self._last: Estimated | None = None

    def tell(self, result: Estimated) -> None:
        """Write the row of a session, and those of its parts."""
        counted, path = result.count, str(result.source.path)
        self._row(path, counted.total, counted.context, (result.format, f"{result.media.images:,}"))
        for one in result.profiles:
            self._row(f"  {one.profile}", one.total, one.context)
        for key, tokens in self._parts(result):
            self._row(f"  {key}", tokens)
        for note in result.notes:
            self._notes.add(note.cause, _place(path, note.origin))
        for skip in result.skipped:
            self._skipped.add(skip.cause, _place(path, skip.origin))
        self._passed_over += len(result.skipped)
        self._last = result

    def _row(self, title: str, tokens: int, context: int | None = None, about: tuple[str, str] = ("", "")) -> None:
        figures = [*about, f"{tokens:,}", "" if context is None else f"{context:,}"]
        if self._options.window:
            figures.append("" if context is None else f"{context / self._options.window:.1%}")
        self._table.row(title, *figures)

    def _parts(self, result: Estimated) -> Iterator[tuple[str, int]]:
        if self._by is None:
            return
        for row in result.count.rows(self._by):
            if self._by is By.MESSAGE:
                message = result.count.messages[int(row.key)]
                yield f"{message.role}, line {message.origin.line}", row.tokens
            elif row.tokens:
                yield row.key.replace("_", " "), row.tokens

    def close(self, code: ExitCode) -> None:  # noqa: ARG002  failures are told on their own
        """Sum up."""
        if self._last is None:
            return
        for line in summary(self._sums, self._last, self._options):
            self._voice.paragraph(line, 0)
        self._notes.tell(self._voice, "to be taken with care")
        if self._verbosity is Verbosity.VERBOSE:
            self._skipped.tell(self._voice, "passed over")
        elif self._passed_over:
            self._voice.line(f"{count(self._passed_over, 'thing')} passed over (-v shows what)", Style.FAINT)
        if self._sums.over:
            self._voice.line(f"above the limit: {count(self._sums.over, 'session')}", Style.ALARM if self._sums.fails else Style.WARNING)


def _place(path: str, origin: Origin) -> Place:
    return Place(path, origin.line or None, origin.pointer or None)
