"""Plan the cures of a session, stage by stage: each sees the result of those before it, and nothing but scratch is written."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from sessionkit.dataclass import dataclass, replace
from sessionkit.faults import FAULTS, fault_of
from sessionkit.faults.base import Choices, Consent, Kept, Lengths, State, Uncured
from sessionkit.faults.cures import combine
from sessionkit.ops.repair.options import ALL, Cures
from sessionkit.ops.repair.requests import comparison_of, request_of
from sessionkit.ops.repair.result import Left, Treated
from sessionkit.ops.repair.steps import steps_of
from sessionkit.ops.repair.versions import causes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sessionkit.faults import Fault
    from sessionkit.faults.base import Finding, Splice, Spot
    from sessionkit.ops.repair.options import Options
    from sessionkit.ops.repair.requests import Sent
    from sessionkit.ops.repair.result import Request
    from sessionkit.ops.repair.scratch import Scratch
    from sessionkit.ops.repair.steps import Step
    from sessionkit.ops.repair.versions import Versions

    _Key: TypeAlias = tuple[str, Spot, str]

_MOST: Final = 64 << 20
"""Bytes of new text that are held at once; what exceeds them is cured in another round."""
_LONGER: Final = "its line would get longer, and its agent knows where each line starts: write a copy with -o"
_IN_VAIN: Final = "its cure did not help"
_ELSEWHERE: Final = "the cure of another finding would mend it"
_ALONE: Final = "it is cured only along with something else"


@dataclass(frozen=True, slots=True)
class Made:
    """A cure that was made; the bytes that it takes out are put aside already."""

    finding: Finding
    splices: tuple[Splice, ...]


class Planner:
    """Cures version by version. `treated` is what was done so far, in the lines of the original."""

    def __init__(self, versions: Versions, options: Options, scratch: Scratch, lengths: Lengths) -> None:
        self.treated: list[Treated] = []
        self.lengths = lengths
        self._versions = versions
        self._options = options
        self._scratch = scratch
        self._choices = Choices(options.options, options.resizing, lengths)
        self._before: Sent | None = None
        self._tried: set[_Key] = set()
        self._reasons: dict[_Key, str] = {}

    def cure(self, faults: Iterable[Fault]) -> None:
        """Cure what is wanted of these faults, and what is only cured along with others.

        A cure may bring lines back that were out of reach; so all stages come again until nothing is found.
        """
        chosen = sorted(faults, key=attrgetter("stage"))
        alone = [fault for fault in chosen if fault.consent is not Consent.ALONG]
        stages = [list(stage) for _, stage in groupby(alone, key=attrgetter("stage"))]
        while sum(map(self._work_through, stages)):
            pass
        if self.treated:
            self._work_through([fault for fault in chosen if fault.consent is Consent.ALONG])

    def do(self, made: Sequence[Made]) -> bool:
        """Make the next version by cures of this one; False where none of them is possible."""
        lines = self._versions.case.lines
        combined = combine(lines, [each.splices for each in made], self.lengths)
        done = [each for at, each in enumerate(made) if at not in combined.waiting]
        if not combined.splices:
            self._reasons |= {self._key(each.finding): _LONGER for each in made}
            return False
        self._before = self._before or request_of(self._versions.case)
        self.treated += [Treated(self._versions.at_home(each.finding), self._steps(each)) for each in done]
        self._tried |= {self._key(each.finding) for each in done}
        self._versions.advance(combined.splices, causes_of((each.finding.fault, each.splices) for each in done))
        return True

    def put_aside(self, finding: Finding, splices: Iterable[Splice]) -> Made:
        """Take the bytes that leave the session out of memory."""
        return Made(finding, tuple(map(self._without_bytes, splices)))

    def left(self) -> Iterator[Left]:
        """Tell what the newest version still has of what was looked for, and what else does harm."""
        for fault in FAULTS:
            for finding in self._versions.found(fault):
                if self._options.minds(fault) and self._is_meant(finding):
                    yield self._left(fault, finding)
                elif finding.counts:
                    yield Left(self._versions.at_home(finding), self._options.why_not(fault))

    def absent(self) -> Iterator[str]:
        """Ids of faults that were asked for by name, and are not there."""
        there = {each.finding.fault for each in self.treated}
        yield from (id_ for id_ in sorted(self._options.only - there) if not self._versions.found(fault_of(id_)))

    def request(self) -> Request | None:
        """Compare the next request with that of the original; None where nothing was cured."""
        return comparison_of(self._before, request_of(self._versions.case)) if self._before else None

    def _work_through(self, faults: Sequence[Fault]) -> int:
        """Cure round by round; the number of findings that were cured."""
        before = len(self.treated)
        while self.do(list(self._cures(faults))):
            pass
        return len(self.treated) - before

    def _cures(self, faults: Sequence[Fault]) -> Iterator[Made]:
        room = _MOST
        for fault, finding in self._wanted(faults):
            cure = fault.cure(self._versions.case, finding, self._choices)
            if isinstance(cure, Uncured):
                self._reasons[self._key(finding)] = cure.reason
                continue
            yield self.put_aside(finding, cure)
            room -= sum(len(splice.new) for splice in cure)
            if room < 0:
                return

    def _wanted(self, faults: Iterable[Fault]) -> Iterator[tuple[Fault, Finding]]:
        """Find what is to be cured. What was cured once and is there again is not tried twice."""
        for fault in faults:
            for finding in self._versions.found(fault):
                if self._options.wants(fault, finding) and self._is_meant(finding) and self._key(finding) not in self._tried:
                    yield fault, finding

    def _is_meant(self, finding: Finding) -> bool:
        aim = self._options.aim
        return self._options.cures is Cures.BY_RULES and (aim is None or aim.hits(self._versions.at_home(finding)))

    def _key(self, finding: Finding) -> _Key:
        """What stays of a finding when others are cured around it."""
        return finding.fault, self._versions.at_home(finding).spot, finding.cause

    def _steps(self, made: Made) -> tuple[Step, ...]:
        return tuple(steps_of(self._versions.case.lines, made.splices, self._versions.home))

    def _without_bytes(self, splice: Splice) -> Splice:
        if splice.kept is None:
            return splice
        self._scratch.keep(splice.kept)
        return replace(splice, kept=Kept(splice.kept.asset, b""))

    def _left(self, fault: Fault, finding: Finding) -> Left:
        home = self._versions.at_home(finding)
        if not finding.cure:
            return Left(home, finding.obstacle)
        if self._options.wants(fault, finding):
            return Left(home, self._reasons.get(self._key(finding)) or (_ALONE if fault.consent is Consent.ALONG else _IN_VAIN))
        if finding.option:
            return Left(home, "")
        return Left(home, _ELSEWHERE) if finding.state is State.LIVE else Left(replace(home, option=ALL), "")


def chosen_faults(options: Options) -> tuple[Fault, ...]:
    """Faults that are looked for."""
    return tuple(fault for fault in FAULTS if options.minds(fault))
