from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.files import Durability, is_temporary, make_folder, remove_leftovers, sync_folder, write_atomic
from sessionkit.errors import UnwritableError

if TYPE_CHECKING:
    from pathlib import Path

KILLED = """
import os, signal, sys
from pathlib import Path
from sessionkit.core.files import Durability, write_atomic
with write_atomic(Path(sys.argv[1]), None, Durability.SYNC) as output:
    output.write(b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def leftover(tmp_path: Path) -> Path:
    """What a run leaves that is killed while it writes."""
    subprocess.run([sys.executable, "-c", KILLED, tmp_path / "session.jsonl"], check=False)
    (path,) = tmp_path.iterdir()
    return path


def living_pid() -> int:
    return os.getppid()


def test_a_dead_process_left_it(leftover: Path) -> None:
    assert re.fullmatch(r"\.sessionkit-[0-9]+-[0-9a-f]{16}", leftover.name)
    assert is_temporary(leftover.name)
    assert remove_leftovers(leftover.parent) == [leftover]
    assert names(leftover.parent) == []


def test_a_file_that_is_being_written_stays(tmp_path: Path) -> None:
    with write_atomic(tmp_path / "session.jsonl", None, Durability.SYNC) as output:
        assert remove_leftovers(tmp_path) == []
        output.write(b"whole")
    assert (tmp_path / "session.jsonl").read_bytes() == b"whole"


@pytest.mark.parametrize("days", [0, 2])
def test_another_hosts_file_stays_for_a_day(leftover: Path, monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    host = leftover.name.split("-")[2][:4]
    other = leftover.rename(leftover.with_name(leftover.name.replace(f"-{host}", "-" + ("0000" if host != "0000" else "1111"))))
    now = other.stat().st_ctime
    monkeypatch.setattr("time.time", lambda: now + days * 86_400)
    assert remove_leftovers(other.parent) == ([other] if days else [])


def test_a_living_process_that_has_a_dead_ones_number(leftover: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number was given out anew: after a day the file is a leftover all the same, however old its content claims to be."""
    pid = leftover.name.split("-")[1]
    reused = leftover.rename(leftover.with_name(leftover.name.replace(f"-{pid}-", f"-{living_pid()}-")))
    os.utime(reused, (0, 0))
    assert remove_leftovers(reused.parent) == []
    now = reused.stat().st_ctime
    monkeypatch.setattr("time.time", lambda: now + 86_401)
    assert remove_leftovers(reused.parent) == [reused]


@pytest.mark.parametrize(
    "name",
    [
        "session.jsonl",
        ".sessionkit",
        ".sessionkit-1",
        ".sessionkit-0-0123456789abcdef",
        ".sessionkit-01-0123456789abcdef",
        ".sessionkit-99999999999999-0123456789abcdef",
        ".sessionkit-999999999-0123456789ABCDEF",
        ".sessionkit-999999999-0123456789abcdef.png",
        ".sessionkit-999999999-0123456789abcde\n",
        "x.sessionkit-999999999-0123456789abcdef",
    ],
)
def test_other_names_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / name).write_bytes(b"mine")
    monkeypatch.setattr("time.time", lambda: 1e12)
    assert remove_leftovers(tmp_path) == []
    assert (tmp_path / name).exists()


def test_links_folders_and_pipes_of_that_name_stay(leftover: Path) -> None:
    folder = leftover.parent
    leftover.rename(folder / "precious")
    digits = leftover.name[:-1]
    (folder / f"{digits}a").symlink_to("precious")
    (folder / f"{digits}b").mkdir()
    os.mkfifo(folder / f"{digits}c")
    assert remove_leftovers(folder) == []
    assert len(names(folder)) == 4


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnwritableError, match="no such file"):
        remove_leftovers(tmp_path / "missing")
    with pytest.raises(UnwritableError, match="no such file"):
        sync_folder(tmp_path / "missing")


@pytest.mark.parametrize("durability", list(Durability))
def test_new_folders_have_the_mode_and_old_ones_keep_theirs(tmp_path: Path, durability: Durability) -> None:
    tmp_path.chmod(0o750)
    before = os.umask(0o077)
    try:
        make_folder(tmp_path / "a" / "b", 0o755, durability)
        make_folder(tmp_path / "a" / "b", 0o700, durability)
    finally:
        os.umask(before)
    assert [oct(path.stat().st_mode & 0o7777) for path in (tmp_path, tmp_path / "a", tmp_path / "a" / "b")] == ["0o750", "0o755", "0o755"]


def test_a_folder_below_a_file_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UnwritableError, match="not a directory") as caught:
        make_folder(tmp_path / "file" / "sub", 0o700)
    assert str(caught.value.place) == str(tmp_path / "file" / "sub")


@pytest.mark.skipif(sys.platform != "linux", reason="only /proc tells")
def test_a_process_that_ended_but_was_never_asked_how_is_gone(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", KILLED, tmp_path / "session.jsonl"]) as zombie:
        os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
        assert len(remove_leftovers(tmp_path)) == 1
