"""What a fault is: something in a session that makes its agent or provider fail, how it is found, and how it is cured."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum, IntEnum, StrEnum, auto
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from sessionkit.dataclass import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.assets import AssetName
    from sessionkit.core.pixels import Size
    from sessionkit.faults.case import Case


class Severity(StrEnum):
    """What a fault does to the session. The first two decide the exit code, the others are only told."""

    BRICKS = "bricks"
    """No turn works any more."""
    DEGRADES = "degrades"
    """Turns work, but context, images or money are lost."""
    BLOATS = "bloats"
    HARMLESS = "harmless"


class State(StrEnum):
    """Whether the next request holds what is at fault; what is asleep may wake when the user goes back to another branch."""

    LIVE = "live"
    ASLEEP = "asleep"


class Stage(IntEnum):
    """Order in which faults are cured: a later one sees the result of the earlier ones."""

    LINES = auto()
    REPEATS = auto()
    LABELS = auto()
    BYTES = auto()
    PIXELS = auto()
    SIZE = auto()
    SLIMMING = auto()
    COUNT = auto()
    REQUEST = auto()
    TEXTS = auto()
    PAIRS = auto()
    PARENTS = auto()
    MARKERS = auto()


class Consent(Enum):
    """Whether a cure is done unasked, or only by an option of its own."""

    DEFAULT = auto()
    ASKED = auto()
    ALONG = auto()
    """Unasked, but only if something else is cured too: alone it would not be worth a new file."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the session: line from 1, RFC 6901 pointer from the line's value; an empty pointer is the whole line."""

    line: int
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class Image:
    """Facts of an image or document, in bytes and pixels. `sha256` is that of its decoded bytes, None where they do not decode."""

    declared: str | None
    detected: str | None
    bytes: int | None
    base64_length: int
    sha256: str | None
    size: Size | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault at one place.

    `cause` is a sentence with the number and the limit. `cure` names what repair would do; where it is empty, `obstacle` says why nothing.
    `option` is the option of `repair` that a cure waits for, empty if it is done unasked. `wire` is the way to it in the next request,
    as its client counts: `messages.3.content.1`; empty where it does not stand in it. `bytes_won` is what a cure would free.
    """

    fault: str
    severity: Severity
    state: State
    spot: Spot
    cause: str
    cure: str = ""
    obstacle: str = ""
    option: str = ""
    is_lossless: bool = True
    image: Image | None = None
    twins: tuple[Spot, ...] = ()
    wire: str = ""
    bytes_won: int = 0

    @property
    def counts(self) -> bool:
        """Whether it decides the exit code."""
        return self.state is State.LIVE and self.severity in {Severity.BRICKS, Severity.DEGRADES}


@dataclass(frozen=True, slots=True)
class Kept:
    """Bytes that leave the session, and the asset that keeps them."""

    asset: AssetName
    data: bytes


@dataclass(frozen=True, slots=True)
class Splice:
    """Bytes `start` to `stop` of a line (its line feed included in its bytes) give way to `new`. `shown` describes it without base64.

    `taken_out` points to the item or member that goes with a comma: where several of one container go, `combine` settles the commas.
    `joint` stands before `new` where another insertion comes first at the same place.
    """

    line: int
    start: int
    stop: int
    new: bytes
    shown: str
    kept: Kept | None = None
    taken_out: str = ""
    joint: bytes = b""


@dataclass(frozen=True, slots=True)
class Uncured:
    """Why there is no cure here."""

    reason: str


Cure: TypeAlias = "tuple[Splice, ...] | Uncured"
"""Splices of one finding, in order of line and start; they do not overlap."""


class Lengths(Enum):
    """Whether lines may get longer and shorter, or must keep their bytes, because something outside knows where they stand."""

    FREE = auto()
    KEPT = auto()


class Resizing(Enum):
    """Whether a smaller picture may take the place of one that is too large, or only a note."""

    ALLOWED = auto()
    REFUSED = auto()


@dataclass(frozen=True, slots=True)
class Choices:
    """What a repair is allowed to do beyond what is done unasked: `options` are those that findings wait for (`relink`, `pairs`, …)."""

    options: frozenset[str] = field(default_factory=frozenset)
    resizing: Resizing = Resizing.ALLOWED
    lengths: Lengths = Lengths.FREE


class Fault(ABC):
    """A fault of the shelf."""

    id: ClassVar[str]
    page: ClassVar[str]
    """What `explain` prints: `id: title`, then rule, what the user sees, cure, what it loses; plain text at 80 columns."""
    stage: ClassVar[Stage]
    consent: ClassVar[Consent] = Consent.DEFAULT

    @property
    def title(self) -> str:
        """What it is, in a few words with a capital letter: the head of its page."""
        title = self.page.partition("\n")[0].removeprefix(f"{self.id}: ")
        return title[0].upper() + title[1:]

    @abstractmethod
    def find(self, case: Case) -> Iterator[Finding]:
        """Every place of this fault, in the order of the lines. Never changes anything."""

    @abstractmethod
    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        """Splices that cure one finding of the same case."""
