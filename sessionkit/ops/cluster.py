"""Run tasks on the workers of a dask.distributed cluster: the only door to it.

Sessions and stores stand on storage that all workers share under the same paths. A task whose worker is lost is done again by another
one: whatever it wrote is written anew, or found to be there.
"""

from __future__ import annotations

import logging
import os
import re
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic

from sessionkit import __version__
from sessionkit.dataclass import dataclass, field
from sessionkit.errors import ClusterError, Place, RefusedError, SessionkitError, UnknownOutcomeError, UsageError, WorkerDiedError
from sessionkit.ops.batch import Batch, OnFailure, Result, Sized, Task, Work, run_here, stopped
from sessionkit.ops.grouping import groups_of, largest_first, size_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from distributed import Client, Future

_PATIENCE = 15.0
"""Seconds to wait for the scheduler, and for a first worker."""


def run_on_cluster(work: Work[Task, Result], tasks: Sequence[Sized[Task]], batch: Batch) -> Iterator[Result | SessionkitError]:
    """Give the largest tasks out first, and yield in order. Leaving early stops the workers at their next block.

    Raises ClusterError where there is no scheduler, no worker, or one that cannot do the work; RefusedError without the library.
    """
    with _connected(batch.cluster) as client:
        yield from _Errand(client, work, tasks, batch).results()


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    try:
        from distributed import Client  # noqa: PLC0415  the same
    except ImportError as error:
        why = "the library dask.distributed is not installed"
        hint = "pip install 'distributed>=2026.8', which is the extra cluster, or use -j"
        raise RefusedError("there is no way to a cluster", why=why, hint=hint) from error
    _hush()
    if not _is_address(address):
        raise UsageError("this is no address of a scheduler", place=Place(address), hint="write it like tcp://host:8786")
    try:
        client = Client(address, timeout=_PATIENCE, set_as_default=False)
    except OSError as error:
        why = str(error).partition("\n")[0]
        hint = "check the address, such as tcp://host:8786, and that `dask scheduler` runs there"
        raise ClusterError("the scheduler does not answer", place=Place(address), why=why, hint=hint) from error
    with client:
        _require_workers(client, address)
        yield client


_is_address = re.compile(r"((tcp|tls|ws|wss)://)?[^/]+:[0-9]+/?").fullmatch


