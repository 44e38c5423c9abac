"""`rehydrate` for people, on standard error: standard output is for the body."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.cli.reports.notes import NoteDigest
from sessionkit.cli.reports.rehydrate.base import RehydrateReport
from sessionkit.cli.reports.rehydrate.words import excess_line
from sessionkit.cli.reports.skips import tell_skipped
from sessionkit.cli.sizes import size
from sessionkit.cli.voice import Style, Verbosity, Voice, warn
from sessionkit.core.model import MediaKind
from sessionkit.errors import Place
from sessionkit.ops.rehydrate.options import Remedy
from sessionkit.providers.limits import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sessionkit.errors import SessionkitError
    from sessionkit.ops.rehydrate import Rehydrated, Unsendable
    from sessionkit.providers.checks import Excess

_OF_ONE = frozenset(Rule) - {Rule.MEDIA, Rule.OUTPUT_TEXT, Rule.REQUEST}
"""Limits of a single medium."""
_FEW = 3


class RehydrateText(RehydrateReport):
    """A line for each fault and limit; notes by their cause."""

    def __init__(self, session: str, verbosity: Verbosity) -> None:
        self._session = session
        self._verbosity = verbosity

    def refuse(self, result: Unsendable) -> None:
        """Tell each fault, and for all that are alike once what to do."""
        self._tell_notes(result)
        for fault in result.faults:
            warn(f"error: {self._session}: {fault}", Style.ALARM)
        for hint in dict.fromkeys(fault.advice for fault in result.faults if fault.advice):
            warn(f"  next: {hint}", Style.PLAIN)

    def describe(self, result: Rehydrated) -> None:
        """Tell limits always, and the rest unless it was to be quiet."""
        self._tell_notes(result)
        if self._verbosity is not Verbosity.QUIET:
            for line in self._few(result.verdict.doubts, result):
                warn(f"warning: {line} (some hosts or models refuse that)")
        for line in self._few(result.verdict.breaches, result):
            warn(f"error: {line}", Style.ALARM)

    def close(self, result: Rehydrated, file: Path | None, size_: int | None) -> None:
        """Tell what to do about limits, or what stands in a file."""
        if size_ is None:
            warn(f"  next: {'; '.join(_steps(result))}", Style.PLAIN)
        elif file and self._verbosity is not Verbosity.QUIET:
            model = result.target.model or "a model that is still to be named"
            warn(f"{file}: {size(size_)}, for {model} over {result.target.api}", Style.PLAIN)

    def fail(self, error: SessionkitError, provider: str | None) -> None:
        """Leave it to the program."""

    def _few(self, excesses: Sequence[Excess], result: Rehydrated) -> Iterator[str]:
        """Tell of each limit the first few places, and how many more there are, unless all are wanted."""
        told = Counter[Rule]()
        for excess in excesses:
            told[excess.rule] += 1
            if self._verbosity is Verbosity.VERBOSE or told[excess.rule] <= _FEW:
                yield excess_line(excess, result)
        for rule, number in told.items():
            if self._verbosity is not Verbosity.VERBOSE and number > _FEW:
                yield f"{number - _FEW:,} more exceed the limit {rule}, which -v shows"

    def _tell_notes(self, result: Rehydrated | Unsendable) -> None:
        """Tell of each kind how often and where first, and what of the session was not even read."""
        if self._verbosity is Verbosity.QUIET:
            return
        voice, digest = Voice(sys.stderr), NoteDigest(self._verbosity, few=1)
        for note in result.notes:
            digest.add(note.advised, Place(self._session, note.origin.line or None, note.origin.pointer or None))
        digest.tell(voice, "to be taken with care")
        tell_skipped(result.skipped, self._session, voice, self._verbosity)


def _steps(result: Rehydrated) -> Iterator[str]:
    """Name what can be done about limits, but for what has been tried or cannot help."""
    from sessionkit.core.images import is_decodable

    breaches, sent = result.verdict.breaches, [seen for seen in result.verdict.media if seen.media.kind is MediaKind.IMAGE]
    bad = [excess.spot.seen for excess in breaches if excess.rule in _OF_ONE and excess.spot.seen in sent]
    too_many = [seen for seen in sent if any(excess.rule is Rule.MEDIA for excess in breaches)]
    too_much = sent if any(excess.rule is Rule.REQUEST for excess in breaches) else []
    if Remedy.SHRINK in result.untried and any(seen and is_decodable(seen.facts.type, seen.facts.size) for seen in (*bad, *too_much)):
        yield "--fit shrinks or converts images, in the body alone"
    if Remedy.STAND_IN in result.untried and (bad or too_many):
        yield "--bad-image placeholder sends a text instead"
    yield "--force writes it all the same"
