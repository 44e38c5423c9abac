"""Spill the media of a session block by block."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sessionkit.core.jsonl import LineCounter
from sessionkit.core.media.finder import find_sites, look_at
from sessionkit.core.media.intake import BY_CHOICE, Asset, Intake, Policy
from sessionkit.core.media.splice import spill_edits
from sessionkit.core.media.triage import media_candidates
from sessionkit.ops.ledger import Ledger, Note

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.core.edits import Edit
    from sessionkit.core.jsonl import Block
    from sessionkit.core.media.finder import Look, Site
    from sessionkit.core.media.intake import Cause
    from sessionkit.core.media.repeats import AssetSink
    from sessionkit.ops.carry import Carrier

_LOST = "the asset of a reference is missing or corrupt"


class Spiller:
    """Turns blocks into edits, puts their media into a store, and keeps the ledger."""

    def __init__(self, store: AssetSink, policy: Policy, carrier: Carrier | None = None) -> None:
        self._intake = Intake(store, policy)
        self._carrier = carrier
        self.ledger = Ledger()

    def edits(self, block: Block) -> list[Edit]:
        """Edits of all lines of a block, in order."""
        if self._carrier:
            for lost in self._carrier.look(block):
                self.ledger.note(Note(block.line_at(lost.value.start), lost.scope.pointer(), _LOST))
            self.ledger.carried = self._carrier.count
        edits: list[Edit] = []
        lines = LineCounter(block)
        for candidate in media_candidates(block.data, block.stop):
            edits += self._edits_of_line(look_at(block.data, candidate), partial(lines.at, candidate.start))
        return edits

    def _edits_of_line(self, look: Look, line: Callable[[], int]) -> list[Edit]:
        self._intake.next_line()
        taken = []
        for site in find_sites(look):
            match self._intake.take(look, site):
                case Asset() as asset:
                    self.ledger.count(asset)
                    taken.append((site, asset))
                case cause:
                    self._note_stay(line, site, cause)
        self._note_defect(line, look)
        edits = spill_edits(look, taken)
        self.ledger.references += sum(len(chunk) for edit in edits for chunk in edit.new)
        return edits

    def _note_stay(self, line: Callable[[], int], site: Site, cause: Cause) -> None:
        if cause in BY_CHOICE:
            self.ledger.passed_over += 1
        else:
            self.ledger.note(Note(line(), site.pointer(), cause))

    def _note_defect(self, line: Callable[[], int], look: Look) -> None:
        if look.forest.error is not None:
            self.ledger.note(Note(line(), "", f"not JSON: {look.forest.reason}"))
