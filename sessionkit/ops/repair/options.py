"""What a repair is told."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import Enum, StrEnum, auto
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.assets import FOLDER
from sessionkit.core.pictures import Depth
from sessionkit.dataclass import dataclass, field
from sessionkit.errors import UsageError
from sessionkit.faults import fault_of
from sessionkit.faults.base import Consent, Resizing, State
from sessionkit.faults.profiles import ANY_HOST, Wish
from sessionkit.ops.conversations import Selection
from sessionkit.ops.writing import Writing

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.core.stores.addresses import Address
    from sessionkit.faults import Fault
    from sessionkit.faults.base import Finding, Spot
    from sessionkit.ops.targets import Transfer

    Clock: TypeAlias = Callable[[], datetime]

ALL = "all"
"""The option that cures of what is asleep wait for."""


class Slim(StrEnum):
    """Weight that a sound session can lose. It is never lost unasked."""

    TWINS = "twins"
    """Second copies, which only the agent's screen shows."""
    DEAD = "dead"
    """Images from before a compaction."""
    REPEATS = "repeats"
    """The same image again in the same request."""
    OFF_PATH = "off-path"
    """Images of other branches."""

    @property
    def fault(self) -> str:
        """Id of the fault that it is the cure of."""
        return _FAULTS[self]

    @property
    def option(self) -> str:
        """The option that findings of this fault wait for."""
        return f"slim {self}"

    @property
    def keeps_request(self) -> bool:
        """Whether the next request must be the same afterwards."""
        return self in {Slim.TWINS, Slim.DEAD}


_FAULTS = {Slim.TWINS: "twin-bytes", Slim.DEAD: "dead-images", Slim.REPEATS: "repeated-image", Slim.OFF_PATH: "off-path-images"}


class Cures(Enum):
    """What is done at a place: what the rules say, or a note put there although no rule is broken."""

    BY_RULES = auto()
    NOTE = auto()


@dataclass(frozen=True, slots=True)
class Aim:
    """One place: a line, from 1, and what stands in it at an RFC 6901 pointer; without a pointer the whole line."""

    line: int
    pointer: str = ""

    def hits(self, finding: Finding) -> bool:
        """Whether a finding is about this place, or something in it or around it."""
        return any(self.holds(spot) for spot in (finding.spot, *finding.twins))

    def holds(self, spot: Spot) -> bool:
        """Whether a spot is this place, in it or around it."""
        return spot.line == self.line and (_is_within(spot.pointer, self.pointer) or _is_within(self.pointer, spot.pointer))


def utc_now() -> datetime:
    """Tell the time, for the names of backups."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Options:
    """How to repair. Raises UsageError for unknown faults, and for wishes that exclude each other.

    `only` and `skip` are ids of faults, `granted` the options that findings wait for. With `slims` nothing else is done. `aim` is the
    one place that is meant. `format` None is recognised, `store` None is `images` beside the session, or beside its copy. `blobs` is a
    folder in which another tool keeps what it took out.
    """

    only: frozenset[str] = frozenset()
    skip: frozenset[str] = frozenset()
    granted: frozenset[str] = frozenset()
    slims: frozenset[Slim] = frozenset()
    aim: Aim | None = None
    cures: Cures = Cures.BY_RULES
    resizing: Resizing = Resizing.ALLOWED
    wish: Wish = ANY_HOST
    depth: Depth = Depth.HEADERS
    format: str | None = None
    store: Address | None = None
    blobs: Path | None = None
    writing: Writing = field(default_factory=Writing)
    clock: Clock = utc_now

    def __post_init__(self) -> None:
        Selection(self.format)  # refuses unknown formats
        for fault in sorted(self.only | self.skip):
            fault_of(fault)
        if self.blobs and not self.blobs.is_dir():
            raise UsageError(f"{self.blobs} is no folder", hint="name the folder in which the other tool keeps its blobs")
        if self.slims and (self.only or self.skip):
            raise UsageError("slimming is no cure: it goes with neither --only nor --skip", hint="run repair twice, first without --slim")
        if self.cures is Cures.NOTE and (self.aim is None or self.slims or self.only):
            raise UsageError("a note is put at one place, and nothing else is done", hint="say --line N, and --path POINTER, with it")

    @property
    def options(self) -> frozenset[str]:
        """All that findings may wait for and is given."""
        return self.granted | self.only | {slim.option for slim in self.slims}

    def store_of(self, transfer: Transfer) -> Address:
        """Where the assets are that keep what leaves a session: beside what is written."""
        if self.store is not None:
            return self.store
        return transfer.target.parent / FOLDER if transfer.target else Path(FOLDER)

    def minds(self, fault: Fault) -> bool:
        """Whether a fault is looked for."""
        if self.slims:
            return fault.id in {slim.fault for slim in self.slims}
        return (not self.only or fault.id in self.only) and fault.id not in self.skip

    def why_not(self, fault: Fault) -> str:
        """Say of a fault that does harm why it was not looked for, or not there."""
        if self.cures is Cures.NOTE:
            return "with --note nothing else is done"
        if self.slims:
            return "with --slim nothing is cured: run repair without it"
        if fault.id in self.skip:
            return "--skip names it"
        return "--only does not name it" if self.only and fault.id not in self.only else "it is not at the place of --line"

    def wants(self, fault: Fault, finding: Finding) -> bool:
        """Whether a finding is cured now; what is done only along with other cures is not asked here."""
        if not finding.cure:
            return False
        if finding.option:
            return finding.option in self.options
        return fault.consent is not Consent.ASKED and (finding.state is State.LIVE or ALL in self.options)


def _is_within(inner: str, outer: str) -> bool:
    return inner == outer or inner.startswith(f"{outer}/")
