"""Files of locks that are not what they should be: nothing is followed, trusted or lost, and nobody waits for the dead."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import stat
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.files import processes
from sessionkit.core.stores import LocalStore, LockKind
from sessionkit.core.stores.locks.beside import Beside
from sessionkit.core.stores.locks.holder import Holder
from sessionkit.core.stores.locks.locking import Leaving, Locking
from sessionkit.core.stores.locks.way import Turn
from sessionkit.errors import LockedError, UnwritableError
from tests.holding import LOCKINGS, holding, take

if TYPE_CHECKING:
    from collections.abc import Callable

SHARED, EXCLUSIVE = LockKind
DAY = 24 * 3600
SECRET = b"not to be touched"
MINE = Holder.this_process(EXCLUSIVE, 0)
FOREIGN = replace(MINE, host="elsewhere", pid=4711)
STRANGE = b"# taken by another tool\n"
ESCAPES = b"exclusive pid=1 began=1 host=\x1b[31m/abcd since=2026-11-30T00:00:00Z command=rm -rf\n"


@pytest.fixture
def images(tmp_path: Path) -> Path:
    folder = tmp_path / "images"
    folder.mkdir()
    (tmp_path / "secret").write_bytes(SECRET)
    return folder


@pytest.fixture
def lock(images: Path) -> Path:
    return images / ".lock"


def link(path: Path) -> None:
    path.symlink_to("../secret")


def dangling(path: Path) -> None:
    path.symlink_to("../nowhere")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def unix_socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # a socket's path is limited to 108 bytes
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)
    os.chdir(here)


KINDS_OF_FILE = pytest.mark.parametrize("make", [link, dangling, pipe, folder, unix_socket])


@KINDS_OF_FILE
def test_what_is_no_regular_file_is_not_locked(lock: Path, make: Callable[[Path], None]) -> None:
    make(lock)
    around = sorted(lock.parent.parent.iterdir())
    for kind in LockKind:
        with pytest.raises(UnwritableError, match="not a regular file") as caught:
            take(lock.parent, kind)
        assert str(caught.value.place) == str(lock)
    assert sorted(lock.parent.parent.iterdir()) == around
    assert (lock.parent.parent / "secret").read_bytes() == SECRET


@KINDS_OF_FILE
def test_what_is_no_regular_file_is_no_lock_file(lock: Path, make: Callable[[Path], None]) -> None:
    make(lock.with_name(".lock.host.1.0123456789ab"))
    take(lock.parent, EXCLUSIVE, "lock files")
    assert lock.with_name(".lock.host.1.0123456789ab") in lock.parent.iterdir()
    assert (lock.parent.parent / "secret").read_bytes() == SECRET


@pytest.mark.parametrize("content", [STRANGE, ESCAPES, b"\0" * 100, MINE.line + STRANGE, b"x" * 200_000], ids=len)
@pytest.mark.parametrize("kind", LockKind)
def test_what_somebody_else_wrote_stays_and_is_not_repeated(lock: Path, kind: LockKind, content: bytes) -> None:
    lock.write_bytes(content)
    with holding(lock.parent, kind), pytest.raises(LockedError) as caught:
        take(lock.parent, EXCLUSIVE)
    assert caught.value.why.isprintable()
    assert "rm" not in caught.value.why
    if content.strip(b"\0"):
        assert "held by another process;" in caught.value.why or MINE.line in content
        assert lock.read_bytes() == content


def test_a_huge_file_is_not_read(lock: Path) -> None:
    lock.touch()
    os.truncate(lock, 1 << 40)
    with holding(lock.parent, SHARED), pytest.raises(LockedError):
        take(lock.parent, EXCLUSIVE)


def test_a_file_that_has_a_second_name_elsewhere_is_not_written_to(lock: Path) -> None:
    (lock.parent.parent / "secret").write_bytes(b"")
    os.link(lock.parent.parent / "secret", lock)
    with holding(lock.parent, SHARED), pytest.raises(LockedError, match="another process"):
        take(lock.parent, EXCLUSIVE)
    assert (lock.parent.parent / "secret").read_bytes() == b""


def test_a_file_that_vanishes_under_its_holder(lock: Path) -> None:
    """The holder must not take another's away instead."""
    with LocalStore(lock.parent) as store, LocalStore(lock.parent) as other:
        with store.lock(SHARED, 0):
            lock.unlink()
            waiting = other.lock(EXCLUSIVE, 0)
            waiting.__enter__()
        with pytest.raises(LockedError):
            take(lock.parent, SHARED)
        waiting.__exit__(None, None, None)


def test_a_file_that_its_last_holder_removes_at_the_last_moment(lock: Path) -> None:
    """Whoever had opened it by then must not believe that it holds the lock."""
    removals = iter([lock])

    def remove_first(file: int, operation: int) -> None:
        if operation & fcntl.LOCK_EX and stat.S_ISREG(os.fstat(file).st_mode):
            for path in removals:
                path.unlink()
        fcntl.flock(file, operation)

    with LocalStore(lock.parent, locking=Locking(flock=remove_first)) as store, store.lock(EXCLUSIVE, 0), pytest.raises(LockedError):
        take(lock.parent, SHARED)


def test_a_file_that_is_only_emptied(lock: Path) -> None:
    with LocalStore(lock.parent, locking=Locking(leaving=Leaving.EMPTY)) as store, store.lock(SHARED, 0):
        pass
    assert lock.read_bytes() == b""
    take(lock.parent, EXCLUSIVE)
    assert list(lock.parent.iterdir()) == []


