"""Spill the media of one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.media.finder import find_sites, look_at
from sessionkit.core.media.intake import BY_CHOICE, Asset, Intake
from sessionkit.core.media.splice import spill_edits
from sessionkit.ops.ledger import Note

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.core.edits import Edit
    from sessionkit.core.media.finder import Look, Site
    from sessionkit.core.media.intake import Cause
    from sessionkit.core.media.policy import Policy
    from sessionkit.core.media.repeats import AssetSink
    from sessionkit.core.media.triage import Candidate
    from sessionkit.ops.ledger import Ledger


class LineSpiller:
    """Takes lines that may hold media, one after the other."""

    def __init__(self, store: AssetSink, policy: Policy, ledger: Ledger) -> None:
        self._intake = Intake(store, policy)
        self._ledger = ledger

    def edits(self, data: bytearray, candidate: Candidate, line: Callable[[], int]) -> list[Edit]:
        """Put the line's media into the store; its number is asked for where there is something to note."""
        look = look_at(data, candidate)
        self._intake.next_line()
        taken = []
        for site in find_sites(look):
            match self._intake.take(look, site):
                case Asset() as asset:
                    self._ledger.count(asset)
                    taken.append((site, asset))
                case cause:
                    self._note_stay(line, site, cause)
        self._note_defect(line, look)
        edits = spill_edits(look, taken)
        self._ledger.references += sum(len(chunk) for edit in edits for chunk in edit.new)
        return edits

    def _note_stay(self, line: Callable[[], int], site: Site, cause: Cause) -> None:
        if cause in BY_CHOICE:
            self._ledger.passed_over += 1
        else:
            self._ledger.note(Note(line(), site.pointer(), cause))

    def _note_defect(self, line: Callable[[], int], look: Look) -> None:
        if look.forest.error is not None:
            self._ledger.note(Note(line(), "", f"not JSON: {look.forest.reason}"))
