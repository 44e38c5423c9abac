"""Every fault that is done to every scene, found by running each scene once."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.system.scenes import SCENES
from tests.system.sessions import PROGRAM
from tests.system.strace import Call, run_traced


@dataclass(frozen=True)
class Fault:
    """What is done at a call of a scene, in strace's words: `signal=SIGKILL`, `error=ENOSPC`."""

    scene: str
    call: Call
    deed: str

    def __str__(self) -> str:
        return f"{self.scene}: {self.deed} at {self.call}"

    def options(self, root: Path) -> tuple[str, ...]:
        """Options of strace that do it."""
        counted = ("-P", str(root / self.call.folder)) if self.call.folder else ()
        return ("-e", f"inject={self.call.name}:{self.deed}:when={self.call.when}", *counted)


def at_the_first_calls(turns: int, *deeds: str) -> list[Fault]:
    """Each of the deeds at each call of each scene; of many calls of one kind on one target only at the first ones."""
    return [Fault(scene, call, deed) for scene in SCENES for call in calls_of(scene) for deed in deeds if call.turn <= turns]


@cache
def calls_of(scene: str) -> tuple[Call, ...]:
    """Calls on files of ours in an undisturbed run."""
    _compile()
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "root"
        root.mkdir()
        ran = run_traced(SCENES[scene](root).command, root)
    assert ran.code == 0, ran.stderr
    return tuple(ran.calls)


@cache
def _compile() -> None:
    """Have Python keep the compiled modules: reading them takes fewer calls than compiling them again."""
    subprocess.run([*PROGRAM, "migrate", "--help"], check=True, stdout=subprocess.DEVNULL)
