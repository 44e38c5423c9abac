"""A migration by several processes, killed at any time: the parent, or one of its workers."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from sessionkit.errors import ExitCode
from tests.system.sessions import OLD_TIME, PROGRAM, do, leftovers, png, require_whole_assets, session_of, start, write_session

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.system

Strike: TypeAlias = "Callable[[subprocess.Popen[bytes], list[int]], None]"

SIZE = 80 << 20
"""Bytes of the session: large enough to be worked on in ranges."""


@dataclass(frozen=True)
class Job:
    """A large session, and the seconds that an undisturbed run takes."""

    session: Path
    duration: float


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    image = 600_000
    text = session_of(png(number, image) for number in range(SIZE * 3 // 4 // image + 1))
    assert len(text) > SIZE * 0.99
    session = write_session(tmp_path_factory.mktemp("inline") / "session.jsonl", text)
    begin = time.monotonic()
    with start("migrate", "-j", "2", session, "--out", tmp_path_factory.mktemp("timed")):
        pass
    return Job(session, time.monotonic() - begin)


def workers_of(parent: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    except FileNotFoundError:
        return []


def is_running(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


def require_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + 2
    while any(map(is_running, pids)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def kill_parent(process: subprocess.Popen[bytes], workers: list[int]) -> None:  # noqa: ARG001  one of two ways
    process.kill()


def kill_worker(process: subprocess.Popen[bytes], workers: list[int]) -> None:
    os.kill(workers[-1] if workers else process.pid, signal.SIGKILL)


def terminate_all(process: subprocess.Popen[bytes], workers: list[int]) -> None:  # noqa: ARG001
    """What a service manager does; a terminal does it with SIGINT."""
    os.killpg(process.pid, signal.SIGTERM)


@pytest.mark.parametrize("moment", [0.2, 0.35, 0.5, 0.65, 0.8, 0.95])
@pytest.mark.parametrize("strike", [kill_parent, kill_worker, terminate_all])
def test_the_next_run_finishes(tmp_path: Path, job: Job, strike: Strike, moment: float) -> None:
    out = tmp_path / "out"
    words = [*PROGRAM, "migrate", "-j", "2", str(job.session), "--out", str(out)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    time.sleep(moment * job.duration)
    workers = workers_of(process.pid)
    strike(process, workers)
    _, stderr = process.communicate()
    require_gone(workers)
    assert process.returncode in {ExitCode.OK, ExitCode.FAILED, ExitCode.TERMINATED, -signal.SIGKILL, -signal.SIGTERM}, stderr
    assert b"Traceback" not in stderr
    if strike is terminate_all:
        assert leftovers(tmp_path) == []
    assert job.session.stat().st_mtime_ns == OLD_TIME
    require_whole_assets(out / "images")
    do("migrate", job.session, "--out", out)
    assert leftovers(tmp_path) == []
    do("restore", out / "session.jsonl", "-o", tmp_path / "back.jsonl")
    subprocess.run(["cmp", job.session, tmp_path / "back.jsonl"], check=True)
    shutil.rmtree(tmp_path)
