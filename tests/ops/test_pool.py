"""Worker processes: they stop when told, die alone, and never outlive the process that started them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.files import Durability, write_atomic
from sessionkit.errors import StoppedError, Terminated, UnreachableError, UnreadableError, WorkerDiedError
from sessionkit.ops.batch import Batch, OnFailure, Sized
from sessionkit.ops.pool import _submit, run_in_pool
from tests.ops.runs import files

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.ops.batch import Tick

ROOT = Path(__file__).parents[2]
APART = 9 << 20
"""Bytes of a task that is not put together with its neighbour."""


def tasks(*paths: str) -> list[Sized[str]]:
    return [Sized(path, APART) for path in paths]


def kill_first(task: str, _tick: Tick) -> str:
    if task == "0":
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def fail_first(task: str, tick: Tick) -> str:
    if task == "0":
        raise UnreadableError("broken")
    for _ in range(1000):
        tick(1)
        time.sleep(0.01)
    return task


def ask_in_vain(task: str, tick: Tick) -> str:
    if task == "0":
        raise UnreachableError("no server")
    return fail_first(task, tick)


def write_without_end(task: str, tick: Tick) -> str:
    """Have a temporary file open until told to stop."""
    with write_atomic(Path(task), None, Durability.NO_SYNC) as output:
        while True:
            output.write(b"%d\n" % os.getpid())
            time.sleep(0.01)
            tick(1)


def until(condition: Callable[[], bool], seconds: float = 5) -> None:
    """Wait for something to come true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


def test_a_killed_worker_is_an_error_of_every_task_that_is_not_done() -> None:
    outcomes = list(run_in_pool(kill_first, tasks("0", "1", "2"), Batch(2)))
    assert isinstance(outcomes[0], WorkerDiedError)
    assert "-j 1" in outcomes[0].hint
    assert len(outcomes) == 3
    assert {type(outcome) for outcome in outcomes} <= {WorkerDiedError, str}


def test_tasks_that_are_handed_out_after_a_worker_died_fail_too() -> None:
    with ProcessPoolExecutor(1) as pool:
        wait([pool.submit(os._exit, 1)])
        assert isinstance(_submit(pool, range(3)).exception(), BrokenProcessPool)


def test_with_fail_fast_the_other_workers_stop_at_their_next_block() -> None:
    begin = time.monotonic()
    outcomes = list(run_in_pool(fail_first, tasks("0", "1", "2", "3"), Batch(2, on_failure=OnFailure.FAIL_FAST)))
    assert [type(outcome) for outcome in outcomes] == [UnreadableError, *[StoppedError] * 3]
    assert time.monotonic() - begin < 5


def test_an_error_that_ends_a_batch_stops_the_other_workers_too() -> None:
    outcomes = list(run_in_pool(ask_in_vain, tasks("0", "1", "2", "3"), Batch(2)))
    assert [type(outcome) for outcome in outcomes] == [UnreachableError, *[StoppedError] * 3]
    assert not [outcome for outcome in outcomes if "--fail-fast" in str(outcome)]


def test_leaving_early_stops_the_workers(tmp_path: Path) -> None:
    results = run_in_pool(write_without_end, tasks(str(tmp_path / "a"), str(tmp_path / "b")), Batch(2))

    def interrupt(_number: int, _frame: object) -> None:
        raise Terminated

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(Terminated):
            next(results)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert files(tmp_path) == {}


SCRIPT = """
import signal, sys
from sessionkit.errors import Terminated
from sessionkit.ops.batch import Batch
from sessionkit.ops.pool import run_in_pool
from tests.ops.test_pool import tasks, write_without_end

def terminate(number, frame):
    raise Terminated

signal.signal(signal.SIGTERM, terminate)
try:
    for outcome in run_in_pool(write_without_end, tasks(*sys.argv[1:]), Batch(2)):
        print(type(outcome).__name__, flush=True)
except Terminated:
    sys.exit(143)
"""


class Parent:
    """A process with two workers, each with a temporary file in the folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        command = [sys.executable, "-c", SCRIPT, str(folder / "a"), str(folder / "b")]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        until(lambda: len(self.workers()) == 2)
        self.pids = self.workers()

    def workers(self) -> list[int]:
        """Process ids that stand in the temporary files."""
        lines = [text.partition(b"\n")[0] for text in files(self.folder).values()]
        return sorted(int(line) for line in lines if line)

    def finish(self) -> tuple[int, bytes, bytes]:
        out, err = self.process.communicate(timeout=10)
        return self.process.returncode, out, err


@pytest.fixture
def parent(tmp_path: Path) -> Parent:
    return Parent(tmp_path)


def is_alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_no_worker_outlives_a_killed_parent(parent: Parent) -> None:
    parent.process.kill()
    parent.process.wait()
    until(lambda: not any(map(is_alive, parent.pids)), seconds=1)
    parent.finish()


def test_sigterm_stops_the_workers_and_removes_what_they_began(parent: Parent) -> None:
    parent.process.terminate()
    assert parent.finish() == (143, b"", b"")
    assert not any(map(is_alive, parent.pids))
    assert files(parent.folder) == {}


def test_a_worker_that_gets_sigterm_removes_what_it_began(parent: Parent) -> None:
    os.kill(parent.pids[0], signal.SIGTERM)
    assert parent.finish() == (0, b"WorkerDiedError\n" * 2, b"")
    assert files(parent.folder) == {}


def test_ctrl_c_is_left_to_the_parent(parent: Parent) -> None:
    for pid in parent.pids:
        os.kill(pid, signal.SIGINT)
    time.sleep(0.1)
    assert all(map(is_alive, parent.pids))
    parent.process.terminate()
    parent.finish()
