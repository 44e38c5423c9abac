"""Writers, readers and a collector at work on the same folders, all at the same time."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sessionkit.core.files import is_temporary
from sessionkit.errors import ExitCode
from tests.soak.arena import Arena, Loss
from tests.soak.operations import FREE, PURGE, UNDO, Collect, Migrate, Operation, Restore, Verify
from tests.soak.processes import Child

if TYPE_CHECKING:
    from pathlib import Path

    from tests.soak.material import Material

WRITERS, COLLECTORS, READERS = 8, 2, 2
_DEADLY = 0.15
"""Share of the processes that are killed."""
_MOMENTS = 0.25
"""Seconds within which they are."""
_MOST = 12
"""Sessions of an arena; beyond them more are removed than written."""
_FILE_LIMIT = 40_000
"""Bytes of a file where no small disk can be had: larger ones are refused as if it were full."""


@dataclass
class Tally:
    """Processes by kind, and how they ended."""

    ended: Counter[str] = field(default_factory=Counter)
    killed: Counter[str] = field(default_factory=Counter)
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)
    removed: int = 0
    looks: int = 0
    losses: list[Loss] = field(default_factory=list)

    @property
    def operations(self) -> int:
        """Processes that have ended."""
        return self.ended.total()


@dataclass
class Crew:
    """Who does what next, by a seed."""

    arenas: list[Arena]
    materials: list[Material]
    scratch: Path
    seed: int
    tally: Tally = field(default_factory=Tally)
    at_work: dict[str, tuple[Operation, Child]] = field(default_factory=dict)
    begun: int = 0
    has_disk: bool = True

    def __post_init__(self) -> None:
        self.rngs = {name: random.Random(f"{self.seed} {name}") for name in ("watcher", *self.names)}  # noqa: S311  the same of a seed

    @property
    def names(self) -> list[str]:
        """Of all who work."""
        numbers = (("writer", WRITERS), ("collector", COLLECTORS), ("reader", READERS))
        return [f"{kind} {number}" for kind, count in numbers for number in range(count)]

    def work(self, seconds: float, operations: int | None) -> None:
        """Go on for so many seconds, or until so many operations were begun; then let all come to their end."""
        end = time.monotonic() + seconds
        while self.at_work or (time.monotonic() < end and not self._is_enough(operations)):
            if time.monotonic() < end:
                self._start_idle(operations)
            if not self._collect_ended():
                self._look_around()
                time.sleep(0.002)
        for arena in self.arenas:
            self._tidy(arena)
            self.tally.losses += arena.inspect_all()

    def _tidy(self, arena: Arena) -> None:
        """Let one last collection, alone, remove what killed processes have left half-written."""
        child = Child.start(Collect(arena, FREE).words, None, None)
        while child.poll() is None:
            time.sleep(0.01)
        if arena.sessions:
            self.tally.losses += [Loss("left behind", path) for path in arena.folder.rglob("*") if is_temporary(path.name)]

    def _is_enough(self, operations: int | None) -> bool:
        return bool(self.tally.losses) or (operations is not None and self.begun >= operations)

    def _look_around(self) -> None:
        """Read one session, or one that is being written and has its name already, with all its assets."""
        rng = self.rngs["watcher"]
        standing = [(arena, each) for arena in self.arenas for each in arena.sessions.items()]
        writing = [operation for operation, _ in self.at_work.values() if isinstance(operation, Migrate)]
        begun = [(operation.arena, each) for operation in writing for each in operation.targets]
        for choices in (standing, begun):
            if choices:
                arena, (target, material) = rng.choice(choices)
                if target.exists():
                    self.tally.looks += 1
                    self.tally.losses += arena.inspect(target, material)

    def _start_idle(self, operations: int | None) -> None:
        for name in self.names:
            if name not in self.at_work and not self._is_enough(operations):
                self.begun += 1
                operation = self._next(name)
                rng = self.rngs[name]
                is_doomed = operation.is_deadly and rng.random() < _DEADLY
                deadline = time.monotonic() + rng.random() * _MOMENTS if is_doomed else None
                limit = _FILE_LIMIT if operation.arena.is_small and not self.has_disk else None
                self.at_work[name] = operation, Child.start(operation.words, deadline, limit)

    def _next(self, name: str) -> Operation:
        rng = self.rngs[name]
        arena = rng.choices(self.arenas, [4, 1])[0]
        match name.partition(" ")[0]:
            case "writer":
                return self._migration(rng, arena)
            case "collector":
                return Collect(arena, rng.choices([FREE, UNDO, PURGE], [8, 1, 2])[0])
            case _ if arena.sessions and rng.random() < 0.8:
                return Restore(arena, rng.choice(list(arena.sessions)), self.scratch / f"{self.begun}.jsonl")
            case _:
                return Verify(arena)

    def _migration(self, rng: random.Random, arena: Arena) -> Migrate:
        """Write what is new, or once more what stands there already."""
        self._make_room(rng, arena)
        sync = rng.choice(["--fsync", "--no-fsync"])
        if arena.sessions and rng.random() < 0.2:
            target = rng.choice(list(arena.sessions))
            return Migrate(arena, target, (arena.sessions[target],), sync)
        if rng.random() < 0.2:
            return Migrate(arena, arena.folder / f"batch{self.begun}", tuple(rng.sample(self.materials, 5)), sync)
        return Migrate(arena, arena.folder / f"{self.begun}.jsonl", (rng.choice(self.materials),), sync)

    def _make_room(self, rng: random.Random, arena: Arena) -> None:
        pinned = frozenset(path for operation, _ in self.at_work.values() for path in operation.pinned)
        for _ in range(1 + 2 * (len(arena.sessions) > _MOST)):
            if arena.sessions and rng.random() < 0.5:
                self.tally.removed += arena.forget(rng, pinned)

    def _collect_ended(self) -> bool:
        """Judge all that have ended; False if none has."""
        is_any = False
        for name, (operation, child) in list(self.at_work.items()):
            ended = child.poll()
            if ended is None:
                continue
            is_any = True
            del self.at_work[name]
            self.tally.ended[operation.kind] += 1
            self.tally.killed[operation.kind] += ended.is_killed
            refusal = operation.refusal(ended)
            if refusal:
                self.tally.refused[operation.kind, refusal] += 1
            elif ended.code != ExitCode.OK and not ended.is_killed:
                self.tally.losses.append(Loss(f"{operation.kind} exits with {ended.code}: {ended.err}", operation.arena.folder))
            self.tally.losses += operation.judge(ended)
        return is_any
