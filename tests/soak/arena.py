"""A folder that many processes work on, and what has to be there."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sessionkit.core.files import is_temporary

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tests.soak.material import Material


@dataclass(frozen=True)
class Loss:
    """A promise that was not kept: what, and of which file."""

    what: str
    path: Path

    def __str__(self) -> str:
        return f"{self.path}: {self.what}"


@dataclass
class Arena:
    """Sessions that have their names, all with their assets in one store; `is_small` where the disk may be full.

    Only this process removes sessions; so what stands here is there, whatever the others do.
    """

    folder: Path
    is_small: bool = False
    sessions: dict[Path, Material] = field(default_factory=dict)

    @property
    def store(self) -> Path:
        return self.folder / "images"

    def adopt(self, targets: Iterable[tuple[Path, Material]]) -> Iterator[Loss]:
        """Take in what a process has written, killed or not: a session is there and whole, or not there."""
        for target, material in targets:
            if target.exists():
                self.sessions[target] = material
                yield from self.inspect(target, material)

    def inspect(self, target: Path, material: Material) -> Iterator[Loss]:
        """Read a session and all its assets."""
        if target.read_bytes() != material.spilled:
            yield Loss("the session is not whole", target)
        for name in material.assets:
            yield from self._inspect_asset(name, target)

    def inspect_all(self) -> Iterator[Loss]:
        """Read everything, strangers in the store too."""
        for target, material in self.sessions.items():
            yield from self.inspect(target, material)
        for path in self.store.glob("*.*"):
            if not path.name.startswith(".") and not is_temporary(path.name):
                yield from self._inspect_asset(path.name, path)

    def forget(self, rng: random.Random, pinned: frozenset[Path]) -> bool:
        """Remove a session, so that its assets may become orphans; False if all are needed."""
        free = [target for target in self.sessions if target not in pinned]
        if free:
            target = rng.choice(free)
            del self.sessions[target]
            target.unlink()
        return bool(free)

    def _inspect_asset(self, name: str, session: Path) -> Iterator[Loss]:
        try:
            data = (self.store / name).read_bytes()
        except FileNotFoundError:
            yield Loss(f"the asset {name} is missing", session)
            return
        if hashlib.sha256(data).hexdigest() != name.partition(".")[0]:
            yield Loss(f"the asset {name} is not whole", session)
