"""Rows of the table of goals: what is compared, and whether it is good enough."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, TypeAlias

from bench.workloads import Case, Workload

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bench.timing import Usage

_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Results:
    """What the cases took; `longest_line` and `size` of a workload in bytes."""

    usages: Mapping[Case, Usage]
    longest_line: Callable[[Workload], int]
    size: Callable[[Workload], int]


class Met(StrEnum):
    """What became of a goal."""

    YES = "yes"
    NO = "no"
    NO_GOAL = "–"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A line of the report."""

    goal: int
    what: str
    measured: str
    bound: str
    met: Met


class Clock(Enum):
    """Which time is compared."""

    CPU = "CPU"
    WALL = "wall"


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The ratio must be as high."""

    ratio: float

    def __str__(self) -> str:
        return f"≥ {self.ratio}x"

    def holds(self, ratio: float) -> bool:
        return ratio >= self.ratio


@dataclass(frozen=True, slots=True)
class AtMost:
    """The ratio must be as low."""

    ratio: float

    def __str__(self) -> str:
        return f"≤ {self.ratio}x"

    def holds(self, ratio: float) -> bool:
        return ratio <= self.ratio


@dataclass(frozen=True, slots=True)
class Ratio:
    """Time of the command `over` divided by that of `under`; without a bound it is only told."""

    goal: int
    what: str
    workload: Workload
    over: str
    under: str
    clock: Clock
    bound: AtLeast | AtMost | None = None

    @property
    def cases(self) -> tuple[Case, ...]:
        return Case(self.workload, self.over), Case(self.workload, self.under)

    def judge(self, results: Results) -> Verdict:
        over, under = (_time(results.usages[case], self.clock) for case in self.cases)
        what = f"{self.what}, {self.clock.value}"
        if self.bound is None:
            return Verdict(self.goal, what, f"{over / under:.2f}x", "–", Met.NO_GOAL)
        return Verdict(self.goal, what, f"{over / under:.2f}x", str(self.bound), _met(self.bound.holds(over / under)))


def _time(usage: Usage, clock: Clock) -> float:
    return usage.cpu if clock is Clock.CPU else usage.wall


def _met(holds: bool) -> Met:
    return Met.YES if holds else Met.NO


@dataclass(frozen=True, slots=True)
class Peak:
    """Highest memory of one process of any of the commands, on workloads that have the same longest line."""

    goal: int
    what: str
    workloads: tuple[Workload, ...]
    commands: tuple[str, ...]

    @property
    def cases(self) -> tuple[Case, ...]:
        return tuple(Case(workload, command) for workload in self.workloads for command in self.commands)

    def judge(self, results: Results) -> Verdict:
        peaks = [max(results.usages[Case(workload, command)].peak for command in self.commands) for workload in self.workloads]
        line = results.longest_line(self.workloads[0])
        most = 45 * _MB + 4 * line
        measured = " / ".join(f"{peak / _MB:.0f}" for peak in peaks)
        bound = f"≤ 45 MB + 4 x {line / _MB:.1f} MB = {most / _MB:.0f} MB"
        return Verdict(self.goal, self.what, f"{measured} MB", bound, _met(max(peaks) <= most))


@dataclass(frozen=True, slots=True)
class BodyPeak:
    """Highest memory of a command that writes a body, which is about as large as its inline session."""

    goal: int
    what: str
    workload: Workload
    command: str

    @property
    def cases(self) -> tuple[Case, ...]:
        return (Case(self.workload, self.command),)

    def judge(self, results: Results) -> Verdict:
        peak, body = results.usages[self.cases[0]].peak, results.size(self.workload)
        most = 45 * _MB + body
        bound = f"≤ 45 MB + a body of {body / _MB:.0f} MB = {most / _MB:.0f} MB"
        return Verdict(self.goal, self.what, f"{peak / _MB:.0f} MB", bound, _met(peak <= most))


Row: TypeAlias = Ratio | Peak | BodyPeak