def _hush() -> None:
    """Keep the library from telling what our errors tell; it gives each of its modules a level of its own."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _require_workers(client: Client, address: str) -> None:
    """Ask every worker for its sessionkit."""
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError as error:
        hint = f"start some on machines with the same sessionkit: dask worker {address} --nthreads 1"
        raise ClusterError("the cluster has no workers", place=Place(address), hint=hint) from error
    versions: dict[str, str] = client.run(_question())
    unfit = {worker: version for worker, version in versions.items() if version != __version__}
    if unfit:
        worker, version = next(iter(unfit.items()))
        why = f"{worker} has {f'version {version}' if version else 'none'}, and this is {__version__}"
        what = f"{len(unfit)} of {len(versions)} workers have another sessionkit"
        raise ClusterError(
            what, place=Place(address), why=why, hint=f"pip install sessionkit-cli=={__version__} there, and start them anew"
        )


def _question() -> Callable[[], str]:
    """Make a function that workers understand which have no sessionkit: being local, it is sent to them whole."""

    def version() -> str:
        try:
            import sessionkit  # noqa: PLC0415
        except ImportError:
            return ""
        return sessionkit.__version__

    return version


@dataclass(slots=True)
class _Errand(Generic[Task, Result]):
    """What is handed out, and what has come back."""

    client: Client
    work: Work[Task, Result]
    tasks: Sequence[Sized[Task]]
    batch: Batch
    at_work: dict[Any, range] = field(default_factory=dict)
    done: dict[range, list[Result | SessionkitError]] = field(default_factory=dict)
    has_ended: bool = False
    is_gone: bool = False
    """Whether the scheduler does not answer any more."""

    def results(self) -> Iterator[Result | SessionkitError]:
        """Yield all outcomes in the order of the tasks."""
        groups = groups_of(self.tasks, self.batch.width)
        try:
            yield from self._in_order(groups)
        except BaseException:
            self.client.cancel(list(self.at_work), force=True)
            raise

    def _in_order(self, groups: list[range]) -> Iterator[Result | SessionkitError]:
        from distributed import as_completed  # noqa: PLC0415  the same

        waiting = largest_first(self.tasks, groups)[::-1]
        arrivals = as_completed(loop=self.client.loop)
        for group in groups:
            while group not in self.done:
                arrivals.update(self._hand_out(waiting))
                if not self.at_work:
                    self.done[group] = [self._why_left() for _ in group]
                    break
                self._take(next(arrivals))
            yield from self.done.pop(group)

    def _hand_out(self, waiting: list[range]) -> list[Future[Any]]:
        """Submit what may be at work: all, or, where the first failure ends it, one group for each thread, and none after that."""
        is_cautious = self.batch.on_failure is OnFailure.FAIL_FAST
        if is_cautious and self.has_ended:  # also because the scheduler is gone, which then knows of no threads
            return []
        room = self._threads() - len(self.at_work) if is_cautious else len(waiting)
        futures = []
        while waiting and room > 0:
            group = waiting.pop()
            tasks = [self.tasks[index] for index in group]
            chore = _Chore(self.work, tasks, self.batch.on_failure, os.getcwd(), __version__)  # noqa: PTH109  as it is told
            future = self.client.submit(_do, chore, pure=False)
            self.at_work[future] = group
            futures.append(future)
            room -= 1
        return futures

    def _threads(self) -> int:
        """Count those of all workers, at least one: workers that were lost may come back. 0 if the scheduler does not answer."""
        from distributed.comm.core import CommClosedError  # noqa: PLC0415  the same

        try:
            threads: dict[str, int] = self.client.nthreads()
        except CommClosedError:
            self.is_gone = True
            return 0
        return max(1, sum(threads.values()))

    def _why_left(self) -> SessionkitError:
        return _gone(self.batch.cluster) if self.is_gone else stopped()

    def _take(self, future: Future[Any]) -> None:
        group = self.at_work.pop(future)
        outcomes = _outcomes(future, len(group), self.batch.cluster)
        self.has_ended = self.has_ended or any(map(self.batch.on_failure.ends_at, outcomes))
        self.is_gone = self.is_gone or any(isinstance(outcome, UnknownOutcomeError) for outcome in outcomes)
        self.done[group] = outcomes
        self.batch.progress(size_of(self.tasks, group))


def _outcomes(future: Future[Any], count: int, address: str) -> list[Any]:
    """What came of a group; anything but the loss of workers is a bug, and is raised."""
    from distributed import CancelledError, KilledWorker  # noqa: PLC0415  the same
    from distributed.comm.core import CommClosedError  # noqa: PLC0415  the same

    try:
        outcomes: list[Any] = future.result()
    except KilledWorker as error:
        hint = "give the workers more memory (dask worker --memory-limit), or run it with -j 1"
        lost: SessionkitError = WorkerDiedError(
            f"{error.allowed_failures + 1} workers died of this work, or of what they did beside it", hint=hint
        )
    except (CancelledError, CommClosedError):
        lost = _gone(address)
    else:
        return outcomes
    return [lost] * count


def _gone(address: str) -> UnknownOutcomeError:
    hint = "wait until its workers have stopped, or stop them: they may still write; then run again: what was done stays"
    return UnknownOutcomeError("the scheduler is gone, or has lost the work", place=Place(address), hint=hint)


@dataclass(frozen=True, slots=True)
class _Chore:
    """A group of tasks, where relative paths begin, and the version that understands it."""

    work: Work[Any, Any]
    tasks: Sequence[Sized[Any]]
    on_failure: OnFailure
    folder: str
    version: str


_one_at_a_time = threading.Lock()
"""A worker may have several threads, and what does the work has one buffer for each process."""


def _do(chore: _Chore) -> list[Any]:
    """Do a group on a worker, until nobody waits for it any more."""
    if chore.version != __version__:
        hint = f"install {chore.version} there, and start the worker anew"
        raise ClusterError("a worker has another version of sessionkit", why=f"{__version__}, and not {chore.version}", hint=hint)
    with _one_at_a_time, _in_folder(chore.folder):
        return list(run_here(chore.work, chore.tasks, Batch(on_failure=chore.on_failure, progress=_Watch().check)))


@contextmanager
def _in_folder(folder: str) -> Iterator[None]:
    """Work where the command was given, so that its paths mean the same."""
    before = Path.cwd()
    try:
        os.chdir(folder)
    except OSError as error:
        hint = "sessions and stores have to stand on storage that all workers share; run the command in a folder there"
        raise ClusterError("a worker does not see the working folder", place=Place(folder), why=str(error.strerror), hint=hint) from error
    try:
        yield
    finally:
        os.chdir(before)


class _Watch:
    """Looks whether the task that runs in this thread of a worker is still wanted."""

    def __init__(self) -> None:
        from distributed import get_worker  # noqa: PLC0415  the same

        self._worker = get_worker()
        self._key = self._worker.get_current_task()

    def check(self, _size: int) -> None:
        """Raise StoppedError when the scheduler has cancelled the task; its state is known here without asking."""
        task = self._worker.state.tasks.get(self._key)
        if task is None or task.state == "cancelled":
            raise stopped()
