"""Gather notes by cause, and tell where the first few stand."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from sessionkit.cli.voice import Style, Verbosity

if TYPE_CHECKING:
    from sessionkit.cli.voice import Voice
    from sessionkit.errors import Place

_FEW = 3


class NoteDigest:
    """Notes of all sessions, by cause. It keeps all of them for a verbose report, else the first `few` of each cause."""

    def __init__(self, verbosity: Verbosity, few: int = _FEW) -> None:
        self._most = None if verbosity is Verbosity.VERBOSE else few
        self._counts: Counter[str] = Counter()
        self._places: defaultdict[str, list[str]] = defaultdict(list)

    def add(self, cause: str, place: Place | str) -> None:
        """Take a note; the place may say more."""
        self._counts[cause] += 1
        places = self._places[cause]
        if self._most is None or len(places) < self._most:
            places.append(str(place))

    def add_unplaced(self, cause: str, number: int) -> None:
        """Take notes of which only the number was kept."""
        self._counts[cause] += number

    def tell(self, voice: Voice, heading: str) -> None:
        """Write the heading, and each cause with its places; nothing if there are no notes."""
        if not self._counts.total():
            return
        voice.line(f"{heading}:", Style.WARNING)
        for cause, number in (+self._counts).most_common():
            voice.paragraph(f"{number:,} × {cause}", 2)
            places = self._places[cause]
            for place in places:
                voice.paragraph(place, 6, Style.FAINT)
            if len(places) < number:
                hint = "" if self._most is None else " (-v shows them)"
                voice.line(f"      … and {number - len(places):,} more{hint}", Style.FAINT)
