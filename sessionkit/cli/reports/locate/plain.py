"""`locate` for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.cli.printable import without_base64
from sessionkit.cli.reports.findings import image_words, safe, spot_words
from sessionkit.cli.reports.locate.words import command_of, evidence_words, name_of, obstacle_of, place_words, way_words
from sessionkit.cli.sizes import count
from sessionkit.cli.voice import Style, Verbosity
from sessionkit.errors import Place
from sessionkit.ops.locate import Certainty

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.cli.voice import Voice
    from sessionkit.ops.locate import Hit, Located

_FEW: Final = 10
_FEW_PLACES: Final = 3
_UNKNOWN: Final = "in words that are not known here"


class LocateText:
    """What the text says, the hits with all that is known of them, others in a line each, and the next step."""

    def __init__(self, located: Located, voice: Voice, verbosity: Verbosity) -> None:
        self._located = located
        self._answer = located.answer
        self._voice = voice
        self._most = None if verbosity is Verbosity.VERBOSE else _FEW

    def write(self) -> None:
        """Write all of it."""
        self._head()
        for hit in self._answer.hits[: self._most]:
            self._show(hit)
        self._more(self._answer.hits)
        for remark in self._answer.remarks:
            self._voice.paragraph(remark, 0, Style.WARNING)
        self._list()
        self._advise()

    def _head(self) -> None:
        refusal = self._located.refusal
        rule = f": {refusal.saying.rule}" if refusal.saying else f" {_UNKNOWN}"
        at = f", at {place_words(refusal)}" if refusal.ways else ""
        self._voice.paragraph(f"refused{rule}{at}", 0, Style.HEADING)

    def _show(self, hit: Hit) -> None:
        self._voice.paragraph(self._place(hit), 0)
        if hit.image:
            self._voice.paragraph(f"{hit.what}: {image_words(hit.image)}", 2)
            if hit.image.sha256:
                self._voice.line(f"  sha256 {hit.image.sha256}")
        elif hit.what:
            self._voice.paragraph(safe(hit.what), 2)
        if hit.finding:
            self._voice.paragraph(f"{hit.finding.fault}: {safe(hit.finding.cause)}", 2)
        if hit.way:
            self._voice.paragraph(f"in the request: {way_words(hit.way)}", 2)
        self._voice.paragraph(f"found by {evidence_words(hit)}", 2)
        if hit.elsewhere:
            self._voice.paragraph(_elsewhere(hit), 2)

    def _place(self, hit: Hit) -> str:
        return str(Place(name_of(self._located.source), hit.spot.line, without_base64(hit.spot.pointer) or None))

    def _list(self) -> None:
        others = self._answer.others
        if not others:
            return
        title = "these break the same rule, and would be refused next:" if self._answer.verdict is Certainty.ONE else "to be looked at:"
        self._voice.line(title)
        for hit in others[: self._most]:
            self._voice.paragraph(": ".join(filter(None, (self._place(hit), _brief(hit)))), 2, Style.FAINT)
        self._more(others)

    def _more(self, hits: Iterable[Hit]) -> None:
        rest = len(tuple(hits)[self._most :]) if self._most else 0
        if rest:
            self._voice.line(f"  … and {rest:,} more (-v shows them)", Style.FAINT)

    def _advise(self) -> None:
        """Name the commands, each once; of what is only listed those for places that break no known rule, if something speaks for them."""
        hits = self._answer.hits or [hit for hit in self._answer.others if hit.finding is None and hit.evidence]
        commands = dict.fromkeys(command for hit in hits if (command := command_of(self._located, hit)))
        reasons = dict.fromkeys(reason for hit in hits if (reason := obstacle_of(hit)))
        for reason in reasons:
            self._voice.paragraph(f"no cure: {reason}", 0, Style.FAINT)
        for command in tuple(commands)[: self._most]:
            self._voice.line(f"next: {command}")


def _brief(hit: Hit) -> str:
    if hit.finding:
        return f"{hit.finding.fault}: {safe(hit.finding.cause)}"
    return image_words(hit.image) if hit.image else safe(hit.what)


def _elsewhere(hit: Hit) -> str:
    places = ", ".join(map(spot_words, hit.elsewhere[:_FEW_PLACES]))
    rest = len(hit.elsewhere) - _FEW_PLACES
    return f"the same on {places}" + (f" and {count(rest, 'more place')}" if rest > 0 else "")
