"""What a repair tells of a session."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.assets import AssetName
    from sessionkit.core.stores.addresses import Address
    from sessionkit.faults.base import Finding
    from sessionkit.ops.outputs import Outcome
    from sessionkit.ops.repair.steps import Step
    from sessionkit.ops.sources import Source
    from sessionkit.ops.targets import Transfer


@dataclass(frozen=True, slots=True)
class Treated:
    """A finding that is cured, and how. Its lines are those of the original."""

    finding: Finding
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """A finding that stays, and why; empty where only its option was not given. Its lines are those of the original."""

    finding: Finding
    why: str


class Alike(Enum):
    """How the next request compares with that of the session as it was."""

    SAME = auto()
    PARTS = auto()
    """From some place on it is another one."""


@dataclass(frozen=True, slots=True)
class Request:
    """The next request before and after, as this session's own interface takes it.

    `way` and `line` tell where the first difference stands, in the client's numbers and in the original; `again` are the tokens behind it
    that a prefix cache held, and that are read anew. `bytes_before` and `bytes_after` are those of the whole request.
    """

    alike: Alike
    provider: str
    bytes_before: int
    bytes_after: int
    way: str = ""
    line: int = 0
    again: int = 0


@dataclass(frozen=True, slots=True)
class Prognosis:
    """What becomes of a session: all that is cured, all that is left, and the bytes of before and after.

    `left` are the worst thousand, and `more` is the number of the others. `assets` are the files that keep what leaves it, with their
    sizes. `request` is None where nothing is cured. `unseen` says what was not looked at. `busy` tells why it could not be written at
    this moment; empty where nothing stands against it. `absent` are the ids of faults that were asked for and are not there, `astray`
    says that the place that was meant is not there. `other_names` are hard links to the file that is replaced: they keep the old content.
    """

    format: str
    profile: str
    treated: tuple[Treated, ...]
    left: tuple[Left, ...]
    more: int
    before: int
    after: int
    assets: dict[AssetName, int]
    request: Request | None = None
    unseen: tuple[str, ...] = ()
    busy: str = ""
    absent: tuple[str, ...] = ()
    astray: str = ""
    other_names: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether nothing is left that does harm."""
        return not any(left.finding.counts for left in self.left)


@dataclass(frozen=True, slots=True)
class Repaired:
    """A session that is done, or was tried. `backup` and `journal` stand beside it; None for a copy, and where nothing was written."""

    transfer: Transfer
    store: Address
    outcome: Outcome
    prognosis: Prognosis
    backup: Path | None = None
    journal: Path | None = None


@dataclass(frozen=True, slots=True)
class Undone:
    """A session that is as it was before its newest repair, but for what was appended since. `appended` are the bytes of that.

    UNCHANGED where a run that was killed had put the backup back already. The backup is gone, unless nothing was written.
    """

    source: Source
    outcome: Outcome
    backup: Path
    appended: int
