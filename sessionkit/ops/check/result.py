"""What a check tells of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass
from sessionkit.faults.base import Severity, State

if TYPE_CHECKING:
    from collections import Counter

    from sessionkit.faults.base import Finding
    from sessionkit.ops.sources import Source


@dataclass(frozen=True, slots=True)
class Kind:
    """What findings are counted by."""

    fault: str
    severity: Severity
    state: State

    @classmethod
    def of(cls, finding: Finding) -> Kind:
        """The kind of a finding."""
        return cls(finding.fault, finding.severity, finding.state)

    @property
    def counts(self) -> bool:
        """Whether it is a finding proper: it works against the next turn. The others are notes."""
        return self.state is State.LIVE and self.severity in {Severity.BRICKS, Severity.DEGRADES}


@dataclass(frozen=True, slots=True)
class Checked:
    """A session that was checked.

    `profile` is the id of the rules that it was held against. `findings` are the worst 1000, the worst first, then in the order of the
    lines; `counts` are all of them, and `won` the bytes that their cures would free. `curable` is the number of those that count and that
    a repair cures unasked. `unseen` says what was not looked at.
    """

    source: Source
    format: str
    profile: str
    findings: tuple[Finding, ...]
    counts: Counter[Kind]
    won: Counter[Kind]
    curable: int
    unseen: tuple[str, ...] = ()
