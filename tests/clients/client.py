"""What a client is: a real agent that resumes a session, and sends its next request to a server on this machine."""

from __future__ import annotations

import os
import subprocess
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.faults.workshop import Session
    from tests.providers.loopback import Loopback

MODULES = Path(__file__).parents[2] / ".clients" / "node_modules"
"""Where `make clients` puts the agents, and a node that is new enough for them."""
_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Place:
    """A folder with the home of an agent, and the project that it works in."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def project(self) -> Path:
        return self.folder / "project"


@dataclass(frozen=True, slots=True)
class Turn:
    """What an agent did when it was asked something: its exit code, and what it printed."""

    code: int
    text: str


class Client(ABC):
    """One agent."""

    format: ClassVar[str]
    """The format of its sessions: that of the folders in `fixtures/faults` that it can resume."""

    @abstractmethod
    def settle(self, session: Session, place: Place) -> Path:
        """Write the session where its agent looks for it, as one that belongs to the project; and whatever else it asks for."""

    @abstractmethod
    def resume(self, session: Path, place: Place, server: Loopback) -> Turn:
        """Resume the session with a question, so that nothing is sent but to the server."""


def run(words: Sequence[str | Path], place: Place, variables: Mapping[str, str]) -> Turn:
    """Run a program in the project, in an environment with nothing of whoever runs the tests."""
    surroundings = {"PATH": os.pathsep.join((str(MODULES / ".bin"), os.defpath)), "HOME": str(place.home), "NO_COLOR": "1", **variables}
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
