"""Sessions with which real agents cannot go on, and can when they are repaired: `make clients`.

Every client of this folder resumes every fixture of its format that a fault bricks or takes something from.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.faults.open import open_case
from tests.clients.client import Client, Place
from tests.clients.pi import Pi
from tests.faults.workshop import FIXTURES, Session
from tests.ops.refusing import holders_in
from tests.providers.loopback import serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.clients.client import Turn
    from tests.providers.loopback import Loopback

pytestmark = pytest.mark.clients

CLIENTS: tuple[Client, ...] = (Pi(),)
OPTIONS = {"relink": "--relink", "pairs": "--pairs", "dedupe": "--dedupe"}
"""Options that some fixtures are cured with."""


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

    def lines(self, *severities: str) -> set[int]:
        """Lines of what is found and works against the next turn."""
        findings = (finding for finding in self.report["findings"] if finding["state"] == "live")
        return {finding["line"] for finding in findings if finding["severity"] in severities}

    @property
    def options(self) -> list[str]:
        return [OPTIONS[option] for option in self.report["options"] if option in OPTIONS]

    def pictures(self) -> int:
        """Pictures that its agent sends when it is cured."""
        with open_case(self.folder / "cured.jsonl") as case:
            return case.image_count


def bricked(client: Client) -> list[Bricked]:
    folders = sorted(path.parent for path in (FIXTURES / "faults" / client.format).glob("*/bad.jsonl"))
    return [fixture for fixture in map(Bricked, folders) if fixture.lines("bricks", "degrades")]


@pytest.mark.parametrize(
    ("client", "fixture"),
    [pytest.param(client, one, id=f"{client.format}-{one.folder.name}") for client in CLIENTS for one in bricked(client)],
)
def test_refused_before_and_accepted_after(client: Client, fixture: Bricked, tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.session.write_bytes(client.placed(fixture.session, place).content)
    with serving() as server:
        turn = client.resume(place, server)
        before = [pictures(body) for body in server.bodies]
        if fixture.lines("bricks"):
            assert None not in server.refusals, turn.text
        if server.refusals and server.refusals[0] is not None:
            check_located(fixture, place, turn)
        if sessionkit("repair", place.session, "--apply", "--live", *fixture.options).returncode:
            pytest.skip("something is left that needs a person")
        after = resumed(client, place, server)
    assert len(after) >= fixture.pictures()
    assert len(after) + notes(server) >= max(before, default=0)


def test_a_healthy_session(tmp_path: Path) -> None:
    """It is accepted as it is: what refuses the others are their faults."""
    for client in CLIENTS:
        place = Place(tmp_path / client.format)
        place.folder.mkdir()
        session = Session.recorded(f"{client.format}/session")
        place.session.write_bytes(client.placed(session, place).content)
        with serving() as server:
            resumed(client, place, server)


def resumed(client: Client, place: Place, server: Loopback) -> list[object]:
    """Resume, and let the first request be accepted; give its pictures."""
    done = len(server.bodies)
    turn = client.resume(place, server)
    assert server.refusals[done:] == [None], (turn, server.refusals[done:])
    assert turn.code == 0, turn
    return list(holders_in(server.last()))


def check_located(fixture: Bricked, place: Place, turn: Turn) -> None:
    """What the agent shows of the refusal leads to what was damaged."""
    text = place.folder / "error.txt"
    text.write_text(turn.text)
    shown = sessionkit("locate", place.session, "--error", f"@{text}", "--json")
    lines = {record["line"] for record in map(json.loads, shown.stdout.splitlines()) if record["type"] == "hit"}
    assert lines
    assert lines & fixture.lines("bricks", "degrades"), (turn.text, shown.stdout)


def pictures(body: bytes) -> int:
    return len(list(holders_in(json.loads(body))))


def notes(server: Loopback) -> int:
    return server.bodies[-1].count(b"[image removed")


def sessionkit(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "sessionkit", *map(str, words)], capture_output=True, text=True, check=False)
