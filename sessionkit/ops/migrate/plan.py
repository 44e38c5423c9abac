"""Plan a migration of many sessions, and carry it out with several processes."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from sessionkit.core.assets import FOLDER
from sessionkit.core.stores.addresses import Bucket
from sessionkit.core.stores.base import LockKind
from sessionkit.core.stores.local import LocalStore
from sessionkit.core.stores.locks.names import LOCK
from sessionkit.dataclass import dataclass, field
from sessionkit.errors import SessionkitError
from sessionkit.ops.batch import Batch, Sized, Tick
from sessionkit.ops.dispatch import run
from sessionkit.ops.failed import Failed
from sessionkit.ops.ledger import Ledger
from sessionkit.ops.migrate.custody import Custody
from sessionkit.ops.migrate.options import Done, Migrated, Options
from sessionkit.ops.migrate.session import migrate_session
from sessionkit.ops.segments import is_worth_cutting
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.assets import AssetName
    from sessionkit.ops.migrate.parts import Part
    from sessionkit.ops.outputs import Outcome
    from sessionkit.ops.resume.entry import Record
    from sessionkit.ops.resume.journal import Journal
    from sessionkit.ops.targets import Transfer


@dataclass(frozen=True, slots=True)
class Whole:
    """A session that one process migrates from end to end."""

    transfer: Transfer
    options: Options
    journal: Journal | None

    def work(self, tick: Tick) -> Done:
        """Migrate it, and note it in the journal."""
        if self.journal is None:
            return migrate_session(self.transfer, self.options, tick)
        from sessionkit.ops.migrate.record import note  # noqa: PLC0415  few batches keep a journal, and it costs start-up
        from sessionkit.ops.resume.marks import Mark  # noqa: PLC0415  the same

        before = Mark.at(self.transfer.source.path)
        done = migrate_session(self.transfer, self.options, tick)
        note(done, self.transfer, self.journal, before)
        return done


Task: TypeAlias = "Whole | Part"


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be migrated, where to, and how; `done` has been migrated by an earlier run, of which the journal tells.

    `listings` are what was found in buckets by then.
    """

    command: ClassVar[str] = "migrate"

    transfers: tuple[Transfer, ...]
    options: Options
    journal: Journal | None = None
    done: tuple[Transfer, ...] = ()
    listings: dict[Bucket, dict[AssetName, int]] = field(default_factory=dict)

    def run(self, batch: Batch) -> Iterator[Migrated | Failed]:
        """Migrate every session, or try to; results in the order of the transfers."""
        with self.options.writing.on_ground(self._folders()), Custody() as custody:
            custody.callback(self._remove_locks)
            if batch.cluster:  # what a worker has left that was lost
                custody.callback(self.options.writing.clean_up, self._folders())
            tasks = [task for transfer in self.transfers for task in self._tasks(transfer, batch, custody)]
            outcomes = zip(tasks, run(_work, tasks, batch), strict=True)
            for _, group in groupby(outcomes, key=lambda outcome: id(outcome[0].task.transfer)):
                yield self._result([(sized.task, result) for sized, result in group])

    def continued(self, rest: tuple[Transfer, ...], journal: Journal) -> Plan:
        """Plan what is left to do."""
        left = frozenset(map(id, rest))
        return Plan(rest, self.options, journal, tuple(transfer for transfer in self.transfers if id(transfer) not in left))

    def recalled(self, transfer: Transfer, record: Record, outcome: Outcome) -> Migrated:
        """Make the result of a record."""
        from sessionkit.ops.migrate.record import ledger_of  # noqa: PLC0415  the same

        return Migrated(transfer, self.options, outcome, ledger_of(record))

    def has_assets(self, transfer: Transfer, record: Record) -> bool:
        """Look for each asset of a record in the store."""
        from sessionkit.ops.migrate.record import has_assets  # noqa: PLC0415  the same

        return has_assets(self.options.store_of(transfer), record, self.listings)

    def _result(self, results: list[tuple[Task, Done | Ledger | SessionkitError]]) -> Migrated | Failed:
        transfer, done = results[0][0].transfer, _finish(results, self.journal)
        if isinstance(done, SessionkitError):
            return Failed(transfer.source, done)
        return Migrated(transfer, self.options, done.outcome, done.ledger)

    def _folders(self) -> Iterator[Path]:
        """Where files will be made. A store that is a link is left alone: it will be refused; in a bucket nothing is ever half-written."""
        names = {os.path.dirname(transfer.target) for transfer in (*self.transfers, *self.done) if transfer.target}  # noqa: PTH120  tens of thousands
        targets = set(map(Path, names))
        named = self.options.store
        stores = {folder / FOLDER for folder in targets} if named is None else set() if isinstance(named, Bucket) else {named}
        yield from (folder for folder in stores | targets if not (folder in stores and os.path.islink(folder)))  # noqa: PTH114  as clean_up

    def _remove_locks(self) -> None:
        """Remove the files of locks, which each session has left empty, where nobody else holds them."""
        if self.options.writing.effect is Effect.REHEARSE:
            return
        for folder in {self.options.store_of(transfer) for transfer in (*self.transfers, *self.done)}:
            if not isinstance(folder, Bucket) and os.path.lexists(folder / LOCK):
                with suppress(SessionkitError), LocalStore(folder) as store, store.lock(LockKind.SHARED, 0):
                    pass

    def _tasks(self, transfer: Transfer, batch: Batch, custody: Custody) -> list[Sized[Task]]:
        """Cut a session that is large; one process takes sessions as they come, and need not know how large they are."""
        whole = Whole(transfer, self.options, self.journal)
        if batch.width == 1:
            return [Sized(whole, 0)]
        size = transfer.source.size()
        if is_worth_cutting(size):
            from sessionkit.ops.migrate.parts import split  # noqa: PLC0415  few sessions are

            if parts := split(transfer, self.options, batch.width, custody):
                return [Sized(part, part.range.stop - part.range.start) for part in parts]
        return [Sized(whole, size)]


def _work(task: Task, tick: Tick) -> Done | Ledger:
    return task.work(tick)


def _finish(results: list[tuple[Task, Done | Ledger | SessionkitError]], journal: Journal | None) -> Done | SessionkitError:
    """Make one result of a session's: the first error, or its parts joined."""
    ledgers: list[Ledger] = []
    for _, result in results:
        if not isinstance(result, Ledger):
            return result
        ledgers.append(result)
    from sessionkit.ops.migrate.parts import finish_parts  # noqa: PLC0415  the same

    return finish_parts([task for task, _ in results if not isinstance(task, Whole)], ledgers, journal)
