"""Spill the media of a session block by block."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from sessionkit.core.jsonl import LineCounter
from sessionkit.core.media.triage import media_candidates
from sessionkit.ops.ledger import Ledger, Note

if TYPE_CHECKING:
    from sessionkit.core.edits import Edit
    from sessionkit.core.jsonl import Block
    from sessionkit.core.media.policy import Policy
    from sessionkit.core.media.repeats import AssetSink
    from sessionkit.ops.carry import Carrier
    from sessionkit.ops.line_spiller import LineSpiller

_LOST = "the asset of a reference is missing or corrupt"


class Spiller:
    """Turns blocks into edits, puts their media into a store, and keeps the ledger."""

    def __init__(self, store: AssetSink, policy: Policy, carrier: Carrier | None = None) -> None:
        self._store = store
        self._policy = policy
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
            edits += self._lines.edits(block.data, candidate, partial(lines.at, candidate.start))
        return edits

    @cached_property
    def _lines(self) -> LineSpiller:
        from sessionkit.ops.line_spiller import LineSpiller  # noqa: PLC0415  most sessions hold no media, and what looks at them costs start-up

        return LineSpiller(self._store, self._policy, self.ledger)
