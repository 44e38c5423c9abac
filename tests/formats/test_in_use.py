"""Whether a session is open in its agent: asked of real processes that hold real files and locks."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import UnreadableError
from sessionkit.formats import FORMATS, Format
from sessionkit.formats.codex import Codex
from sessionkit.formats.holders import holder_of_lock
from sessionkit.formats.native import Native

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

THREAD = "01a22c9a-00ad-72c3-ae6f-2a1335441c3b"
HOLD = """
import fcntl, sys
mode, lock, path = sys.argv[1:]
with open(path, mode) as file:
    fcntl.flock(file, getattr(fcntl, lock))
    print("ready", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held(path: Path, mode: str = "a", lock: str = "LOCK_UN") -> Iterator[int]:
    """Let another process hold the file open, and locked if asked; its id."""
    command = [sys.executable, "-c", HOLD, mode, lock, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield process.pid
        process.communicate()


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"{}\n")
    return path


@pytest.mark.parametrize("book", FORMATS, ids=lambda book: type(book).__name__)
def test_every_format_sees_a_writer(book: Format, session: Path) -> None:
    assert book.in_use(session) is None
    with held(session) as process:
        use = book.in_use(session)
        assert use is not None
        assert use.holder.startswith(f"process {process} (python")
    assert book.in_use(session) is None


@pytest.mark.parametrize("mode", ["a", "r+", "w"])
def test_writer_is_found_by_the_file_not_its_name(mode: str, session: Path) -> None:
    other_name = session.with_name("other.jsonl")
    other_name.hardlink_to(session)
    with held(session, mode):
        assert FORMATS[0].in_use(other_name) is not None


def test_reader_does_not_count(session: Path) -> None:
    with held(session, "r"):
        assert FORMATS[0].in_use(session) is None


def test_own_process_does_not_count(session: Path) -> None:
    with session.open("a"):
        assert FORMATS[0].in_use(session) is None


@pytest.mark.parametrize(
    "place",
    [
        f"sessions/2026/11/30/rollout-2026-11-30T13-17-00-{THREAD}.jsonl",
        f"sessions/2026/11/30/rollout-2026-11-30T13-17-00-{THREAD}_2.jsonl",
        f"archived_sessions/rollout-2026-11-30T13-17-00-{THREAD}.jsonl",
        f"sessions/2026/11/30/rollout-2026-11-30T13-17-00-{THREAD}.jsonl.zst",
    ],
)
def test_codex_holds_the_lock_of_its_thread(place: str, tmp_path: Path) -> None:
    rollout, lock = tmp_path / place, tmp_path / "thread-writer-locks" / f"{THREAD}.lock"
    for path in (rollout, lock):
        path.parent.mkdir(parents=True)
        path.touch()
    assert Codex().in_use(rollout) is None  # a lock file that a killed Codex left behind
    with held(lock, lock="LOCK_EX"):
        use = Codex().in_use(rollout)
        assert str(use) == f"its agent holds the lock {lock}"


def test_lock_of_another_codex_thread_does_not_count(tmp_path: Path) -> None:
    rollout, lock = tmp_path / f"rollout-2026-11-30T13-17-00-{THREAD}.jsonl", tmp_path / "thread-writer-locks" / "other.lock"
    lock.parent.mkdir()
    rollout.touch()
    with held(lock, lock="LOCK_EX"):
        assert Codex().in_use(rollout) is None


def test_native_holds_the_lock_beside_its_session(session: Path) -> None:
    with held(session.with_name(".session.jsonl.lock"), lock="LOCK_EX"):
        assert Native().in_use(session) is not None
    assert Native().in_use(session) is None


def test_lock_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    lock.symlink_to(lock)
    with pytest.raises(UnreadableError, match="symbolic links"):
        holder_of_lock(lock)
