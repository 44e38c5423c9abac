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

_QUICK = Writing(durability=Durability.NO_SYNC)


@dataclass(frozen=True, slots=True)
class Repaired:
    """What a session has become, and the bytes that left it, by the names of the assets that keep them."""

    content: bytes
    kept: dict[str, bytes] = field(default_factory=dict)


def found(folder: Path, content: bytes) -> list[Finding]:
    """All that every fault finds."""
    with opened(folder, content) as case:
        return [finding for fault in FAULTS for finding in fault.find(case)]


def left_to_cure(folder: Path, content: bytes) -> list[Finding]:
    """What is done unasked and for its own sake, and can be done where it is."""
    with opened(folder, content) as case:
        choices = Choices(lengths=Lengths.KEPT if case.format == "codex" else Lengths.FREE)
        findings = [(fault, finding) for fault in FAULTS for finding in fault.find(case) if _is_done(fault, finding)]
        return [finding for fault, finding in findings if not isinstance(fault.cure(case, finding, choices), Uncured)]


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
