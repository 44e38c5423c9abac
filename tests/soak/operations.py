"""What the processes of a run do: each is one command, and knows how to judge what came of it."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from sessionkit.errors import ExitCode
from tests.soak.arena import Arena, Loss

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.soak.material import Material

_FULL = ("no space left on device", "are free at", "file too large", "disk quota exceeded")
_REMOVED = ("no such file or directory", "changed while it was read", "come and go while they are read", "the asset is missing")


@dataclass(frozen=True)
class Ended:
    """How a process ended; `code` is negative for a signal."""

    code: int
    out: str
    err: str
    is_killed: bool


@dataclass
class Operation(ABC):
    """A command line on an arena."""

    arena: Arena
    kind: ClassVar[str]
    is_deadly: ClassVar[bool] = True
    """Whether it may be killed: what is killed says nothing, so those that look on are let live."""

    @property
    @abstractmethod
    def words(self) -> list[str | Path]:
        """The command line."""

    @property
    def pinned(self) -> frozenset[Path]:
        """Sessions that must stay while it runs."""
        return frozenset()

    @abstractmethod
    def judge(self, ended: Ended) -> Iterator[Loss]:
        """Tell what was lost, after it has ended in whatever way."""

    def refusal(self, ended: Ended) -> str:
        """Tell why it was right not to do it: `full disk`, `meanwhile` (sessions are removed by this run), or nothing."""
        if ended.code not in {ExitCode.FAILED, ExitCode.PARTIAL}:
            return ""
        if self.arena.is_small and any(why in ended.err for why in _FULL):
            return "full disk"
        return "meanwhile" if any(why in ended.err for why in self.expected) else ""

    expected: ClassVar[tuple[str, ...]] = ()


@dataclass
class Migrate(Operation):
    """Spill one session, or a folder of them with a journal."""

    target: Path
    materials: tuple[Material, ...]
    sync: str
    kind: ClassVar[str] = "migrate"

    @property
    def words(self) -> list[str | Path]:
        where: list[str | Path] = (
            ["-o", self.target] if len(self.materials) == 1 else ["--out", self.target, "--resume", f"{self.target}.journal"]
        )
        return ["migrate", self.sync, "--store", self.arena.store, *(material.path for material in self.materials), *where]

    @property
    def targets(self) -> list[tuple[Path, Material]]:
        """Where each session goes."""
        is_one = len(self.materials) == 1
        return [(self.target if is_one else self.target / material.path.name, material) for material in self.materials]

    @property
    def pinned(self) -> frozenset[Path]:
        return frozenset(target for target, _ in self.targets)

    def judge(self, ended: Ended) -> Iterator[Loss]:
        yield from self.arena.adopt(self.targets)
        if ended.code == ExitCode.OK:
            missing = (target for target, _ in self.targets if target not in self.arena.sessions)
            yield from (Loss("told to be written, and it is not there", target) for target in missing)


@dataclass
class Restore(Operation):
    """Restore a session, and compare it with the original."""

    session: Path
    target: Path
    kind: ClassVar[str] = "restore"

    @property
    def words(self) -> list[str | Path]:
        return ["restore", self.session, "--store", self.arena.store, "-o", self.target]

    @property
    def pinned(self) -> frozenset[Path]:
        return frozenset([self.session])

    def judge(self, ended: Ended) -> Iterator[Loss]:
        if self.target.exists():
            if self.target.read_bytes() != self.arena.sessions[self.session].inline:
                yield Loss("restored, and not the original", self.session)
            self.target.unlink()
        elif ended.code == ExitCode.OK:
            yield Loss("told to be restored, and it is not there", self.session)


@dataclass
class Verify(Operation):
    """Verify all sessions; of those that are removed meanwhile nothing is expected."""

    kind: ClassVar[str] = "verify"
    is_deadly: ClassVar[bool] = False
    expected: ClassVar[tuple[str, ...]] = _REMOVED

    @property
    def words(self) -> list[str | Path]:
        return ["verify", "-r", self.arena.folder, "--store", self.arena.store, "--json"]

    def judge(self, ended: Ended) -> Iterator[Loss]:
        for record in map(json.loads, ended.out.splitlines()):
            path = Path(record.get("session", ""))
            if path in self.arena.sessions and record["status"] != "ok":
                yield Loss(f"verify says {record['status']}: {json.dumps(record)[:300]}", path)

    def refusal(self, ended: Ended) -> str:
        is_empty = "no sessions to work on" in ended.err
        return "meanwhile" if ended.code == ExitCode.FINDINGS or is_empty else super().refusal(ended)


@dataclass
class Collect(Operation):
    """Free what no session names, whatever its age; or put it back; or delete it for good."""

    way: tuple[str, ...]
    kind: ClassVar[str] = "gc"
    expected: ClassVar[tuple[str, ...]] = (*_REMOVED, "nothing here could name an asset", "there is no trash", "nothing to undo")

    @property
    def words(self) -> list[str | Path]:
        return ["gc", self.arena.folder, "--store", self.arena.store, *self.way]

    def judge(self, ended: Ended) -> Iterator[Loss]:  # noqa: ARG002  what it says is not what counts
        for target, material in self.arena.sessions.items():
            yield from self.arena.inspect(target, material)


FREE = ("--grace", "0", "--apply")
UNDO = ("--undo",)
PURGE = ("--purge-trash", "--older-than", "0", "--apply")
