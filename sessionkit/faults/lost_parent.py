"""Entries that hang on nothing, or on themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.faults.base import Consent, Fault, Finding, Severity, Spot, Stage, State, Uncured
from sessionkit.faults.calls import results_of
from sessionkit.faults.gaps import is_bridged
from sessionkit.faults.mending import hang_on, rewrite_result
from sessionkit.faults.tree import is_message
from sessionkit.formats.chain import ancestors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.gaps import Gap
    from sessionkit.formats.records import Record

RELINK: Final = "relink"
_PARENT: Final = {"pi": "/parentId"}


class LostParent(Fault):
    """An entry whose parent is not in the session."""

    id = "lost-parent"
    stage = Stage.PARENTS
    page = """\
lost-parent: an entry whose parent is not in the session

Rule
  Claude Code, Pi and qwen-code chain their records: each names the one that
  it follows. From the newest record the chain is followed back, and here it
  ends at a record whose parent is not in the file. That line was deleted by
  hand, torn by a crash, or dropped by a tool.

What you see
  No error at all. The agent has simply forgotten everything before this
  point, while the file still holds it. Claude Code notices only if the
  record before is more than 5 seconds older; below that it bridges the gap.

Cure
  If the lost line held the result of a tool, it is written anew under its
  old id, and the chain is whole again: see `unpaired-tool-call`.
  Otherwise `repair --relink` names the nearest record before it in the file
  as its parent. That is not done unasked: the record might belong to a turn
  that you had taken back. Look at what `repair --relink` shows you, before
  you add --apply.

What it loses
  Nothing. The lost line itself cannot be brought back."""

    def find(self, case: Case) -> Iterator[Finding]:
        gap = case.gap
        if gap is None:
            return
        explained = gap.is_felt and (gap.call is not None or _is_orphan(case, gap.below))
        yield Finding(
            self.id,
            Severity.DEGRADES if gap.is_felt else Severity.HARMLESS,
            State.LIVE,
            _place(case, gap.below),
            _cause(case, gap),
            _cure(gap) if gap.before else "",
            "" if gap.before else gap.relief,
            "" if explained or gap.before is None else RELINK,
        )

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        gap = case.gap
        if gap is None or gap.before is None:
            return Uncured(finding.obstacle)
        return rewrite_result(case, gap) if gap.call and gap.is_felt else hang_on(case, gap.below, gap.before)


class Cycle(Fault):
    """An entry that is its own ancestor."""

    id = "cycle"
    stage = Stage.PARENTS
    consent = Consent.ASKED
    page = """\
cycle: an entry that is its own ancestor

Rule
  The parents of a record lead back to itself. Tools that copy or merge
  sessions make such circles.

What you see
  Pi dies when it opens the session (`RangeError: Maximum call stack size
  exceeded`), before any request. Claude Code and qwen-code stop at the first
  record that comes a second time, and forget all that stood before; Claude
  Code only if the record before it is more than 5 seconds older.

Cure
  With --relink: the first record of the circle, whose parent stands behind
  it, gets the nearest record before it in the file as its parent; the first
  record of the session gets none.

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        for first in _circles(case):
            before = case.tree.before(first)
            state = State.LIVE if first.origin.line in case.tree.lines else State.ASLEEP
            is_felt = case.format == "pi" or (before is not None and not is_bridged(case, before, first))
            severity = (Severity.BRICKS if case.format == "pi" else Severity.DEGRADES) if is_felt else Severity.HARMLESS
            cause = f"its parent {first.parent} hangs on it"
            cure = f"the entry {before.id} as its parent" if before else "no parent"
            yield Finding(self.id, severity, state, _place(case, first), cause, cure, option=RELINK)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        first = next(record for record in case.tree.at(finding.spot.line) if _hangs_on_itself(case, record))
        return hang_on(case, first, case.tree.before(first))


def _place(case: Case, record: Record) -> Spot:
    return Spot(record.origin.line, _PARENT.get(case.format, "/parentUuid"))


def _cause(case: Case, gap: Gap) -> str:
    records = case.tree.records
    reached = sum(map(is_message, case.tree.path))
    cause = f"its parent {gap.below.parent} is not in the session: {reached} of {sum(map(is_message, records))} messages can be reached"
    return cause if gap.is_felt or gap.before is None else f"{cause}, but {gap.relief}"


def _cure(gap: Gap) -> str:
    assert gap.before is not None
    return "the result that was lost is written anew" if gap.call and gap.is_felt else f"the entry {gap.before.id} as its parent"


def _is_orphan(case: Case, record: Record) -> bool:
    """Whether it is a result of Pi's that becomes a message of the user, and gets another parent then."""
    return case.format == "pi" and any(True for _ in results_of(record))


def _hangs_on_itself(case: Case, record: Record) -> bool:
    by_id = case.tree.by_id
    return any(by_id.get(step.parent) is record for step in ancestors(record, by_id))


def _circles(case: Case) -> Iterator[Record]:
    """Find the first entry, by lines, of every circle."""
    done: set[int] = set()
    for record in case.tree.records:
        steps = []
        for step in ancestors(record, case.tree.by_id):
            if id(step) in done:
                break
            steps.append(step)
        else:
            top = steps[-1] if steps else record
            if top.parent in case.tree.by_id:
                again = next(at for at, step in enumerate(steps) if step is case.tree.by_id[top.parent])
                yield min(steps[again:], key=lambda step: step.origin.line)
        done.update(map(id, steps))
