"""Plan previews of many sessions, and make them in several processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass
from sessionkit.errors import SessionkitError
from sessionkit.ops.batch import Batch, Sized
from sessionkit.ops.compact.session import Task, compact_session
from sessionkit.ops.dispatch import run
from sessionkit.ops.failed import Failed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.ops.compact.options import Options
    from sessionkit.ops.compact.result import Compacted
    from sessionkit.ops.sources import Source


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be previewed, and how."""

    sources: tuple[Source, ...]
    options: Options

    def run(self, batch: Batch) -> Iterator[Compacted | Failed]:
        """Preview every session; results in the order of the sources."""
        tasks = [Sized(Task(source, self.options), source.size()) for source in self.sources]
        for source, result in zip(self.sources, run(compact_session, tasks, batch), strict=True):
            yield Failed(source, result) if isinstance(result, SessionkitError) else result
