"""Spill the media of a session block by block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.media.finder import find_sites, look_at
from sessionkit.core.media.intake import BY_CHOICE, Asset, Intake, Policy
from sessionkit.core.media.splice import spill_edits
from sessionkit.core.media.triage import media_candidates
from sessionkit.ops.ledger import Ledger, Note

if TYPE_CHECKING:
    from sessionkit.core.edits import Edit
    from sessionkit.core.jsonl import Block
    from sessionkit.core.media.finder import Look, Site
    from sessionkit.core.media.intake import AssetSink, Cause
    from sessionkit.core.media.triage import Candidate


class Spiller:
    """Turns blocks into edits, puts their media into a store, and keeps the ledger."""

    def __init__(self, store: AssetSink, policy: Policy) -> None:
        self._intake = Intake(store, policy)
        self.ledger = Ledger()

    def edits(self, block: Block) -> list[Edit]:
        """Edits of all lines of a block, in order."""
        edits: list[Edit] = []
        for candidate in media_candidates(block.data, block.stop):
            edits += self._edits_of_line(block, candidate)
        return edits

    def _edits_of_line(self, block: Block, candidate: Candidate) -> list[Edit]:
        look = look_at(block.data, candidate)
        self._intake.next_line()
        taken = []
        for site in find_sites(look):
            match self._intake.take(look, site):
                case Asset() as asset:
                    self.ledger.count(asset)
                    taken.append((site, asset))
                case cause:
                    self._note_stay(block, site, cause)
        self._note_defect(block, candidate, look)
        edits = spill_edits(look, taken)
        self.ledger.references += sum(len(chunk) for edit in edits for chunk in edit.new)
        return edits

    def _note_stay(self, block: Block, site: Site, cause: Cause) -> None:
        if cause in BY_CHOICE:
            self.ledger.passed_over += 1
        else:
            self.ledger.note(Note(block.line_at(site.value.start), site.pointer(), cause))

    def _note_defect(self, block: Block, candidate: Candidate, look: Look) -> None:
        if look.forest.error is not None:
            self.ledger.note(Note(block.line_at(candidate.start), "", f"not JSON: {look.forest.reason}"))
