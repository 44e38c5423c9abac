"""What becomes of a session: its cures, its slimming, or one note, and what is left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sessionkit.dataclass import replace
from sessionkit.errors import Place, RefusedError
from sessionkit.faults.base import Lengths
from sessionkit.faults.places import NoPlaceError
from sessionkit.ops.cases import unseen
from sessionkit.ops.repair.by_hand import note_at
from sessionkit.ops.repair.options import Cures
from sessionkit.ops.repair.planning import Planner, chosen_faults
from sessionkit.ops.repair.result import Alike, Prognosis

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.faults.case import Case
    from sessionkit.ops.repair.options import Aim, Options
    from sessionkit.ops.repair.result import Request, Treated
    from sessionkit.ops.repair.scratch import Scratch
    from sessionkit.ops.repair.versions import Versions
    from sessionkit.ops.targets import Transfer

_WITH_OFFSETS: Final = "codex"
"""The agent that knows at which byte every line begins."""
_numbers = re.compile("[0-9]+").findall
_MOST: Final = 1000
"""Findings that are kept one by one, so that memory stays bounded."""


def forecast(versions: Versions, transfer: Transfer, options: Options, scratch: Scratch) -> Prognosis:
    """Make the versions of a session, the last of which is what it becomes.

    Raises UsageError and RefusedError for a note that cannot be put, RefusedError for slimming that would change what is sent.
    """
    case = versions.case
    is_fixed = transfer.is_in_place and case.format == _WITH_OFFSETS
    if is_fixed and options.slims:
        raise _saves_nothing(case.path)
    before, missed = case.lines.size, tuple(unseen(case))
    astray = _astray(case, options.aim) if options.aim else ""
    planner = Planner(versions, options, scratch, Lengths.KEPT if is_fixed else Lengths.FREE)
    _treat(planner, versions, options)
    left = sorted(planner.left(), key=lambda left: not left.finding.counts)
    told, request = tuple(planner.treated), planner.request()
    return Prognosis(
        format=versions.case.format,
        profile=versions.case.profile.id,
        treated=told,
        left=tuple(left[:_MOST]),
        more=len(left[_MOST:]),
        before=before,
        after=versions.case.lines.size,
        assets=scratch.sizes,
        request=_as_the_client_sends_it(request, told) if request else None,
        unseen=missed,
        absent=tuple(planner.absent()),
        astray=astray,
    )


def _treat(planner: Planner, versions: Versions, options: Options) -> None:
    """Do what is wanted."""
    faults = chosen_faults(options)
    if options.cures is Cures.NOTE:
        assert options.aim is not None
        finding, splices = note_at(versions.case, options.aim, planner.lengths)
        if not planner.do([planner.put_aside(finding, splices)]):
            raise _has_no_room(versions.case.path, options.aim)
        return
    if options.slims:
        unheard = {slim.fault for slim in options.slims if slim.keeps_request}
        planner.cure(fault for fault in faults if fault.id in unheard)
        _require_same_request(planner, versions)
    planner.cure(faults)


def _astray(case: Case, aim: Aim) -> str:
    """Say that nothing stands at the place that is meant; nothing if something does."""
    if aim.line > case.lines.count:
        return f"there is no line {aim.line}: the session has {case.lines.count}"
    try:
        is_there = case.lines.places(aim.line).has(aim.pointer)
    except NoPlaceError as error:
        return f"nothing stands at {aim.pointer} on line {aim.line}: {error}" if aim.pointer else ""
    return "" if is_there else f"nothing stands at {aim.pointer} on line {aim.line}"


def _as_the_client_sends_it(request: Request, treated: Iterable[Treated]) -> Request:
    """Count as a difference what our own requests never hold, since it is set right on the way: labels, spellings, empty texts."""
    ways = {_place(cured.finding.wire): cured.finding for cured in treated if cured.finding.wire}
    first = ways[min(ways)] if ways else None
    if first is None or (request.way and _place(request.way) <= _place(first.wire)):
        return request
    return replace(request, alike=Alike.PARTS, way=first.wire, line=first.spot.line)


def _place(way: str) -> tuple[int, ...]:
    return tuple(map(int, _numbers(way)))


def _require_same_request(planner: Planner, versions: Versions) -> None:
    request = planner.request()
    if request is not None and request.alike is not Alike.SAME:
        raise RefusedError(
            "not slimmed",
            place=Place(versions.case.path, request.line or None),
            why="the next request would be another one from there on",
            hint="this should not happen: report it",
        )


def _has_no_room(path: str, aim: Aim) -> RefusedError:
    why = "its line would get longer, and Codex keeps the byte offsets of this file in its database"
    return RefusedError("no note can be put there", place=Place(path, aim.line, aim.pointer), why=why, hint="write a copy with -o FILE")


def _saves_nothing(path: str) -> RefusedError:
    return RefusedError(
        "not slimmed in place",
        place=Place(path),
        why="Codex keeps the byte offsets of this file in its database, so its lines must keep their length",
        hint="write a copy with -o FILE, and move it there yourself while Codex is closed",
    )
