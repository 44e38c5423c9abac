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
from sessionkit.ops.dispatch import Crew, run
from sessionkit.ops.pool import _submit
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
    outcomes = list(run(kill_first, tasks("0", "1", "2"), Batch(2, least=0)))
    assert isinstance(outcomes[0], WorkerDiedError)
    assert "-j 1" in outcomes[0].hint
    assert len(outcomes) == 3
    assert {type(outcome) for outcome in outcomes} <= {WorkerDiedError, str}


def test_tasks_that_are_handed_out_after_a_worker_died_fail_too() -> None:
    with ProcessPoolExecutor(1) as executor:
        wait([executor.submit(os._exit, 1)])
        assert isinstance(_submit(executor, range(3)).exception(), BrokenProcessPool)


def test_with_fail_fast_the_other_workers_stop_at_their_next_block() -> None:
    begin = time.monotonic()
    outcomes = list(run(fail_first, tasks("0", "1", "2", "3"), Batch(2, least=0, on_failure=OnFailure.FAIL_FAST)))
    assert [type(outcome) for outcome in outcomes] == [UnreadableError, *[StoppedError] * 3]
    assert time.monotonic() - begin < 5


def test_an_error_that_ends_a_batch_stops_the_other_workers_too() -> None:
    outcomes = list(run(ask_in_vain, tasks("0", "1", "2", "3"), Batch(2, least=0)))
    assert [type(outcome) for outcome in outcomes] == [UnreachableError, *[StoppedError] * 3]
    assert not [outcome for outcome in outcomes if "--fail-fast" in str(outcome)]


def test_leaving_early_stops_the_workers(tmp_path: Path) -> None:
    results = run(write_without_end, tasks(str(tmp_path / "a"), str(tmp_path / "b")), Batch(2, least=0))

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


def who(task: str, _tick: Tick) -> tuple[str, int]:
    time.sleep(0.1)  # so that each worker gets something
    return task, os.getpid()


def leave_a_mark(task: str, _tick: Tick) -> None:
    Path(task).write_bytes(b"")


def test_workers_of_one_list_do_the_next_ones() -> None:
    with Crew(Batch(2, least=0)) as crew:
        lists = [list(crew.run(who, tasks(*names))) for names in ("01", "23", "4567")]
    done = [dict(outcomes) for outcomes in lists]  # type: ignore[arg-type]
    assert [list(each) for each in done] == [["0", "1"], ["2", "3"], ["4", "5", "6", "7"]]
    assert {pid for each in done for pid in each.values()} == set(done[0].values())


def test_more_workers_are_started_where_the_next_list_is_longer() -> None:
    with Crew(Batch(3, least=0)) as crew:
        assert len({pid for _, pid in crew.run(who, tasks("0", "1"))}) == 2  # type: ignore[misc]
        assert len({pid for _, pid in crew.run(who, tasks("0", "1", "2"))}) == 3  # type: ignore[misc]


def test_a_list_is_begun_before_its_results_are_asked_for(tmp_path: Path) -> None:
    marks = [tmp_path / name for name in "ab"]
    with Crew(Batch(2, least=0)) as crew:
        results = crew.run(leave_a_mark, tasks(*map(str, marks)))
        until(lambda: all(mark.exists() for mark in marks))
        assert list(results) == [None, None]


@pytest.mark.parametrize("on_failure", OnFailure)
def test_a_list_that_was_ended_ends_no_other(on_failure: OnFailure) -> None:
    with Crew(Batch(2, least=0, on_failure=on_failure)) as crew:
        assert [type(outcome) for outcome in crew.run(ask_in_vain, tasks("0", "1"))] == [UnreachableError, StoppedError]
        assert [task for task, _ in crew.run(who, tasks("2", "3"))] == ["2", "3"]  # type: ignore[misc]


def test_a_list_after_a_killed_worker_gets_new_ones() -> None:
    with Crew(Batch(2, least=0)) as crew:
        assert WorkerDiedError in map(type, crew.run(kill_first, tasks("0", "1")))
        assert list(crew.run(kill_first, tasks("1", "2"))) == ["1", "2"]


@pytest.mark.parametrize("work", [who, kill_first])
def test_a_system_that_was_told_to_forget_children(work: Callable[[str, Tick], object]) -> None:
    """Some programs start others so."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert len(list(run(work, tasks("0", "1", "2"), Batch(2, least=0)))) == 3
    finally:
        signal.signal(signal.SIGCHLD, before)


def divide(task: int, _tick: Tick) -> float:
    return 1 / task


def test_a_bug_of_a_worker_is_told_where_its_results_are_wanted() -> None:
    results = run(divide, [Sized(number, APART) for number in (1, 2, 0)], Batch(2, least=0))
    assert [next(results), next(results)] == [1, 0.5]
    with pytest.raises(ZeroDivisionError) as caught:
        next(results)
    assert "return 1 / task" in str(caught.value.__cause__)


def leave_at_work(folder: Path) -> None:
    with Crew(Batch(2, least=0)) as crew:
        crew.run(write_without_end, tasks(str(folder / "a"), str(folder / "b")))
        until(lambda: len(files(folder)) == 2)
        raise Terminated


def test_leaving_a_crew_stops_its_workers(tmp_path: Path) -> None:
    with pytest.raises(Terminated):
        leave_at_work(tmp_path)
    assert files(tmp_path) == {}


SCRIPT = """
import signal, sys
from sessionkit.errors import Terminated
from sessionkit.ops.batch import Batch
from sessionkit.ops.dispatch import run
from tests.ops.test_pool import tasks, write_without_end

def terminate(number, frame):
    raise Terminated

signal.signal(signal.SIGTERM, terminate)
try:
    for outcome in run(write_without_end, tasks(*sys.argv[1:]), Batch(2, least=0)):
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
