"""What cures are made of: each gives splices of raw lines for exhibits, and tells what leaves the session.

All of them take the bytes of the lines as they are; several of one stage are brought together by `combine`.
"""

from __future__ import annotations

from sessionkit.faults.cures.apply import applied
from sessionkit.faults.cures.blocks import say_empty, take_out
from sessionkit.faults.cures.combine import Combined, combine
from sessionkit.faults.cures.copies import everywhere, everywhere_live, with_all
from sessionkit.faults.cures.fill import fill, refit
from sessionkit.faults.cures.label import label_prefix, relabel
from sessionkit.faults.cures.notes import put_note
from sessionkit.faults.cures.spelling import respell
from sessionkit.faults.cures.tokens import gathered

__all__ = [
    "Combined",
    "applied",
    "combine",
    "everywhere",
    "everywhere_live",
    "fill",
    "gathered",
    "label_prefix",
    "put_note",
    "refit",
    "relabel",
    "respell",
    "say_empty",
    "take_out",
    "with_all",
]
