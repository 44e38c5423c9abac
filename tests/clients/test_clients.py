"""Sessions with which real agents do badly, and well when they are repaired: `make clients`.

Every client of this folder resumes every fixture of its format in which something works against the next turn.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.faults import FAULTS
from sessionkit.faults.open import open_case
from tests.clients.claude_code import ClaudeCode
from tests.clients.client import Client, Place
from tests.clients.pi import Pi
from tests.faults.workshop import FIXTURES, Session
from tests.ops.refusing import holders_in
from tests.providers.loopback import serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.clients.client import Turn
    from tests.providers.strict.base import Refusal

pytestmark = pytest.mark.clients

CLIENTS: tuple[Client, ...] = (Pi(), ClaudeCode())
OPTIONS = {"relink": "--relink", "pairs": "--pairs", "dedupe": "--dedupe"}
"""Options that some fixtures are cured with."""

UNNOTICED = ("torn-line-at-the-end", "compact-metadata")
"""Fixtures with which an agent goes on as if nothing were wrong: the record that is lost was the last one, or only `/compact` fails."""


@dataclass(frozen=True)
class Bricked:
    """A folder of a fault."""

    folder: Path

    @property
    def session(self) -> Session:
        return Session(tuple((self.folder / "bad.jsonl").read_bytes().splitlines(keepends=True)))

    @property
    def report(self) -> dict[str, Any]:
        return json.loads((self.folder / "report.json").read_text())  # type: ignore[no-any-return]

    @property
    def lines(self) -> set[int]:
        """Lines of what works against the next turn."""
        findings = (finding for finding in self.report["findings"] if finding["state"] == "live")
        return {finding["line"] for finding in findings if finding["severity"] in ("bricks", "degrades")}

    @property
    def is_cured(self) -> bool:
        """Whether nothing that needs a person works against the next turn."""
        with open_case(self.folder / "cured.jsonl") as case:
            return not any(finding.counts for fault in FAULTS for finding in fault.find(case))

    @property
    def options(self) -> list[str]:
        return [OPTIONS[option] for option in self.report["options"] if option in OPTIONS]

    @property
    def pictures(self) -> int:
        """Pictures that its agent sends when it is cured."""
        with open_case(self.folder / "cured.jsonl") as case:
            return case.image_count


@dataclass(frozen=True)
class Resumed:
    """What an agent sent when it resumed a session, what it was told, and what it showed."""

    bodies: list[bytes]
    refusals: list[Refusal | None]
    turn: Turn

    @property
    def pictures(self) -> int:
        """Pictures of the last request."""
        return len(list(holders_in(json.loads(self.bodies[-1]))))

    @property
    def messages(self) -> int:
        """Messages of the last request; 0 if none was sent."""
        return len(json.loads(self.bodies[-1])["messages"]) if self.bodies else 0

    def went_well(self, pictures: int) -> bool:
        """Whether it asked once, with all pictures, and was answered."""
        return self.turn.code == 0 and self.refusals == [None] and self.pictures >= pictures


def bricked(client: Client) -> list[Bricked]:
    folders = sorted(path.parent for path in (FIXTURES / "faults" / client.format).glob("*/bad.jsonl"))
    return [fixture for fixture in map(Bricked, folders) if fixture.lines and fixture.is_cured]


@pytest.mark.parametrize(
    ("client", "fixture"),
    [pytest.param(client, one, id=f"{client.format}-{one.folder.name}") for client in CLIENTS for one in bricked(client)],
)
def test_badly_before_and_well_after(client: Client, fixture: Bricked, tmp_path: Path) -> None:
    _, before = resumed(client, fixture.session, tmp_path / "before")
    place, session = settled(client, fixture.session, tmp_path / "after")
    check_located(fixture, session, before)
    assert sessionkit("repair", session, "--apply", "--live", *fixture.options).returncode == 0
    after = asked(client, session, place)
    assert after.went_well(fixture.pictures), after
    is_worse = not before.went_well(fixture.pictures) or before.messages < after.messages
    assert is_worse or fixture.folder.name in UNNOTICED, before


@pytest.mark.parametrize("client", CLIENTS, ids=[client.format for client in CLIENTS])
def test_a_healthy_session(client: Client, tmp_path: Path) -> None:
    """It is answered as it is: what is wrong with the others are their faults."""
    session, resumption = resumed(client, Session.recorded(f"{client.format}/session"), tmp_path)
    with open_case(session) as case:
        assert resumption.went_well(case.image_count), resumption


def settled(client: Client, session: Session, folder: Path) -> tuple[Place, Path]:
    place = Place(folder)
    place.project.mkdir(parents=True)
    place.home.mkdir()
    return place, client.settle(session, place)


def resumed(client: Client, session: Session, folder: Path) -> tuple[Path, Resumed]:
    place, path = settled(client, session, folder)
    return path, asked(client, path, place)


def asked(client: Client, session: Path, place: Place) -> Resumed:
    with serving() as server:
        turn = client.resume(session, place, server)
    return Resumed(server.bodies, server.refusals, turn)


def check_located(fixture: Bricked, session: Path, before: Resumed) -> None:
    """What the agent shows of a refusal, or what it was told if it keeps that to itself, leads to what was damaged."""
    refusal = next(iter(before.refusals), None)
    if refusal is None:
        return
    shown = before.turn.text if "400" in before.turn.text else json.dumps(refusal.envelope)
    located = sessionkit("locate", session, "--error", shown, "--json")
    lines = {record["line"] for record in map(json.loads, located.stdout.splitlines()) if record["type"] == "hit"}
    assert lines & fixture.lines, (shown, located.stdout, located.stderr)


def sessionkit(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "sessionkit", *map(str, words)], capture_output=True, text=True, check=False)
