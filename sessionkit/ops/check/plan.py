"""Check many sessions, in several processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.errors import SessionkitError
from sessionkit.ops.batch import Batch, Sized
from sessionkit.ops.check.session import Task, check_session
from sessionkit.ops.dispatch import run
from sessionkit.ops.failed import Failed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.ops.check.options import Options
    from sessionkit.ops.check.result import Checked
    from sessionkit.ops.sources import Source


def check(sources: Sequence[Source], options: Options, batch: Batch) -> Iterator[Checked | Failed]:
    """Check sessions, in the order of the sources. Memory grows with the texts of one session, not with its media."""
    tasks = [Sized(Task(source, options), source.size()) for source in sources]
    for source, outcome in zip(sources, run(check_session, tasks, batch), strict=True):
        yield Failed(source, outcome) if isinstance(outcome, SessionkitError) else outcome
