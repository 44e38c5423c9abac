"""Run lists of tasks, in this process, in several, or on a cluster, with results in the order of the tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from sessionkit.ops.batch import Batch, Result, Sized, Task, Work, run_here

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.errors import SessionkitError
    from sessionkit.ops.pool import Pool


class Crew:
    """Runs one list of tasks after the other; processes that were started for one do the next too. A context manager, which ends them."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self._pool: Pool | None = None

    def run(self, work: Work[Task, Result], tasks: Sequence[Sized[Task]]) -> Iterator[Result | SessionkitError]:
        """Hand out each task's result, or the error that it ended in. Other processes begin at once, this one when it is asked."""
        size = sum(sized.size for sized in tasks)
        if self.batch.cluster and size:
            from sessionkit.ops.cluster import run_on_cluster  # noqa: PLC0415  an extra, and slow to import

            return run_on_cluster(work, tasks, self.batch)
        if min(self.batch.jobs, len(tasks)) <= 1 or size < self.batch.least:
            return run_here(work, tasks, self.batch)
        if self._pool is None:
            from sessionkit.ops.pool import Pool  # noqa: PLC0415  the modules for processes cost start-up

            self._pool = Pool(self.batch)
        return self._pool.run(work, tasks)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.close()


def run(work: Work[Task, Result], tasks: Sequence[Sized[Task]], batch: Batch) -> Iterator[Result | SessionkitError]:
    """Run one list of tasks, and yield each one's result, or the error that it ended in."""
    with Crew(batch) as crew:
        yield from crew.run(work, tasks)
