"""Two repairs of one session at once: one of them is refused, and the backup is that of the other."""

from __future__ import annotations

import fcntl
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.files import Durability, Original
from sessionkit.core.streams import open_source
from sessionkit.errors import ChangedError, ExitCode
from sessionkit.ops.repair.alone import alone_with
from sessionkit.ops.repair.backups import Backup, backed_up, backups_of
from tests.cli.running import PROGRAM
from tests.ops.repairs import wrong_label
from tests.ops.runs import age, files

if TYPE_CHECKING:
    from pathlib import Path

    from tests.faults.workshop import Session


@pytest.fixture
def session(tmp_path: Path) -> Path:
    broken: Session = wrong_label()
    path = tmp_path / "a.jsonl"
    path.write_bytes(broken.content)
    age(path)
    return path


def repair(path: Path, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*PROGRAM, "repair", str(path), *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


@pytest.mark.parametrize("words", [("--apply",), ("--undo",)])
def test_a_session_that_is_held_is_left_alone(session: Path, words: tuple[str, ...]) -> None:
    before = files(session.parent)
    with session.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        process = repair(session, *words)
        said = process.communicate()[1]
    assert (process.returncode, files(session.parent)) == (ExitCode.FAILED, before)
    assert b"another process holds its lock" in said


def test_of_many_at_once_one_does_it(session: Path) -> None:
    content = session.read_bytes()
    running = [repair(session, "--apply") for _ in range(4)]
    codes = []
    for process in running:
        process.communicate()
        codes.append(process.returncode)
    assert set(codes) <= {ExitCode.OK, ExitCode.FAILED}
    assert ExitCode.OK in codes
    [backup] = backups_of(session)
    assert backup.path.read_bytes() == content != session.read_bytes()
    assert backup.journal.exists()
    undoing = repair(session, "--undo", "--live")
    undoing.communicate()
    assert (undoing.returncode, session.read_bytes()) == (ExitCode.OK, content)


def test_a_name_that_leads_elsewhere_is_noticed(session: Path) -> None:
    with open_source(session) as stream:
        other = session.with_name("other")
        other.write_bytes(b"{}\n")
        other.replace(session)
        with pytest.raises(ChangedError, match="was replaced"), alone_with(stream):
            pass
        before = files(session.parent)
        original = Original(session, stream.descriptor, stream.status)
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        with pytest.raises(ChangedError), backed_up(original, Backup(session, stamp), b"{}", Durability.NO_SYNC):
            pass
        assert files(session.parent) == before
