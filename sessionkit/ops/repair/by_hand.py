"""A note in the place of one picture that somebody named, whether it breaks a rule or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.errors import Place, RefusedError, UsageError
from sessionkit.faults.base import Choices, Finding, Severity, Uncured
from sessionkit.faults.judging import Remedy
from sessionkit.faults.remedies import noted

if TYPE_CHECKING:
    from sessionkit.faults.base import Lengths, Splice
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.ops.repair.options import Aim

BY_HAND: Final = "by-hand"
"""What it is called where findings have the id of a fault."""
_REASON: Final = "by hand"
_MANY: Final = 5
_HINT: Final = "`sessionkit locate` tells which picture a provider means"


def note_at(case: Case, aim: Aim, lengths: Lengths) -> tuple[Finding, tuple[Splice, ...]]:
    """Cure the picture at a place, and wherever else the same one is sent.

    Raises UsageError where there is not exactly one, and RefusedError where no note can be put.
    """
    exhibit = _the_one(case, aim)
    place = Place(case.path, exhibit.line, exhibit.block)
    if exhibit.role == "assistant":
        raise RefusedError("no note is put there", place=place, why="what the model said is left as it is", hint="name another place")
    cure = noted(case, exhibit, _REASON, Choices(lengths=lengths))
    if isinstance(cure, Uncured):
        raise RefusedError("no note can be put there", place=place, why=cure.reason, hint="write a copy with -o, or name another place")
    return _finding(case, exhibit), cure


def _the_one(case: Case, aim: Aim) -> Exhibit:
    found = {exhibit.block: exhibit for exhibit in case.exhibits if aim.holds(exhibit.spot)}
    sent = {block: exhibit for block, exhibit in found.items() if exhibit.is_live} or found
    if len(sent) == 1:
        return next(iter(sent.values()))
    place = Place(case.path, aim.line, aim.pointer)
    if not sent:
        there = ", ".join(dict.fromkeys(str(exhibit.line) for exhibit in case.gallery.live))
        raise UsageError("no picture stands there", place=place, why=f"lines with pictures that are sent: {there or 'none'}", hint=_HINT)
    named = ", ".join(sorted(sent)[:_MANY])
    raise UsageError(f"{len(sent)} pictures stand there", place=place, why=named, hint="name one of them with --path")


def _finding(case: Case, exhibit: Exhibit) -> Finding:
    return Finding(
        BY_HAND,
        Severity.HARMLESS,
        exhibit.state,
        exhibit.spot,
        "it was named",
        Remedy.NOTE,
        is_lossless=False,
        image=case.image(exhibit),
        twins=case.twins(exhibit),
        wire=case.way(exhibit),
    )
