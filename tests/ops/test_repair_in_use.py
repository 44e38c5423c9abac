"""Sessions that somebody writes to while they are repaired."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import ChangedError, InUseError
from sessionkit.ops.batch import Batch
from sessionkit.ops.failed import Failed
from sessionkit.ops.guards import Liveness
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.writing import Writing
from tests.faults.workshop import Session
from tests.ops.repairs import (
    DRY,
    IN_PLACE,
    mislabelled,
    options,
    refused,
    repaired,
    stored,
    tried,
)
from tests.ops.runs import age, files, stamps

if TYPE_CHECKING:
    from pathlib import Path

LATE = b'{"type":"system","uuid":"late","parentUuid":null}\n'
HOLD = 'import sys; file = open(sys.argv[1], "a"); print("ready", flush=True); sys.stdin.read()'


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """One of Claude Code's, in which one label is wrong."""
    return mislabelled(tmp_path / "home")


def test_a_young_session_is_left_alone(session: Path) -> None:
    age(session, 1)
    before = stamps(session.parent)
    assert isinstance(refused(session), InUseError)
    assert "seconds ago" in repaired(session, options(writing=DRY)).prognosis.busy
    assert stamps(session.parent) == before
    live = Writing(liveness=Liveness.ACCEPT)
    assert repaired(session, options(writing=live)).outcome is Outcome.WRITTEN


def test_a_session_in_which_nothing_is_wrong_may_be_in_use(tmp_path: Path) -> None:
    path = stored(tmp_path, Session.recorded("pi/session"))
    age(path, 0)
    assert repaired(path).outcome is Outcome.UNCHANGED


@pytest.mark.parametrize("liveness", list(Liveness))
def test_an_open_session_is_left_alone(session: Path, liveness: Liveness) -> None:
    before = files(session.parent)
    with subprocess.Popen([sys.executable, "-c", HOLD, session], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        error = refused(session, options(writing=Writing(liveness=liveness)))
        assert isinstance(error, InUseError if liveness is Liveness.REFUSE else ChangedError)
        assert files(session.parent) == before, "no backup is left"
        process.communicate()


def test_a_line_that_is_appended_meanwhile_is_not_lost(session: Path) -> None:
    old = session.read_bytes()

    def agent(_size: int) -> None:
        with session.open("ab") as file:
            file.write(LATE)

    result = tried(session, options(writing=Writing(liveness=Liveness.ACCEPT)), IN_PLACE, Batch(progress=agent))
    assert isinstance(result, Failed)
    assert isinstance(result.error, ChangedError)
    assert files(session.parent) == {"session.jsonl": old + LATE}
