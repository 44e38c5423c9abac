"""Plan a migration of many sessions, and carry it out with several processes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.assets import FOLDER
from sessionkit.errors import SessionkitError
from sessionkit.ops.batch import Batch, Sized, Tick
from sessionkit.ops.dispatch import run
from sessionkit.ops.failed import Failed
from sessionkit.ops.ledger import Ledger
from sessionkit.ops.migrate.options import Done, Migrated, Options
from sessionkit.ops.migrate.parts import Custody, Part, join_parts, migrate_part, split
from sessionkit.ops.migrate.session import migrate_session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sessionkit.ops.targets import Transfer


@dataclass(frozen=True, slots=True)
class Whole:
    """A session that one process migrates from end to end."""

    transfer: Transfer
    options: Options


Task: TypeAlias = Whole | Part


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be migrated, where to, and how."""

    transfers: tuple[Transfer, ...]
    options: Options

    def run(self, batch: Batch) -> Iterator[Migrated | Failed]:
        """Migrate every session, or try to; results in the order of the transfers."""
        self.options.writing.clean_up(self._folders())
        with Custody() as custody:
            tasks = [task for transfer in self.transfers for task in self._tasks(transfer, batch, custody)]
            outcomes = zip(tasks, run(_work, tasks, batch), strict=True)
            for _, group in groupby(outcomes, key=lambda outcome: id(outcome[0].task.transfer)):
                yield self._result([(sized.task, result) for sized, result in group])

    def _result(self, results: list[tuple[Task, Done | Ledger | SessionkitError]]) -> Migrated | Failed:
        transfer, done = results[0][0].transfer, _finish(results)
        if isinstance(done, SessionkitError):
            return Failed(transfer.source, done)
        return Migrated(transfer, self.options, done.outcome, done.ledger)

    def _folders(self) -> Iterator[Path]:
        """Where files will be made. A store that is a link is left alone: it will be refused."""
        targets = {transfer.target.parent for transfer in self.transfers if transfer.target}
        stores = {self.options.store} if self.options.store else {folder / FOLDER for folder in targets}
        yield from (folder for folder in stores | targets if not (folder in stores and os.path.islink(folder)))  # noqa: PTH114  as clean_up

    def _tasks(self, transfer: Transfer, batch: Batch, custody: Custody) -> list[Sized[Task]]:
        size = transfer.source.size()
        parts = split(transfer, self.options, batch.jobs, custody) if batch.jobs > 1 else []
        if parts:
            return [Sized(part, part.range.stop - part.range.start) for part in parts]
        return [Sized(Whole(transfer, self.options), size)]


def _work(task: Task, tick: Tick) -> Done | Ledger:
    match task:
        case Whole(transfer, options):
            return migrate_session(transfer, options, tick)
        case Part():
            return migrate_part(task, tick)


def _finish(results: list[tuple[Task, Done | Ledger | SessionkitError]]) -> Done | SessionkitError:
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
        return join_parts(parts, ledgers)
    except SessionkitError as error:
        return error
