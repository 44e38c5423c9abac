"""`compact` of many sessions, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.compact.base import CompactReport
from sessionkit.cli.reports.compact.words import REASONS
from sessionkit.cli.reports.skips import SkipDigest
from sessionkit.cli.sizes import count, share
from sessionkit.cli.tables import Column, Table
from sessionkit.cli.voice import Style

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.errors import ExitCode
    from sessionkit.ops.compact import Compacted

_COLUMNS = (Column("cut", 6), Column("tokens", 10), Column("gone", 10), Column("images", 7), Column("gone", 6), Column("gate", 5))


class CompactRows(CompactReport):
    """A row for each session, and the sums. A dash stands for no cut, and for a gate that does not fire; `?` for one without a window."""

    def __init__(self, how: Manner) -> None:
        super().__init__(how)
        self._table = Table(how.voice, "session", _COLUMNS)
        self._has_window = False
        self._skipped = SkipDigest(how.verbosity)

    def tell(self, result: Compacted) -> None:
        """Write the row of a session."""
        figures = result.figures
        cut = f"#{result.cut.index}" if result.cut else "-"
        fires = {True: "fires", False: "-", None: "?"}[result.gate.fires]
        self._has_window = result.gate.window is not None
        numbers = (figures.before.tokens, figures.gone, figures.before.images, figures.images_gone)
        self._table.row(str(result.source.path), cut, *(f"{number:,}" for number in numbers), fires)
        self._skipped.add(result.skipped, str(result.source.path))

    def close(self, code: ExitCode) -> None:  # noqa: ARG002  failures are told on their own
        """Sum up."""
        sums, voice = self._sums, self._voice
        if not sums.sessions:
            return
        strategies = ", ".join(f"{number:,} by {name}" for name, number in sums.strategies.most_common())
        fires = f"; the gate fires in {sums.fires:,}" if self._has_window else ""
        voice.paragraph(f"{count(sums.sessions, 'session')}, {strategies}: {sums.planned:,} to compact{fires}", 0)
        voice.paragraph(f"{count(sums.tokens, 'token')}, of which {sums.gone:,} would go ({share(sums.gone, sums.tokens)})", 0)
        voice.paragraph(f"{count(sums.images, 'image')}, of which {sums.images_gone:,} would go", 0)
        for reason, number in sums.reasons.most_common():
            voice.paragraph(f"nothing to compact in {number:,}: {REASONS[reason]}", 0)
        self._skipped.tell(voice)
        voice.line("name one session, or say -v, to see more", Style.FAINT)
