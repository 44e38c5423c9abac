"""What a saying is: a refusal in the words of a vendor or client, and what in a session can be behind it."""

from __future__ import annotations

import re
from enum import Enum, auto

from sessionkit.dataclass import dataclass


class Scope(Enum):
    """What a refusal is about."""

    PLACE = auto()
    """One image, text or call."""
    SESSION = auto()
    """All of them together: no single one is to blame."""
    CONTEXT = auto()
    """All of them together, measured in tokens."""
    OUTSIDE = auto()
    """Nothing that a session holds."""


class Subject(Enum):
    """What must stand at the place of a refusal whose rule cannot be tested, so that it can be meant."""

    ANYTHING = auto()
    CALL = auto()
    """A call of a tool, or its result."""
    IMAGE = auto()


@dataclass(frozen=True, slots=True)
class Saying:
    """A kind of refusal.

    `rule` is what was asked for, as a sentence. `pattern` fits the text, with or without its spaces. Its groups are facts: `measured`
    (characters of base64), `megabytes`, `patches` and the `most_patches` that are taken, `declared` and `detected` (media types), `ids`,
    `text` (what should be base64), `position` (a content, from 1), `failed` (it is about results of calls that failed); or limits, by
    their names in a profile. `faults` are the ids of what may be the cause, none where the shelf has no fault for it. `vendor` is empty
    where it is not known.
    """

    rule: str
    pattern: re.Pattern[str]
    faults: tuple[str, ...] = ()
    vendor: str = ""
    scope: Scope = Scope.PLACE
    subject: Subject = Subject.ANYTHING


def spelled(words: str) -> re.Pattern[str]:
    """Compile words, whatever stands or does not stand for the spaces between them; a number may have commas."""
    pattern = re.sub(r" +", r"\\s*", words).replace("NUMBER", r"\d[\d,]*").replace("ID", r"[\w|-]+")
    return re.compile(pattern, re.DOTALL)


UNSPELLED = ("not-base64", "placeholder-in-data", "noncanonical-base64")
"""Faults of what does not decode as base64."""
UNREADABLE = ("undecodable-image", "image-empty", *UNSPELLED)
"""Faults of what cannot be read as an image."""
