"""Where the path of a session ends at a line that was lost, and what stood on that line, if that can be told."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from sessionkit.dataclass import dataclass
from sessionkit.faults.calls import calls_of, results_of
from sessionkit.faults.tree import is_compaction
from sessionkit.formats.claude_code.replies import reply_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.calls import Call
    from sessionkit.faults.case import Case
    from sessionkit.faults.tree import Tree
    from sessionkit.formats.records import Record

_BRIDGED: Final = 5.0
"""Claude Code goes on with the entry before a gap if that is at most so many seconds older; measured: between 4.9 and 5.5."""


@dataclass(frozen=True, slots=True)
class Gap:
    """The entry whose parent is not in the file, and the nearest one before it in the file, which it may have hung on.

    `calls` are those of the turn before it; `call` is the one of them whose result stood on the lost line, None if it was something else.
    `relief` tells why the next request lacks nothing for it; empty if it does.
    """

    below: Record
    before: Record | None
    calls: tuple[Call, ...]
    call: Call | None
    relief: str

    @property
    def is_felt(self) -> bool:
        """Whether the next request lacks anything for it."""
        return not self.relief


def gap_of(case: Case) -> Gap | None:
    """Find the gap above the path; None if there is none, or if a line was not read: what seems lost may stand on it."""
    tree = case.tree
    below = tree.lost
    if below is None or case.unread:
        return None
    before = tree.before(below)
    calls = tuple(_turn_of(before, tree)) if before else ()
    answered = {result.key for record in tree.records for result in results_of(record)}
    call = next((call for call in reversed(calls) if call.key not in answered), None)
    return Gap(below, before, calls, call, _relief(case, before, below))


def _relief(case: Case, before: Record | None, below: Record) -> str:
    if before is None:
        return "nothing stands before it"
    if is_bridged(case, before, below):
        return f"Claude Code goes on at the entry before it, which is less than {_BRIDGED:g} seconds older"
    return "a compaction stands for the rest" if _is_covered(case.tree) else ""


def _turn_of(before: Record, tree: Tree) -> Iterator[Call]:
    """Find the calls of the turn that an entry belongs to: those that it makes, or those of which it answers one."""
    speaker = tree.speaker(before)
    answered = {result.key for result in results_of(speaker)}
    callers = [record for record in tree.records if record is speaker or any(call.key in answered for call in calls_of(record))]
    making, replies = set(map(id, callers)), {reply_id(record) for record in callers} - {""}
    for record in tree.records:
        if id(record) in making or reply_id(record) in replies:
            yield from calls_of(record)


def is_bridged(case: Case, before: Record, below: Record) -> bool:
    """Whether the agent goes on with the entry before although it cannot follow a parent."""
    times = [_time(record) for record in (before, below)]
    match times:
        case [float(earlier), float(later)]:
            return case.format == "claude-code" and later - earlier <= _BRIDGED
        case _:
            return False


def _is_covered(tree: Tree) -> bool:
    """Whether a compaction on the path stands for all that is out of reach."""
    at = next((at for at in reversed(range(len(tree.path))) if is_compaction(tree.path[at])), None)
    if at is None:
        return False
    match tree.path[at].value:
        case {"firstKeptEntryId": str(first)} as compaction if "retainedTail" not in compaction:
            return any(record.id == first for record in tree.path[: at + 1])
        case _:
            return True


def _time(record: Record) -> float | None:
    stamp = record.value.get("timestamp")
    try:
        return datetime.fromisoformat(stamp).timestamp() if isinstance(stamp, str) else None
    except ValueError:
        return None
