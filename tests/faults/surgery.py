"""Sessions after cures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sessionkit.faults.base import Lengths, Uncured
from sessionkit.faults.cures import applied, combine
from tests.faults.workshop import Session

if TYPE_CHECKING:
    from sessionkit.faults.base import Cure
    from sessionkit.faults.case import Case


def done(case: Case, *cures: Cure, lengths: Lengths = Lengths.FREE) -> Session:
    """The session after cures, all of which must be possible at once."""
    made = [cure for cure in cures if not isinstance(cure, Uncured)]
    assert made == list(cures)
    combined = combine(case.lines, made, lengths)
    assert not combined.waiting
    return Session(tuple(b"".join(applied(case.lines, combined.splices)).splitlines(keepends=True)))


def value(session: Session, line: int, pointer: str) -> object:
    found = json.loads(session.lines[line - 1])
    for step in pointer.split("/")[1:]:
        found = found[int(step)] if isinstance(found, list) else found[step]
    return found


def changed(before: Session, after: Session) -> set[int]:
    assert len(before.lines) == len(after.lines)
    return {at for at, (one, other) in enumerate(zip(before.lines, after.lines, strict=True), 1) if one != other}
