"""Plan the restoration of many sessions, and carry it out with several processes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sessionkit.errors import SessionkitError
from sessionkit.ops.batch import Batch, Sized, Tick
from sessionkit.ops.dispatch import run
from sessionkit.ops.failed import Failed
from sessionkit.ops.restore.session import restore_session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.ops.restore.options import Options, Restored
    from sessionkit.ops.targets import Transfer

_WORTH_A_PROCESS = 2 << 20
"""Bytes of spilled sessions; what they grow to is many times more."""


@dataclass(frozen=True, slots=True)
class Task:
    """One session to restore."""

    transfer: Transfer
    options: Options


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be restored, where to, and how."""

    transfers: tuple[Transfer, ...]
    options: Options

    def run(self, batch: Batch) -> Iterator[Restored | Failed]:
        """Restore every session, or try to; results in the order of the transfers."""
        self.options.writing.clean_up(transfer.target.parent for transfer in self.transfers if transfer.target)
        tasks = [Sized(Task(transfer, self.options), transfer.source.size()) for transfer in self.transfers]
        results = run(_work, tasks, replace(batch, least=_WORTH_A_PROCESS))
        for transfer, result in zip(self.transfers, results, strict=True):
            yield Failed(transfer.source, result) if isinstance(result, SessionkitError) else result


def _work(task: Task, tick: Tick) -> Restored:
    return restore_session(task.transfer, task.options, tick)
