"""One fault alone: what it finds, and what its cures make of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.faults.base import Choices, Uncured
from tests.faults.surgery import done
from tests.faults.workshop import Session, opened

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Fault, Finding

UNASKED = Choices()


def findings(fault: Fault, folder: Path, session: Session | bytes) -> list[Finding]:
    with opened(folder, session) as case:
        return list(fault.find(case))


def cured(fault: Fault, folder: Path, session: Session | bytes, choices: Choices = UNASKED) -> Session:
    """The session after all of its cures, each of which must be possible."""
    with opened(folder, session) as case:
        return done(
            case, *(fault.cure(case, finding, choices) for finding in fault.find(case) if not finding.obstacle), lengths=choices.lengths
        )


def refusals(fault: Fault, folder: Path, session: Session | bytes, choices: Choices = UNASKED) -> list[str]:
    """Why what is found is not cured."""
    with opened(folder, session) as case:
        cures = [fault.cure(case, finding, choices) for finding in fault.find(case)]
    return [cure.reason for cure in cures if isinstance(cure, Uncured)]
