"""`gallery` for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.pages.document import scan_command
from sessionkit.cli.printable import readable
from sessionkit.cli.reports.gallery.base import GalleryReport
from sessionkit.cli.sizes import count, size
from sessionkit.cli.tables import Column, Table
from sessionkit.cli.voice import Style, Verbosity

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.cli.pages import Drawn
    from sessionkit.cli.pages.sheet import Sheet
    from sessionkit.errors import ExitCode
    from sessionkit.ops.sources import Source

_COLUMNS = (Column("format", 11), Column("images", 7), Column("unique", 7), Column("findings", 8))


class GalleryText(GalleryReport):
    """A row for each session that has something to show, then what the page holds."""

    def __init__(self, how: Manner, sheet: Sheet) -> None:
        super().__init__(how, sheet)
        self._verbosity = how.verbosity
        self._table = Table(how.voice, "session", _COLUMNS)
        self._sources: list[Source] = []

    def tell(self, result: Drawn) -> None:
        """Write the row of a session."""
        shown = result.images + result.references
        self._sources.append(result.source)
        figures = (result.format, f"{shown:,}", f"{result.unique:,}", f"{result.findings.total():,}")
        if shown or result.empty or result.findings or self._verbosity is Verbosity.VERBOSE:
            self._table.row(str(result.source.path), *figures)

    def close(self, code: ExitCode) -> None:  # noqa: ARG002  failures are told on their own
        """Sum up."""
        sums = self._sums
        if not sums.sessions:
            return
        page = readable(self._sheet.file) if self._sheet.file else "standard output"
        images = count(sums.images + sums.references, "image")
        without = f"; {sums.empty:,} more without a picture" if sums.empty else ""
        self._voice.paragraph(f"{page}: {images} of {count(sums.sessions, 'session')}, {size(self._sheet.size)}{without}", 0)
        if sums.hidden:
            self._voice.line(f"{sums.hidden:,} of all these cannot be shown; the page says why")
        if scan := scan_command(self._sources):
            self._voice.line(f"what else fills them: {scan}", Style.FAINT)
