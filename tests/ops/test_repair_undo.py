"""Putting backups back: byte for byte, with what came later, and never over something else."""

from __future__ import annotations

import gzip
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import InUseError, RefusedError, UnreadableError
from sessionkit.ops.batch import Batch
from sessionkit.ops.failed import Failed
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.repair import Undone, UndoPlan
from sessionkit.ops.sources import Descent, find_sources
from sessionkit.ops.writing import Effect, Writing
from tests.faults.workshop import Session
from tests.ops.repairs import QUICK, backup, journal, options, repaired, stored, undo_tried, undone, wrong_label
from tests.ops.runs import age, files, mode, stamps

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.errors import SessionkitError

BAD = wrong_label().content
LATE = b'{"type":"system","uuid":"late","parentUuid":null}\n'


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """One that was repaired."""
    path = stored(tmp_path / "home", BAD)
    path.chmod(0o640)
    repaired(path)
    return path


def refusal(path: Path) -> SessionkitError:
    result = undo_tried(path)
    assert isinstance(result, Failed)
    return result.error


def test_it_is_as_it_was(session: Path) -> None:
    before = session.stat().st_mtime_ns
    result = undone(session)
    assert (result.outcome, result.backup, result.appended) == (Outcome.WRITTEN, backup(session), 0)
    assert files(session.parent) == {"session.jsonl": BAD}
    assert (session.stat().st_mtime_ns, mode(session)) == (before, 0o640)


def test_a_dry_run_writes_nothing(session: Path) -> None:
    before = stamps(session.parent)
    assert undone(session, Writing(Effect.REHEARSE)).outcome is Outcome.WRITTEN
    assert stamps(session.parent) == before


def test_what_was_appended_since_stays(session: Path) -> None:
    with session.open("ab") as file:
        file.write(LATE * 2)
    age(session)
    assert undone(session).appended == len(LATE * 2)
    assert session.read_bytes() == BAD + LATE * 2


@pytest.mark.parametrize("first", [b"", b"\n"])
def test_a_record_that_was_appended_gets_a_line_of_its_own(tmp_path: Path, first: bytes) -> None:
    torn = BAD + b'{"parentUuid":"x","type":"us'
    path = stored(tmp_path, torn)
    repaired(path)
    with path.open("ab") as file:
        file.write(first + LATE)
    age(path)
    undone(path)
    assert path.read_bytes() == torn + b"\n" + LATE


def test_repairs_are_undone_one_after_the_other(session: Path) -> None:
    good = session.read_bytes()
    worse = BAD.replace(b'"media_type":"image/png"', b'"media_type":"image/gif"', 1)
    session.write_bytes(worse)
    age(session)
    repaired(session)
    assert len(files(session.parent)) == 5
    undone(session)
    assert session.read_bytes() == worse
    assert isinstance(refusal(session), RefusedError), "what stands there now is neither the first text nor its cure"
    session.write_bytes(good)
    age(session)
    undone(session)
    assert files(session.parent) == {"session.jsonl": BAD}
    assert "no backup" in refusal(session).why


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("session.jsonl", (b"image/jpeg", b"image/gif"), "something but its end"),
        ("session.jsonl", (b'"cwd"', b'"dir"'), "something but its end"),
        ("session.jsonl.repair-20260601T120000Z.bak", (b"image/png", b"image/gif"), "the backup was changed"),
        ("session.jsonl.repair-20260601T120000Z.bak", (b"}\n", b"}\n\n"), "the backup was changed"),
    ],
)
def test_nothing_is_put_over_what_was_changed(session: Path, name: str, change: tuple[bytes, bytes], why: str) -> None:
    path = session.with_name(name)
    path.write_bytes(path.read_bytes().replace(*change, 1))
    age(path)
    before = stamps(session.parent)
    error = refusal(session)
    assert isinstance(error, RefusedError)
    assert why in error.why
    assert stamps(session.parent) == before


def test_a_line_that_only_the_backup_got(session: Path) -> None:
    """An agent that had the old file open went on writing to it."""
    with backup(session).open("ab") as file:
        file.write(LATE)
    assert "appended to the backup" in refusal(session).why
    with session.open("ab") as file:
        file.write(LATE + LATE)
    age(session)
    undone(session)
    assert session.read_bytes() == BAD + LATE + LATE


@pytest.mark.parametrize("text", [b"", b"{}", b"[]", b"{", b'{"schema":"sessionkit.repair-journal/1","before":{},"after":{}}', b"\xff"])
def test_a_journal_that_is_none(session: Path, text: bytes) -> None:
    journal(session).write_bytes(text)
    broken = refusal(session)
    journal(session).unlink()
    for error in (broken, refusal(session)):
        assert isinstance(error, UnreadableError)
        assert error.hint.startswith(f"put {journal(session).name} back")
        assert f"copy {backup(session).name} over session.jsonl yourself" in error.hint


def test_a_backup_that_is_gone_is_named(session: Path) -> None:
    backup(session).unlink()
    error = refusal(session)
    assert (error.what, error.why) == (
        "there is nothing to undo",
        f"of the repair that {journal(session).name} tells of the backup is gone",
    )
    assert error.hint == f"put {backup(session).name} back: nothing else holds the session as it was"


def test_an_archive_has_no_repair(session: Path) -> None:
    packed = session.with_name("session.jsonl.gz")
    packed.write_bytes(gzip.compress(session.read_bytes()))
    assert "undo that of session.jsonl" in refusal(packed).hint


def test_a_run_that_was_killed_after_it_put_back(session: Path) -> None:
    session.write_bytes(BAD + LATE)
    age(session)
    result = undone(session)
    assert (result.outcome, result.appended) == (Outcome.UNCHANGED, len(LATE))
    assert files(session.parent) == {"session.jsonl": BAD + LATE}


def test_a_session_in_use(session: Path) -> None:
    hold = 'import sys; file = open(sys.argv[1], "a"); print("ready", flush=True); sys.stdin.read()'
    with subprocess.Popen([sys.executable, "-c", hold, session], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert isinstance(refusal(session), InUseError)
        process.communicate()
    age(session, 0)
    assert isinstance(refusal(session), InUseError)


def test_a_folder(tmp_path: Path) -> None:
    """Sessions that were never repaired are none of its business."""
    for name in ("a", "b"):
        repaired(stored(tmp_path / name, BAD), options())
    stored(tmp_path / "c", Session.recorded("pi/session"))
    plan = UndoPlan(tuple(find_sources([str(tmp_path)], Descent.RECURSIVE)), QUICK)
    results = list(plan.run(Batch()))
    assert [type(result) for result in results] == [Undone, Undone]
    assert {type(result) for result in plan.run(Batch())} == {Failed}
