"""locate: what in a session a provider refused, by the words of its refusal."""

from __future__ import annotations

from sessionkit.ops.locate.reading import read_refusal
from sessionkit.ops.locate.refusal import Facts, Refusal
from sessionkit.ops.locate.result import Answer, Certainty, Cured, Evidence, Hit, Incurable, Located, Noted
from sessionkit.ops.locate.session import Options, locate

__all__ = [
    "Answer",
    "Certainty",
    "Cured",
    "Evidence",
    "Facts",
    "Hit",
    "Incurable",
    "Located",
    "Noted",
    "Options",
    "Refusal",
    "locate",
    "read_refusal",
]
