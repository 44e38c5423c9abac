"""Run tasks in several processes, which end when this one does, however it ends."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from sessionkit.dataclass import dataclass
from sessionkit.errors import ExitCode, SessionkitError, Terminated, WorkerDiedError
from sessionkit.ops.batch import Batch, OnFailure, Result, Sized, Task, Tick, Work, run_here, stopped
from sessionkit.ops.grouping import groups_of, largest_first, size_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.synchronize import Event

_INTERRUPTIONS = {signal.SIGINT, signal.SIGTERM}


def run_in_pool(work: Work[Task, Result], tasks: Sequence[Sized[Task]], batch: Batch) -> Iterator[Result | SessionkitError]:
    """Give the largest tasks out first, and yield in order. Leaving early stops the workers at their next block."""
    groups = groups_of(tasks, batch.jobs)
    context = get_context()
    stop = context.Event()
    # The tasks go to the workers as they start: where those are forks, nothing has to be copied.
    shift = _Shift(work, tasks, batch.on_failure, stop)
    with ProcessPoolExecutor(min(batch.jobs, len(groups)), context, _start_worker, (shift,)) as pool:
        try:
            futures = {}
            with _signals_waiting():
                for group in largest_first(tasks, groups):
                    futures[group] = _submit(pool, group)
                    futures[group].add_done_callback(_reporter(batch.progress, size_of(tasks, group)))
            for group in groups:
                yield from _collect(futures.pop(group), len(group))
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise


@contextmanager
def _signals_waiting() -> Iterator[None]:
    """Let signals wait while processes start: what a handler raises in the midst of a fork, Python reports and forgets."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTIONS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _submit(pool: ProcessPoolExecutor, group: range) -> Future[list[Any]]:
    """Hand a group out; where a worker has died already, that is the group's outcome too."""
    try:
        return pool.submit(_work_through, group)
    except BrokenProcessPool as error:
        broken: Future[list[Any]] = Future()
        broken.set_exception(error)
        return broken


def _reporter(progress: Tick, size: int) -> Callable[[object], None]:
    return lambda _future: progress(size)


def _collect(future: Future[list[Result | SessionkitError]], count: int) -> Iterator[Result | SessionkitError]:
    try:
        yield from future.result()
    except BrokenProcessPool:
        for _ in range(count):
            yield WorkerDiedError(
                "a worker process was killed before its work was done",
                why="most often by the system for want of memory",
                hint="run again with -j 1; nothing half-written stays",
            )


@dataclass(frozen=True, slots=True)
class _Shift:
    """All that a worker has to do in its life, and the sign to stop."""

    work: Work[Any, Any]
    tasks: Sequence[Sized[Any]]
    on_failure: OnFailure
    stop: Event

    def check(self, _size: int) -> None:
        if self.stop.is_set():
            raise stopped(self.on_failure)

    def do(self, group: range) -> list[Any]:
        tasks = self.tasks[group.start : group.stop]
        if self.stop.is_set():  # before the first one asks a server that does not answer
            return [stopped(self.on_failure) for _ in tasks]
        outcomes = list(run_here(self.work, tasks, Batch(on_failure=self.on_failure, progress=self.check)))
        if any(map(self.on_failure.ends_at, outcomes)):
            self.stop.set()
        return outcomes


_shifts: list[_Shift] = []
"""The one of this process, if it is a worker."""


def _start_worker(shift: _Shift) -> None:
    """Leave Ctrl-C to the parent, and end when the parent is gone. Between two groups there is nothing to clean up on SIGTERM."""
    _shifts[:] = [shift]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTIONS)


def _terminate(_number: int, _frame: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the pool sends another one, which must not cut the cleaning up short
    raise Terminated


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _work_through(group: range) -> list[Any]:
    """Do a group. SIGTERM ends the process, once what was half-written is gone."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        return _shifts[0].do(group)
    except Terminated:
        os._exit(ExitCode.TERMINATED)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
