"""Run a list of tasks, in this process, in several, or on a cluster, with results in the order of the tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.ops.batch import Batch, Result, Sized, Task, Work, run_here

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.errors import SessionkitError


def run(work: Work[Task, Result], tasks: Sequence[Sized[Task]], batch: Batch) -> Iterator[Result | SessionkitError]:
    """Yield each task's result, or the error that it ended in."""
    size = sum(sized.size for sized in tasks)
    if batch.cluster and size:
        from sessionkit.ops.cluster import run_on_cluster  # noqa: PLC0415  an extra, and slow to import

        return run_on_cluster(work, tasks, batch)
    if min(batch.jobs, len(tasks)) == 1 or size < batch.least:
        return run_here(work, tasks, batch)
    from sessionkit.ops.pool import run_in_pool  # noqa: PLC0415  the modules for processes cost start-up

    return run_in_pool(work, tasks, batch)
