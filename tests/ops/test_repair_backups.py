"""Backups of repairs, and the names of what is replaced."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sessionkit.ops.outputs import Outcome
from sessionkit.ops.repair.backups import Backup, new_backup
from tests.ops.repairs import (
    DRY,
    STAMP,
    backup,
    journal,
    mislabelled,
    noon,
    options,
    refused,
    repaired,
    stored,
    truncated,
    undone,
    wrong_label,
)
from tests.ops.runs import files
from tests.rights import unprivileged

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """One of Claude Code's, in which one label is wrong."""
    return mislabelled(tmp_path / "home")


def test_a_backup_is_the_old_file_under_a_second_name(session: Path) -> None:
    inode = session.stat().st_ino
    repaired(session)
    assert backup(session).stat().st_ino == inode != session.stat().st_ino


def test_a_backup_is_copied_where_there_are_no_links(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    old, before = session.read_bytes(), session.stat()
    repaired(session)
    kept = backup(session).stat()
    assert backup(session).read_bytes() == old
    assert (kept.st_mtime_ns, kept.st_mode, kept.st_nlink) == (before.st_mtime_ns, before.st_mode, 1)
    undone(session)
    assert session.read_bytes() == old


def test_a_link_to_a_session_stays_one(session: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(session)
    repaired(link)
    assert link.is_symlink()
    assert backup(session).exists()
    undone(link)
    assert session.read_bytes() == wrong_label().content


def test_backups_are_never_overwritten(session: Path) -> None:
    for name in (f"{STAMP}.bak", "20260601T120001Z.json"):
        session.with_name(f"{session.name}.repair-{name}").write_bytes(b"mine")
    assert new_backup(session, noon()) == Backup(session, "20260601T120002Z")
    assert repaired(session).backup == backup(session, "20260601T120002Z")
    assert backup(session).read_bytes() == b"mine"


@pytest.mark.parametrize(("size", "is_repaired"), [(226, True), (227, False)])
def test_a_name_that_leaves_no_room_for_a_backup(tmp_path: Path, size: int, is_repaired: bool) -> None:
    """The picture that leaves the session would be kept: nothing is written before it is refused."""
    path = stored(tmp_path, truncated(), "a" * (size - 6) + ".jsonl")
    if is_repaired:
        assert repaired(path).outcome is Outcome.WRITTEN
        return
    assert "no backup can stand beside it" in repaired(path, options(writing=DRY)).prognosis.busy
    before = files(tmp_path)
    error = refused(path)
    assert error.why == "its name has 227 bytes, and that of a backup 29 more, of 255 in all"
    assert files(tmp_path) == before


def test_a_second_name_that_a_killed_run_left_is_removed(session: Path) -> None:
    os.link(session, backup(session, "20260101T000000Z"))
    journal(session, "20260101T000000Z").write_bytes(b"{}")
    repaired(session)
    assert {name for name in files(session.parent) if "repair" in name} == {backup(session).name, journal(session).name}


def test_what_a_killed_run_left_among_the_temporary_files_is_removed(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    leave = "import os, sys; from sessionkit.core.files.temporary import create_temporary; create_temporary(os.open(sys.argv[1], 0))"
    subprocess.run([sys.executable, "-c", leave, scratch], check=True)
    assert len(files(scratch)) == 1
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    repaired(session)
    assert files(scratch) == {}


@pytest.mark.parametrize("left_behind", [0, 1])
def test_other_names_of_a_session_are_told_of(session: Path, left_behind: int) -> None:
    """What a killed run has left is a name too, but not one that anybody uses."""
    old = session.read_bytes()
    names = [session.with_name(name) for name in ("a.jsonl", "b.jsonl")]
    stamps = [backup(session, f"2026010{at}T000000Z") for at in range(1, left_behind + 1)]
    for name in (*names, *stamps):
        os.link(session, name)
    planned, done = repaired(session, options(writing=DRY)), repaired(session)
    assert (planned.prognosis.other_names, done.prognosis.other_names) == (2, 2)
    assert [name.read_bytes() for name in names] == [old, old] != [session.read_bytes()] * 2


@unprivileged
def test_a_folder_that_may_not_be_written_to(tmp_path: Path) -> None:
    """What leaves the session could be kept: nothing is written before it is refused."""
    path = stored(tmp_path, truncated())
    (tmp_path / "images").mkdir()
    before = files(tmp_path)
    tmp_path.chmod(0o500)
    try:
        assert "may not be written to" in repaired(path, options(writing=DRY)).prognosis.busy
        error = refused(path)
    finally:
        tmp_path.chmod(0o700)
    assert (error.what, error.hint) == ("not changed in place", "write a copy with -o FILE")
    assert files(tmp_path) == before
