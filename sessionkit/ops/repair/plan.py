"""Plan the repair of many sessions, or its undoing, and carry it out with several processes."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.stores.addresses import Bucket
from sessionkit.dataclass import dataclass
from sessionkit.errors import SessionkitError
from sessionkit.ops.batch import Batch, Sized
from sessionkit.ops.dispatch import run
from sessionkit.ops.failed import Failed
from sessionkit.ops.repair.backups import sessions_with_backups
from sessionkit.ops.repair.session import Task, repair_session
from sessionkit.ops.repair.undo import UndoTask, undo_session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.ops.repair.options import Options
    from sessionkit.ops.repair.result import Repaired, Undone
    from sessionkit.ops.sources import Source
    from sessionkit.ops.targets import Transfer
    from sessionkit.ops.writing import Writing


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be repaired, where to, and how."""

    transfers: tuple[Transfer, ...]
    options: Options

    def run(self, batch: Batch) -> Iterator[Repaired | Failed]:
        """Repair every session, or try to; results in the order of the transfers."""
        self.options.writing.clean_up(self._folders())
        tasks = [Sized(Task(transfer, self.options), transfer.source.size()) for transfer in self.transfers]
        for transfer, result in zip(self.transfers, run(repair_session, tasks, batch), strict=True):
            yield Failed(transfer.source, result) if isinstance(result, SessionkitError) else result

    def _folders(self) -> Iterator[Path]:
        """Where files will be made, temporary ones too. A store that is a link is left alone: it will be refused."""
        yield Path(tempfile.gettempdir())
        yield from {transfer.target.parent for transfer in self.transfers if transfer.target}
        stores = {self.options.store_of(transfer) for transfer in self.transfers}
        yield from (store for store in stores if not isinstance(store, Bucket) and not store.is_symlink())


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """Whose newest repairs will be undone, and how."""

    sources: tuple[Source, ...]
    writing: Writing

    def run(self, batch: Batch) -> Iterator[Undone | Failed]:
        """Put every session back, or try to; results in the order of the sources.

        Of the sessions of a folder those are passed over that have no backup; if no session has one that is a failure of all.
        """
        self.writing.clean_up(source.path.parent for source in self.sources)
        sources = self._with_backups() or self.sources
        tasks = [Sized(UndoTask(source, self.writing), source.size()) for source in sources]
        for source, result in zip(sources, run(undo_session, tasks, batch), strict=True):
            yield Failed(source, result) if isinstance(result, SessionkitError) else result

    def _with_backups(self) -> tuple[Source, ...]:
        names = cache(sessions_with_backups)
        return tuple(source for source in self.sources if source.folder is None or source.path.name in names(source.path.parent))
