"""`rehydrate` for people, on standard error: standard output is for the body."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sessionkit.cli.reports.notes import NoteDigest
from sessionkit.cli.reports.rehydrate.base import RehydrateReport
from sessionkit.cli.reports.rehydrate.words import excess_line
from sessionkit.cli.sizes import size
from sessionkit.cli.voice import Style, Verbosity, Voice, warn
from sessionkit.errors import Place
from sessionkit.providers.limits import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sessionkit.ops.rehydrate import Rehydrated, Unsendable
    from sessionkit.providers.replay import Note

_CURABLE = frozenset(Rule) - {Rule.MEDIA, Rule.OUTPUT_TEXT}
"""Limits that smaller images may satisfy."""


class RehydrateText(RehydrateReport):
    """A line for each fault and limit; notes by their cause."""

    def __init__(self, session: str, verbosity: Verbosity) -> None:
        self._session = session
        self._verbosity = verbosity

    def refuse(self, result: Unsendable) -> None:
        """Tell each fault, and for all that are alike once what to do."""
        self._tell_notes(result.notes)
        for fault in result.faults:
            warn(f"error: {self._session}: {fault}", Style.ALARM)
        for hint in dict.fromkeys(fault.hint for fault in result.faults if fault.hint):
            warn(f"  next: {hint}", Style.PLAIN)

    def describe(self, result: Rehydrated) -> None:
        """Tell limits always, and the rest unless it was to be quiet."""
        self._tell_notes(result.notes)
        if self._verbosity is not Verbosity.QUIET:
            for excess in result.verdict.doubts:
                warn(f"warning: {excess_line(excess, result)} (some hosts or models refuse that)")
        for excess in result.verdict.breaches:
            warn(f"error: {excess_line(excess, result)}", Style.ALARM)

    def close(self, result: Rehydrated, file: Path | None, size_: int | None) -> None:
        """Tell what to do about limits, or what stands in a file."""
        if size_ is None:
            rules = {excess.rule for excess in result.verdict.breaches}
            fit = "--fit shrinks or converts images, in the body alone; " if rules & _CURABLE else ""
            warn(f"  next: {fit}--force writes it all the same", Style.PLAIN)
        elif file and self._verbosity is not Verbosity.QUIET:
            model = result.target.model or "a model that is still to be named"
            warn(f"{file}: {size(size_)}, for {model} over {result.target.api}", Style.PLAIN)

    def _tell_notes(self, notes: Iterable[Note]) -> None:
        if self._verbosity is Verbosity.QUIET:
            return
        digest = NoteDigest(self._verbosity)
        for note in notes:
            digest.add(note.text, Place(self._session, note.origin.line or None, note.origin.pointer or None))
        digest.tell(Voice(sys.stderr), "to be taken with care")
