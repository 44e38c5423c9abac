"""The sessions that are measured with, and where they are kept."""

from __future__ import annotations

import shlex
import shutil
import sys
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.timing import ASIDE, Command, run

if TYPE_CHECKING:
    from collections.abc import Sequence

_PYTHON = sys.executable
_SESSIONKIT = str(Path(sys.executable).parent / "sessionkit")
_SPILL = "SESSIONKIT migrate -r SESSIONS --out SPILLED --no-fsync"


class Workload(Enum):
    """Sessions by their place in the folder of data."""

    NONE = "none"
    PI = "big_pi.jsonl"
    CLAUDE = "big_claude.jsonl"
    MID = "mid"
    TEXTS = "texts"
    PI_1_GB = "larger_1000.jsonl"
    PI_3_GB = "larger_3000.jsonl"
    HUNDRED = "hundred.jsonl"


_LARGER = {Workload.PI_1_GB: 1000, Workload.PI_3_GB: 3000}
"""Megabytes of the sessions that are made when they are needed, and removed afterwards."""


class Case(NamedTuple):
    """A command, as a template, on a workload."""

    workload: Workload
    command: str


@dataclass(frozen=True, slots=True)
class Data:
    """A folder of sessions; `divisor` is by how much they are smaller or fewer than they should be."""

    folder: Path
    divisor: int

    def enter(self, workload: Workload) -> None:
        """Make the sessions of a workload, unless they are there."""
        if workload is Workload.HUNDRED:
            self._make_hundred()
        elif workload is not Workload.NONE and not self._sessions(Workload.PI).exists():
            self._make()
        if workload in _LARGER:
            size = str(_LARGER[workload] // self.divisor)
            run(Command((_PYTHON, "-m", "bench.enlarge", str(self._sessions(Workload.PI)), str(self._sessions(workload)), size), self._out))

    def _make(self) -> None:
        # In a process of its own: pictures take memory, and this process must stay small.
        draft = self.folder.with_suffix(".draft")
        sizes = ("--mb", 300 // self.divisor, "--files", 100 // self.divisor, "--texts", 2000 // self.divisor)
        run(Command((_PYTHON, "-m", "bench.make_sessions", str(draft), *map(str, sizes)), draft))
        self.folder.mkdir(parents=True, exist_ok=True)
        for made in sorted(draft.iterdir(), key=lambda made: made.name == Workload.PI.value):  # which tells that all are there
            made.rename(self.folder / made.name)
        draft.rmdir()

    def _make_hundred(self) -> None:
        session = self._sessions(Workload.HUNDRED)
        self.folder.mkdir(parents=True, exist_ok=True)
        if not session.exists():
            run(Command((_PYTHON, "-m", "bench.hundred", str(session), "--pictures", str(100 // self.divisor)), self._out))

    def spill(self, workload: Workload) -> None:
        """Make the spilled sessions of a workload."""
        run(Command(self._expand(Case(workload, _SPILL)), self._spilled))

    def leave(self, workload: Workload) -> None:
        """Remove what `enter`, `spill` and the commands have made."""
        if workload in _LARGER:
            self._sessions(workload).unlink(missing_ok=True)
        for folder in (self._spilled, self._out, self.folder / ASIDE):
            shutil.rmtree(folder, ignore_errors=True)

    def command(self, case: Case) -> Command:
        """Put programs and paths in place of the words in capitals."""
        return Command(self._expand(case), self._out)

    def longest_line(self, workload: Workload) -> int:
        """Bytes of the longest line."""
        with self._sessions(workload).open("rb") as file:
            return max(map(len, file))

    def size(self, workload: Workload) -> int:
        """Bytes of the session."""
        return self._sessions(workload).stat().st_size

    def _expand(self, case: Case) -> tuple[str, ...]:
        sessions = self._sessions(case.workload)
        meanings: dict[str, Sequence[object]] = {
            "PYTHON": [_PYTHON],
            "SESSIONKIT": [_SESSIONKIT],
            "OUT": [self._out],
            "SESSIONS": [sessions],
            "FILES": sorted(sessions.iterdir()) if sessions.is_dir() else [sessions],
            "SPILLED": [self._spilled],
            "SPILLED_FILES": sorted(self._spilled.rglob("*.jsonl")),
            "IMAGES": [self._spilled / "images"],
        }
        return tuple(str(part) for word in shlex.split(case.command) for part in meanings.get(word, [word]))

    def _sessions(self, workload: Workload) -> Path:
        return self.folder / workload.value

    @property
    def _out(self) -> Path:
        return self.folder / "out"

    @property
    def _spilled(self) -> Path:
        return self.folder / "spilled"
