"""Run tasks in several processes, which end when this one does, however it ends."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
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


class Pool:
    """Worker processes, for one list of tasks after the other."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._stop = get_context().Event()
        self._known: _Orders | None = None
        self._width = 0
        self._executor: ProcessPoolExecutor | None = None

    def run(self, work: Work[Task, Result], tasks: Sequence[Sized[Task]]) -> Iterator[Result | SessionkitError]:
        """Give all tasks out, the largest first; the results come in order. Those of the list before must have been taken."""
        groups = groups_of(tasks, self._batch.jobs)
        orders = _Orders(work, tasks, self._batch.on_failure)
        executor = self._have(min(self._batch.jobs, len(groups)), orders)
        self._stop.clear()
        futures = {}
        with _signals_waiting():
            for group in largest_first(tasks, groups):
                futures[group] = _submit(executor, group if orders is self._known else orders.part(group))
                futures[group].add_done_callback(_reporter(self._batch.progress, size_of(tasks, group)))
        return self._collect(futures, groups)

    def close(self) -> None:
        """End the workers. Those that are not done stop at their next block."""
        if self._executor is not None:
            self._stop.set()
            self._executor.shutdown(cancel_futures=True)
            self._executor = None

    def _have(self, width: int, orders: _Orders) -> ProcessPoolExecutor:
        """Keep the workers if there are as many as wanted, else start others.

        The orders go to those as they start: where they are forks, nothing has to be copied.
        """
        if self._executor is not None and width <= self._width:
            return self._executor
        self.close()
        self._known, self._width = orders, width
        self._executor = ProcessPoolExecutor(width, get_context(), _start_worker, (_Shift(orders, self._stop),))
        return self._executor

    def _collect(self, futures: dict[range, Future[list[Any]]], groups: Sequence[range]) -> Iterator[Any]:
        for group in groups:
            try:
                yield from futures.pop(group).result()
            except BrokenProcessPool:
                self.close()  # the next list gets other workers
                yield from (_died() for _ in group)


@contextmanager
def _signals_waiting() -> Iterator[None]:
    """Let signals wait while processes start: what a handler raises in the midst of a fork, Python reports and forgets."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTIONS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _submit(executor: ProcessPoolExecutor, load: range | _Orders) -> Future[list[Any]]:
    """Hand out a group; where a worker has died already, that is the group's outcome too."""
    try:
        return executor.submit(_work_through, load)
    except BrokenProcessPool as error:
        broken: Future[list[Any]] = Future()
        broken.set_exception(error)
        return broken


def _reporter(progress: Tick, size: int) -> Callable[[object], None]:
    return lambda _future: progress(size)


def _died() -> WorkerDiedError:
    return WorkerDiedError(
        "a worker process was killed before its work was done",
        why="most often by the system for want of memory",
        hint="run again with -j 1; nothing half-written stays",
    )


@dataclass(frozen=True, slots=True)
class _Orders:
    """Tasks, and how to do them."""

    work: Work[Any, Any]
    tasks: Sequence[Sized[Any]]
    on_failure: OnFailure

    def part(self, group: range) -> _Orders:
        """Orders for some of the tasks."""
        return _Orders(self.work, self.tasks[group.start : group.stop], self.on_failure)


@dataclass(frozen=True, slots=True)
class _Shift:
    """What a worker knows since it started: the orders of then, and the sign to stop."""

    orders: _Orders
    stop: Event

    def do(self, load: range | _Orders) -> list[Any]:
        """Do a group of the first orders, or later ones."""
        orders = self.orders.part(load) if isinstance(load, range) else load
        if self.stop.is_set():  # before the first one asks a server that does not answer
            return [stopped(orders.on_failure) for _ in orders.tasks]
        batch = Batch(on_failure=orders.on_failure, progress=partial(self._check, orders.on_failure))
        outcomes = list(run_here(orders.work, orders.tasks, batch))
        if any(map(orders.on_failure.ends_at, outcomes)):
            self.stop.set()
        return outcomes

    def _check(self, on_failure: OnFailure, _size: int) -> None:
        if self.stop.is_set():
            raise stopped(on_failure)


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


def _work_through(load: range | _Orders) -> list[Any]:
    """Do a group. SIGTERM ends the process, once what was half-written is gone."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        return _shifts[0].do(load)
    except Terminated:
        os._exit(ExitCode.TERMINATED)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
