"""`scan` for people."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from sessionkit.cli.printable import printable, shorten
from sessionkit.cli.reports.notes import NoteDigest
from sessionkit.cli.reports.scan.base import ScanReport
from sessionkit.cli.sizes import count, share, size
from sessionkit.cli.tables import Column, Table
from sessionkit.cli.voice import Style, Verbosity
from sessionkit.errors import Place
from sessionkit.ops.scan import ByteKind

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.cli.reports.scan.base import Choices
    from sessionkit.errors import ExitCode
    from sessionkit.ops.scan import Scanned

_COLUMNS = (Column("format", 11), Column("bytes", 7), Column("media", 6), Column("unique", 6), Column("share", 6))
_MEDIA = (ByteKind.IMAGES, ByteKind.DOCUMENTS, ByteKind.OTHER_MEDIA)


class ScanText(ScanReport):
    """A row for each session, then bytes by kind, the biggest lines, and what is odd."""

    def __init__(self, how: Manner, choices: Choices) -> None:
        super().__init__(how, choices)
        self._table = Table(how.voice, "session", _COLUMNS)
        self._notes = NoteDigest(how.verbosity)
        self._named: set[str] = set()

    def tell(self, result: Scanned) -> None:
        """Write the row of a session."""
        tally, path = result.tally, str(result.source.path)
        self._named.add(str(result.source.folder or path))
        media = sum(tally.kinds[kind] for kind in _MEDIA)
        figures = (result.format, size(tally.bytes), f"{tally.sites:,}", f"{tally.unique:,}", share(media, tally.bytes))
        if result.kinds() or self._verbosity is Verbosity.VERBOSE:
            self._table.row(path, *figures)
        for sighting in tally.sightings:
            self._notes.add(sighting.kind, f"{Place(path, sighting.line, sighting.pointer or None)}: {sighting.cause}")

    def close(self, code: ExitCode) -> None:  # noqa: ARG002  failures are told on their own
        """Sum up."""
        if not self._sums.sessions:
            return
        self._sum_up()
        self._list_biggest()
        self._notes.tell(self._voice, "worth a look")
        for kind, sessions in self.refused().items():
            self._voice.line(f"refused by --fail-on {kind}: {count(sessions, 'session')}", Style.ALARM)
        if self._sums.images or self._sums.references:
            self._voice.line(f"to look at the images: {self._gallery()}", Style.FAINT)

    def _gallery(self) -> str:
        """Spell the command line that shows the images; with all that was named, if that is one thing."""
        named = shlex.quote(printable(next(iter(self._named)))) if len(self._named) == 1 else "PATH…"
        return f"sessionkit gallery {named} -o page.html"

    def _sum_up(self) -> None:
        sums, whole = self._sums, self._sums.kinds.total()
        self._voice.line(f"{count(sums.sessions, 'session')}: {size(whole)}, {count(sums.lines, 'line')}")
        for kind, number in sums.kinds.most_common():
            self._voice.line(f"  {kind:<16}{size(number):>8}{share(number, whole):>8}")
        if sums.sites:
            self._voice.paragraph(f"{sums.sites:,} media{self._stays()}{self._copies()}", 0)
        if sums.references:
            self._voice.line(f"{count(sums.references, 'reference')} to media in files")

    def _stays(self) -> str:
        stays = self._sums.sites - self._sums.taken
        return f", of which {stays:,} must stay inline" if stays else ""

    def _copies(self) -> str:
        sums = self._sums
        if not sums.assets:
            return ""
        repeated = share(sums.repeated, sums.kinds.total())
        return f"; {len(sums.assets):,} unique, each stands {sums.duplication:.1f} times on average; {repeated} of all bytes are repetition"

    def _list_biggest(self) -> None:
        if self._biggest:
            self._voice.line("biggest lines:", Style.HEADING)
        for line, path in self._biggest:
            kind, number = line.kinds.most_common(1)[0]
            figures = f"{size(line.bytes):>9} {share(number, line.bytes):>6} {kind:<14}  "
            self._voice.line(figures + shorten(printable(str(Place(path, line.line))), self._voice.width - len(figures)))
