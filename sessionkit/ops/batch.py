"""A list of tasks and how to run it; and the simplest way, one after the other in this process."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from sessionkit.errors import SessionkitError, StoppedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Task = TypeVar("Task")
Result = TypeVar("Result")

Tick: TypeAlias = "Callable[[int], None]"
"""Told of bytes that are done; raises StoppedError when the batch was given up."""

Work: TypeAlias = "Callable[[Task, Tick], Result]"
"""Does one task, and ticks at least once a block; a function at the top of a module, so that other processes find it."""

WORTH_A_PROCESS = 48 << 20
"""Bytes of input below which one process is done before a second one has started."""

_MANY = 64


class OnFailure(Enum):
    """What a failed task means for the rest."""

    KEEP_GOING = auto()
    FAIL_FAST = auto()


@dataclass(frozen=True, slots=True)
class Sized(Generic[Task]):
    """A task and the bytes of input that it has to read."""

    task: Task
    size: int


def _silent(_size: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Batch:
    """How to run: the most processes, the bytes from which several are used, what to do on failure, whom to tell of bytes that are done.

    `cluster` is the address of a scheduler whose workers do the tasks; empty for this host.
    """

    jobs: int = 1
    least: int = WORTH_A_PROCESS
    on_failure: OnFailure = OnFailure.KEEP_GOING
    progress: Tick = _silent
    cluster: str = ""

    @property
    def width(self) -> int:
        """Tasks that may be at work at a time; of a cluster nobody knows how many workers will join."""
        return max(self.jobs, _MANY) if self.cluster else self.jobs


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_here(work: Work[Task, Result], tasks: Sequence[Sized[Task]], batch: Batch) -> Iterator[Result | SessionkitError]:
    """Do one task after the other."""
    failed = False
    for sized in tasks:
        outcome = stopped() if failed else _attempt(work, sized.task, batch.progress)
        failed = failed or (isinstance(outcome, SessionkitError) and batch.on_failure is OnFailure.FAIL_FAST)
        yield outcome


def _attempt(work: Work[Task, Result], task: Task, tick: Tick) -> Result | SessionkitError:
    try:
        return work(task, tick)
    except SessionkitError as error:
        return error


def stopped() -> StoppedError:
    """Say why a task was not done, or not to its end."""
    return StoppedError("not done: the batch stopped at the first failure", hint="leave out --fail-fast to go on after a failure")
