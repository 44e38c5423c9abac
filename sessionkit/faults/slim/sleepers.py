"""Media that the next request does not hold: those that none can hold again, and those that a change of branch brings back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.faults.compactions import newest_compaction
from sessionkit.faults.exhibits import Place
from sessionkit.formats.claude_code.branch import is_sidechain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit


def dead(case: Case) -> Iterator[Exhibit]:
    """Media from before the newest compaction that it did not keep; not those of subagents, whose records are no part of it."""
    newest, aside = newest_compaction(case), _of_subagents(case)
    return (exhibit for exhibit in _asleep(case) if exhibit.line < newest and exhibit.line not in aside)


def off_path(case: Case) -> Iterator[Exhibit]:
    """Media of turns that were taken back, of branches that were left, and of subagents; none where the path is cut short, or unsure."""
    if case.tree.is_cut or case.unread:
        return iter(())
    records = case.outline.records if case.format == "codex" else case.tree.records
    left = {record.origin.line for record in records} - case.tree.lines
    gone = {exhibit.spot for exhibit in dead(case)}
    return (exhibit for exhibit in _asleep(case) if exhibit.line in left and exhibit.spot not in gone)


def _asleep(case: Case) -> Iterator[Exhibit]:
    return (exhibit for exhibit in case.exhibits if not exhibit.is_live and exhibit.place is not Place.TWIN)


def _of_subagents(case: Case) -> frozenset[int]:
    """Lines of subagents, unless the session is one."""
    if any(is_sidechain(record) for record in case.tree.path):
        return frozenset()
    return frozenset(record.origin.line for record in case.tree.records if is_sidechain(record))
