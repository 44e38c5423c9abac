"""What locate answers."""

from __future__ import annotations

from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from sessionkit.faults.base import Finding, Image, Spot
    from sessionkit.ops.locate.refusal import Refusal
    from sessionkit.ops.sources import Source
    from sessionkit.providers.body import Steps


class Evidence(StrEnum):
    """Why something is taken for what was refused; facts before places."""

    NUMBER = "number"
    """It has exactly what was measured, or what is quoted."""
    ID = "id"
    RULE = "rule"
    """It breaks the rule that is named."""
    PLACE = "place"
    """It stands at the place that is named, as its client counts."""


class Certainty(Enum):
    """What the answer is worth."""

    ONE = auto()
    """There is one hit."""
    SEVERAL = auto()
    """There are several, all alike."""
    NONE = auto()
    """There is none; what is listed all the same is not known to be it."""


@dataclass(frozen=True, slots=True)
class Cured:
    """`repair` cures this fault. `option` is the one that the cure waits for; `profile` is named where the session's own is another one."""

    fault: str
    option: str = ""
    profile: str = ""


@dataclass(frozen=True, slots=True)
class Noted:
    """`repair` can put a note in the place of a picture, although no rule is known to be broken."""

    spot: Spot


@dataclass(frozen=True, slots=True)
class Incurable:
    """Why `repair` does nothing about it."""

    reason: str


Remedy: TypeAlias = Cured | Noted | Incurable


@dataclass(frozen=True, slots=True)
class Hit:
    """A place in the session that may be what was refused.

    `what` is what stands there: `image`, `text`, `call`. `finding` is the rule that it breaks, None if none is known. `way` leads to it in
    the request, in the client's numbers. `elsewhere` are the places where the same picture stands again, whether they are sent or not.
    """

    spot: Spot
    what: str
    evidence: tuple[Evidence, ...]
    remedy: Remedy
    way: Steps
    finding: Finding | None = None
    image: Image | None = None
    elsewhere: tuple[Spot, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """`hits` are what was refused; `others` break the same rule and would be refused next, or are listed where there is no hit.

    `remarks` say why there is no single hit, and what else has to be known.
    """

    verdict: Certainty
    hits: tuple[Hit, ...] = ()
    others: tuple[Hit, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Located:
    """A session that was searched for what a refusal is about.

    `provider` is the interface whose request is meant, `client` whose numbers are told, `profile` the rules that it was held against.
    """

    source: Source
    format: str
    provider: str
    client: str
    profile: str
    refusal: Refusal
    answer: Answer
