"""Plan the restoration of many sessions, and carry it out with several processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from sessionkit.dataclass import dataclass, replace
from sessionkit.errors import SessionkitError
from sessionkit.ops.batch import Batch, Sized, Tick
from sessionkit.ops.dispatch import run
from sessionkit.ops.failed import Failed
from sessionkit.ops.restore.options import Restored
from sessionkit.ops.restore.session import restore_session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.ops.outputs import Outcome
    from sessionkit.ops.restore.options import Options
    from sessionkit.ops.resume.entry import Record
    from sessionkit.ops.resume.journal import Journal
    from sessionkit.ops.targets import Transfer

_WORTH_A_PROCESS = 2 << 20
"""Bytes of spilled sessions; what they grow to is many times more."""


@dataclass(frozen=True, slots=True)
class Task:
    """One session to restore."""

    transfer: Transfer
    options: Options
    journal: Journal | None


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be restored, where to, and how."""

    command: ClassVar[str] = "restore"

    transfers: tuple[Transfer, ...]
    options: Options
    journal: Journal | None = None

    def run(self, batch: Batch) -> Iterator[Restored | Failed]:
        """Restore every session, or try to; results in the order of the transfers."""
        folders = frozenset(transfer.target.parent for transfer in self.transfers if transfer.target)
        with self.options.writing.on_ground(folders):
            yield from self._results(batch)
        if batch.cluster:  # what a worker has left that was lost
            self.options.writing.clean_up(folders)

    def _results(self, batch: Batch) -> Iterator[Restored | Failed]:
        tasks = [Sized(Task(transfer, self.options, self.journal), transfer.source.size()) for transfer in self.transfers]
        results = run(_work, tasks, replace(batch, least=_WORTH_A_PROCESS))
        for transfer, result in zip(self.transfers, results, strict=True):
            yield Failed(transfer.source, result) if isinstance(result, SessionkitError) else result

    def continued(self, rest: tuple[Transfer, ...], journal: Journal) -> Plan:
        """Plan what is left to do."""
        return Plan(rest, self.options, journal)

    def recalled(self, transfer: Transfer, record: Record, outcome: Outcome) -> Restored:
        """Make the result of a record."""
        from sessionkit.ops.restore.record import ledger_of  # noqa: PLC0415  as _work

        return Restored(transfer, transfer.source.store(self.options.store), outcome, ledger_of(record))

    def has_assets(self, _transfer: Transfer, _record: Record) -> bool:
        """Say yes: a restored session needs none."""
        return True


def _work(task: Task, tick: Tick) -> Restored:
    """Restore a session and note it, unless it took assets of its agent along, of which nothing is known later."""
    if task.journal is None:
        return restore_session(task.transfer, task.options, tick)
    from sessionkit.ops.restore.record import record_of  # noqa: PLC0415  few batches keep a journal, and it costs start-up
    from sessionkit.ops.resume.marks import Mark  # noqa: PLC0415  the same

    before = Mark.at(task.transfer.source.path)
    restored = restore_session(task.transfer, task.options, tick)
    if not restored.ledger.native:
        task.journal.add(task.transfer, before, record_of(restored.ledger))
    return restored
