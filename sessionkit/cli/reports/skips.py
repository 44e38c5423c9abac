"""What readers passed over: how much and where first, or all of it for a verbose report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.notes import NoteDigest
from sessionkit.cli.sizes import count
from sessionkit.cli.voice import Style, Verbosity
from sessionkit.errors import Place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.cli.voice import Voice
    from sessionkit.core.model import Skipped


class SkipDigest:
    """Gathers it, of one session or several."""

    def __init__(self, verbosity: Verbosity) -> None:
        self._verbosity = verbosity
        self._all = NoteDigest(Verbosity.VERBOSE)
        self._number = 0
        self._first = ""
        self._beginnings: list[str] = []

    def add(self, skipped: Iterable[Skipped], path: str) -> None:
        """Take what was passed over in a session."""
        for skip in skipped:
            place = Place(path, skip.origin.line or None, skip.origin.pointer or None)
            if skip.is_beginning:
                self._beginnings.append(f"{place}: the conversation begins here: {skip.cause}")
            else:
                self._first = self._first or f"{place}: {skip.cause}"
                self._number += 1
            if self._verbosity is Verbosity.VERBOSE:
                self._all.add(skip.cause, place)

    def tell(self, voice: Voice) -> None:
        """Write it, beginnings in the middle each by itself; nothing where nothing was passed over, or where silence is wanted."""
        match self._verbosity:
            case Verbosity.VERBOSE:
                self._all.tell(voice, "passed over")
            case Verbosity.NORMAL:
                for beginning in self._beginnings:
                    voice.paragraph(beginning, 0, Style.WARNING)
                if self._number:
                    voice.paragraph(f"{count(self._number, 'thing')} passed over (-v shows what), first {self._first}", 0, Style.WARNING)


def tell_skipped(skipped: Iterable[Skipped], path: str, voice: Voice, verbosity: Verbosity) -> None:
    """Tell of one session."""
    digest = SkipDigest(verbosity)
    digest.add(skipped, path)
    digest.tell(voice)
