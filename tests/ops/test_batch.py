"""Lists of tasks, one after the other or in several processes: the same results in the same order."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import SessionkitError, StoppedError, UnreachableError, UnreadableError
from sessionkit.ops.batch import WORTH_A_PROCESS, Batch, OnFailure, Sized, cores
from sessionkit.ops.dispatch import run

if TYPE_CHECKING:
    from sessionkit.ops.batch import Tick

SMALL, LARGE = 1 << 10, 9 << 20
JOBS = pytest.mark.parametrize("jobs", [1, 2, 5])


def square(task: int, tick: Tick) -> int:
    tick(1)
    if task % 10 == 3:
        raise UnreadableError(f"{task} is unlucky", why="it ends in 3")
    return task * task


def ask(task: int, tick: Tick) -> int:
    if task == 4:
        raise UnreachableError("no server", hint="start it")
    return square(task, tick)


def who(_task: int, _tick: Tick) -> int:
    return os.getpid()


def divide(task: int, _tick: Tick) -> float:
    return 1 / task


def numbers(count: int, size: int = LARGE) -> list[Sized[int]]:
    return [Sized(number, size) for number in range(count)]


def show(outcome: int | SessionkitError) -> object:
    return (type(outcome), str(outcome)) if isinstance(outcome, SessionkitError) else outcome


@JOBS
@pytest.mark.parametrize(("count", "size"), [(1, LARGE), (40, LARGE), (700, SMALL), (300, 0)])
def test_results_come_in_the_order_of_the_tasks_and_errors_are_values(jobs: int, count: int, size: int) -> None:
    outcomes = [show(outcome) for outcome in run(square, numbers(count, size), Batch(jobs, least=0))]
    unlucky = UnreadableError("{} is unlucky", why="it ends in 3")
    assert outcomes == [(UnreadableError, str(unlucky).format(number)) if number % 10 == 3 else number * number for number in range(count)]


@JOBS
def test_uneven_tasks_come_in_order(jobs: int) -> None:
    tasks = [Sized(number, (number * 6_700_417) % LARGE) for number in range(60) if number % 10 != 3]
    assert list(run(square, tasks, Batch(jobs, least=0))) == [sized.task**2 for sized in tasks]


@pytest.mark.parametrize(
    ("batch", "count", "size", "elsewhere"),
    [
        (Batch(jobs=1), 20, LARGE, False),
        (Batch(jobs=2), 20, LARGE, True),
        (Batch(jobs=2), 1, 20 * LARGE, False),
        (Batch(jobs=2), 20, SMALL, False),
        (Batch(jobs=2), 2, WORTH_A_PROCESS // 2, True),
        (Batch(jobs=2), 2, WORTH_A_PROCESS // 2 - 1, False),
    ],
)
def test_processes_are_started_where_they_are_worth_it(batch: Batch, count: int, size: int, elsewhere: bool) -> None:
    workers = set(run(who, numbers(count, size), batch))
    assert (os.getpid() not in workers) == elsewhere
    assert len(workers) <= batch.jobs


def test_with_fail_fast_nothing_follows_a_failure() -> None:
    outcomes = list(run(square, numbers(10), Batch(on_failure=OnFailure.FAIL_FAST)))
    assert [type(outcome) for outcome in outcomes] == [int, int, int, UnreadableError, *[StoppedError] * 6]


def test_an_error_that_ends_a_batch_ends_it_whatever_was_chosen() -> None:
    for on_failure in OnFailure:
        outcomes = list(run(ask, numbers(12)[4:], Batch(on_failure=on_failure)))
        assert [type(outcome) for outcome in outcomes] == [UnreachableError, *[StoppedError] * 7]
        assert ("--fail-fast" in str(outcomes[-1])) == (on_failure is OnFailure.FAIL_FAST)
    kinds = [type(outcome) for outcome in run(ask, numbers(6), Batch())]
    assert kinds == [int, int, int, UnreadableError, UnreachableError, StoppedError]


def test_a_bug_is_not_swallowed() -> None:
    with pytest.raises(ZeroDivisionError):
        list(run(divide, numbers(1), Batch()))


@JOBS
def test_progress_adds_up(jobs: int) -> None:
    told: list[int] = []
    list(run(square, numbers(20, LARGE), Batch(jobs, least=0, progress=told.append)))
    assert sum(told) == (20 if jobs == 1 else 20 * LARGE)


def test_cores_are_those_that_may_be_used() -> None:
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        assert cores() == 1
    finally:
        os.sched_setaffinity(0, allowed)
