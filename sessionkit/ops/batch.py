"""A list of tasks and how to run it; and the simplest way, one after the other in this process."""

from __future__ import annotations

import os
from enum import Enum, auto
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from sessionkit.dataclass import dataclass
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
    """What a failed task means for the rest; whatever is chosen, an error that ends a batch ends it."""

    KEEP_GOING = auto()
    FAIL_FAST = auto()

    def ends_at(self, outcome: object) -> bool:
        """Whether nothing is done after this result or error."""
        has_stopped = self is OnFailure.FAIL_FAST or isinstance(outcome, StoppedError)
        return isinstance(outcome, SessionkitError) and (has_stopped or outcome.ends_batch)


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
    has_ended = False
    for sized in tasks:
        outcome = stopped(batch.on_failure) if has_ended else _attempt(work, sized.task, batch.progress)
        has_ended = has_ended or batch.on_failure.ends_at(outcome)
        yield outcome


def _attempt(work: Work[Task, Result], task: Task, tick: Tick) -> Result | SessionkitError:
    try:
        return work(task, tick)
    except SessionkitError as error:
        return error


def stopped(on_failure: OnFailure = OnFailure.FAIL_FAST) -> StoppedError:
    """Say why a task was not done, or not to its end."""
    if on_failure is OnFailure.KEEP_GOING:
        return StoppedError("not done: the batch stopped, as it would have failed too", hint="mend what the first failure tells of")
    return StoppedError("not done: the batch stopped at the first failure", hint="leave out --fail-fast to go on after a failure")
