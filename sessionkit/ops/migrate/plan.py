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
from sessionkit.core.stores.opening import open_store
from sessionkit.dataclass import dataclass, field
from sessionkit.errors import SessionkitError, UnreachableError
from sessionkit.ops.apart import sizes_in
from sessionkit.ops.batch import Batch, Sized, Tick
from sessionkit.ops.dispatch import run
from sessionkit.ops.failed import Failed
from sessionkit.ops.ledger import Ledger
from sessionkit.ops.migrate.options import Done, Migrated, Options
from sessionkit.ops.migrate.parts import Custody, Part, join_parts, migrate_part, split
from sessionkit.ops.migrate.record import assets_of, ledger_of, record_of
from sessionkit.ops.migrate.session import migrate_session
from sessionkit.ops.resume.marks import Mark
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.assets import AssetName
    from sessionkit.core.stores.base import AssetStore
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


Task: TypeAlias = Whole | Part


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
        return Migrated(transfer, self.options, outcome, ledger_of(record))

    def has_assets(self, transfer: Transfer, record: Record) -> bool:
        """Look for each asset of a record in the store; a bucket is listed once, and where it cannot be asked it has none."""
        address = self.options.store_of(transfer)
        if isinstance(address, Bucket):
            if address not in self.listings:
                self.listings[address] = _sizes_in(address)
            return all(self.listings[address].get(name) == kept.length for name, kept in assets_of(record).items())
        with open_store(address) as store:
            return all(_has(store, name, kept.length) for name, kept in assets_of(record).items())

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
        size = transfer.source.size()
        parts = split(transfer, self.options, batch.width, custody) if batch.width > 1 else []
        if parts:
            return [Sized(part, part.range.stop - part.range.start) for part in parts]
        return [Sized(Whole(transfer, self.options, self.journal), size)]


def _sizes_in(bucket: Bucket) -> dict[AssetName, int]:
    """List a bucket. What cannot be found in it is migrated again, and fails as in a first run if it cannot be asked then either."""
    try:
        return sizes_in(bucket)
    except UnreachableError:
        return {}


def _work(task: Task, tick: Tick) -> Done | Ledger:
    match task:
        case Whole(transfer, options, journal):
            before = Mark.at(transfer.source.path) if journal else None
            return _noted(transfer, migrate_session(transfer, options, tick), journal, before)
        case Part():
            return migrate_part(task, tick)


def _noted(transfer: Transfer, done: Done, journal: Journal | None, before: Mark | None) -> Done:
    """Note what is done. Of assets that came from beside the session nothing is known later, so it is rather done again."""
    if journal and not done.ledger.carried:
        journal.add(transfer, before, record_of(done.ledger))
    return done


def _has(store: AssetStore, name: AssetName, length: int) -> bool:
    try:
        return store.stat(name).size == length
    except SessionkitError:
        return False


def _finish(results: list[tuple[Task, Done | Ledger | SessionkitError]], journal: Journal | None) -> Done | SessionkitError:
    """Make one result of a session's: the first error, or its parts joined."""
    parts: list[Part] = []
    ledgers: list[Ledger] = []
    for task, result in results:
        match task, result:
            case _, SessionkitError():
                return result
            case Whole(), Done():
                return result
            case Part(), Ledger() as ledger:
                parts.append(task)
                ledgers.append(ledger)
    try:
        return _noted(parts[0].transfer, join_parts(parts, ledgers), journal, Mark.of(parts[0].status))
    except SessionkitError as error:
        return error
