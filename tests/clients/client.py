"""What a client is: a real agent that resumes a session, and sends its next request to a server on this machine."""

from __future__ import annotations

import os
import subprocess
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.faults.workshop import Session
    from tests.providers.loopback import Loopback

PROGRAMS = Path(__file__).parents[2] / ".clients" / "node_modules" / ".bin"
"""Where `make clients` puts the agents, and a node that is new enough for them."""
_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Turn:
    """What an agent did when it was asked something: its exit code, and what it printed."""

    code: int
    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """An empty folder with the session that is resumed, and room for the agent's home."""

    folder: Path

    @property
    def session(self) -> Path:
        return self.folder / "session.jsonl"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def project(self) -> Path:
        return self.folder / "project"


class Client(ABC):
    """One agent."""

    format: ClassVar[str]
    """The format of its sessions: that of the folders in `fixtures/` that it can resume."""

    @abstractmethod
    def placed(self, session: Session, place: Place) -> Session:
        """Say in the session that it belongs to the project of this place: agents look where they are."""

    @abstractmethod
    def resume(self, place: Place, server: Loopback) -> Turn:
        """Resume the session with a question. Whatever it costs, nothing is sent but to the server."""

    def run(self, words: Sequence[str | Path], place: Place, variables: dict[str, str]) -> Turn:
        """Run its program in the project, in an environment with nothing of whoever runs the tests."""
        path = os.pathsep.join((str(PROGRAMS), os.defpath))
        surroundings = {"PATH": path, "HOME": str(place.home), "NO_COLOR": "1", **variables}
        done = subprocess.run(
            list(map(str, words)),
            cwd=place.project,
            env=surroundings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_SECONDS,
            check=False,
        )
        return Turn(done.returncode, done.stdout.decode("utf-8", "replace"))
