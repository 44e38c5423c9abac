"""Find and cure as `repair` does, between two texts."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sessionkit.core.files import Durability
from sessionkit.faults import FAULTS, is_cured_unasked
from sessionkit.faults.base import Choices, Consent, Lengths, Uncured
from sessionkit.ops.repair import Options
from sessionkit.ops.repair.session import Task, repair_session
from sessionkit.ops.sources import Source
from sessionkit.ops.targets import Transfer
from sessionkit.ops.writing import Writing
from tests.faults.workshop import opened

if TYPE_CHECKING:
    from sessionkit.faults.base import Fault, Finding
    from sessionkit.faults.case import Case

_QUICK = Writing(durability=Durability.NO_SYNC)


@dataclass(frozen=True, slots=True)
class Repaired:
    """What a session has become, and the bytes that left it, by the names of the assets that keep them."""

    content: bytes
    kept: dict[str, bytes] = field(default_factory=dict)


def all_found(case: Case) -> list[tuple[Fault, Finding]]:
    """All that every fault finds."""
    return [(fault, finding) for fault in FAULTS for finding in fault.find(case)]


def to_cure(case: Case, everything: list[tuple[Fault, Finding]]) -> list[Finding]:
    """What is done unasked and for its own sake, and can be done where it is."""
    choices = Choices(lengths=Lengths.KEPT if case.format == "codex" else Lengths.FREE)
    done = ((fault, finding) for fault, finding in everything if _is_done(fault, finding))
    return [finding for fault, finding in done if not isinstance(fault.cure(case, finding, choices), Uncured)]


def found(folder: Path, content: bytes) -> list[Finding]:
    """All that is found in a session."""
    with opened(folder, content) as case:
        return [finding for _, finding in all_found(case)]


def left_to_cure(folder: Path, content: bytes) -> list[Finding]:
    """What is left of what could be done in a session."""
    with opened(folder, content) as case:
        return to_cure(case, all_found(case))


def repaired(folder: Path, content: bytes, options: frozenset[str] = frozenset()) -> Repaired:
    """Cure in place what is done unasked, and what waits for these options."""
    with TemporaryDirectory(dir=folder) as place:
        path = Path(place) / "session.jsonl"
        path.write_bytes(content)
        os.utime(path, (1, 1))
        transfer = Transfer(Source(path, Path(path.name)), path, is_in_place=True)
        repair_session(Task(transfer, Options(granted=options, writing=_QUICK)), _silent)
        return Repaired(path.read_bytes(), {f"images/{kept.name}": kept.read_bytes() for kept in path.parent.glob("images/*")})


def _is_done(fault: Fault, finding: Finding) -> bool:
    return fault.consent is Consent.DEFAULT and is_cured_unasked(finding)


def _silent(_size: int) -> None:
    pass