@pytest.mark.parametrize("content", [b"", STRANGE])
def test_a_worker_that_has_inherited_the_file_does_not_hold_it(lock: Path, content: bytes) -> None:
    lock.write_bytes(content)
    with LocalStore(lock.parent) as store, store.lock(EXCLUSIVE, 0):
        worker = os.fork()
        if not worker:
            time.sleep(60)
            os._exit(0)
    try:
        take(lock.parent, EXCLUSIVE)
    finally:
        os.kill(worker, signal.SIGKILL)
        os.waitpid(worker, 0)


def test_lines_of_the_dead_are_not_told(lock: Path) -> None:
    with subprocess.Popen(["true"]) as ended:
        pass
    lock.write_bytes(replace(MINE, pid=ended.pid).line + replace(MINE, began=MINE.began + 1).line + b"   \n")
    with holding(lock.parent, SHARED) as holder, pytest.raises(LockedError, match=holder.named) as caught:
        take(lock.parent, EXCLUSIVE)
    assert "more" not in caught.value.why
    take(lock.parent, EXCLUSIVE)
    assert list(lock.parent.iterdir()) == []


def write(images: Path, holder: Holder, age: float = 0) -> Path:
    """Write a lock file as a holder does who made it so many seconds ago."""
    path = images / f".lock.{holder.host}.{holder.pid}.0123456789ab"
    path.write_bytes(holder.line)
    os.utime(path, (time.time() - age,) * 2)
    return path


def clock_in(hours: float) -> Callable[[], float]:
    return lambda: time.time() + hours * 3600


@pytest.mark.parametrize(
    "holder", [FOREIGN, replace(FOREIGN, host=MINE.host, token=f"{int(MINE.token, 16) ^ 1:04x}")], ids=["host", "container"]
)
@pytest.mark.parametrize("kind", LockKind)
def test_a_lock_file_of_another_host_counts_for_a_day(images: Path, holder: Holder, kind: LockKind) -> None:
    path = write(images, holder)
    with pytest.raises(LockedError, match=f"process 4711 on {holder.host} "):
        take(images, kind, "lock files")
    for hours, stands in ((23, True), (25, False)):
        later = replace(LOCKINGS["lock files"], clock=clock_in(hours))
        with LocalStore(images, locking=later) as store:
            if stands:
                with pytest.raises(LockedError), store.lock(kind, 0):
                    pass
            else:
                with store.lock(kind, 0):
                    pass
        assert path.exists() is stands


def test_a_lock_file_of_this_host_counts_as_long_as_its_process(images: Path) -> None:
    with subprocess.Popen(["true"]) as ended:
        pass
    for gone in (replace(MINE, pid=ended.pid), replace(MINE, began=MINE.began + 1)):
        path = write(images, gone)
        take(images, SHARED, "lock files")
        assert not path.exists()
    for alive in (MINE, replace(MINE, began=0)):
        write(images, alive, 30 * DAY)
        with pytest.raises(LockedError, match=f"process {os.getpid()} on {MINE.host} "):
            take(images, SHARED, "lock files")


@pytest.mark.parametrize("content", [b"", STRANGE, ESCAPES, MINE.line * 2, b"x" * 2000])
def test_a_lock_file_of_another_form_counts_for_nothing_and_stays(images: Path, content: bytes) -> None:
    path = write(images, FOREIGN)
    path.write_bytes(content)
    take(images, EXCLUSIVE, "lock files")
    assert path.read_bytes() == content


def test_of_two_that_wait_for_each_other_one_gives_way(images: Path) -> None:
    folder = os.open(images, os.O_RDONLY)
    ways = [Beside(folder, LOCKINGS["lock files"]) for _ in range(3)]
    try:
        shared, *both = ways
        assert shared.attempt(SHARED, Turn.WAITING)
        assert [way.attempt(EXCLUSIVE, Turn.WAITING) for way in both] == [False, False]
        shared.release()
        assert any(way.attempt(EXCLUSIVE, Turn.WAITING) for way in both * 2)
    finally:
        for way in ways:
            way.release()
        os.close(folder)


def test_a_lock_file_is_whole_when_it_has_its_name(images: Path) -> None:
    with holding(images, SHARED, "lock files") as holder:
        [path] = [path for path in images.iterdir() if path.name != ".lock"]
        assert path.name.startswith(f".lock.{MINE.host}.{holder.process.pid}.")
        found = Holder.parse(path.read_bytes().removesuffix(b"\n"))
    assert found
    assert (found.pid, found.kind, found.host) == (holder.process.pid, SHARED, MINE.host)


def test_lock_files_are_no_strangers(images: Path) -> None:
    write(images, FOREIGN)
    (images / ".lock.txt").touch()
    (images / ".lock").touch()
    with LocalStore(images) as store:
        assert list(store.inventory().strangers) == [".lock.txt"]


def test_a_line_is_understood_by_others() -> None:
    assert Holder.parse(MINE.line.removesuffix(b"\n")) == MINE
    assert MINE.since == "1970-01-01T00:00:00Z"
    assert MINE.began == processes.began(os.getpid()) > 0
    assert "pytest" in MINE.command or "python" in MINE.command or "execnet" in MINE.command or MINE.command == "-c"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"exclusive", b"both"),
        (b" pid=", b" pid=0"),
        (b" pid=", b" pid=9999999999"),
        (b" pid=", b"\tpid="),
        (b" host=", b" host=../"),
        (b"1970-01-01T00:00:00Z", b"yesterday"),
        (b" command=", b" command=\xff"),
        (b" command=", b" command=" + b"x" * 70),
        (b"\n", b" more\x1b"),
    ],
)
def test_a_line_of_another_form_is_not_understood(old: bytes, new: bytes) -> None:
    assert Holder.parse(MINE.line.replace(old, new, 1)) is None
