"""Carry out a plan that was begun before: what is done and still stands is told of, and the rest is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar

from sessionkit.dataclass import dataclass
from sessionkit.errors import UnknownOutcomeError
from sessionkit.ops.failed import Failed
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.resume.entry import MISUNDERSTOOD
from sessionkit.ops.resume.history import History, history
from sessionkit.ops.resume.journal import Journal
from sessionkit.ops.resume.terms import terms_of
from sessionkit.ops.resume.use import require_use

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sessionkit.ops.batch import Batch
    from sessionkit.ops.resume.entry import Record
    from sessionkit.ops.targets import Transfer
    from sessionkit.ops.writing import Writing

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


class Options(Protocol):
    """Of any command that writes sessions."""

    @property
    def writing(self) -> Writing:
        """How they are written."""


class Resumable(Protocol[Result_co]):
    """A plan that can be broken off."""

    command: ClassVar[str]

    @property
    def transfers(self) -> tuple[Transfer, ...]:
        """What is to be done."""

    @property
    def options(self) -> Any:  # noqa: ANN401  a frozen dataclass with `writing`
        """How."""

    def continued(self, rest: tuple[Transfer, ...], journal: Journal) -> Self:
        """Make the plan that does only the rest, and keeps a journal."""

    def recalled(self, transfer: Transfer, record: Record, outcome: Outcome) -> Result_co:
        """Make the result of a record; one of `MISUNDERSTOOD` for another form."""

    def has_assets(self, transfer: Transfer, record: Record) -> bool:
        """Whether all assets that the session was given are there, in their sizes; `MISUNDERSTOOD` too."""

    def run(self, batch: Batch) -> Iterator[Result_co | Failed]:
        """Do it."""


@dataclass(frozen=True, slots=True)
class Resumption(Generic[Result]):
    """A plan, and the file of its journal: it is made by the first run, and removed by the one that leaves nothing to do."""

    plan: Resumable[Result]
    path: Path

    def run(self, batch: Batch) -> Iterator[Result | Failed]:
        """Yield the results of all sessions in their order, those of earlier runs among them.

        Raises UsageError where nothing is written that a later run could find, LockedError while another run keeps the journal, and
        LeftBehindError after the last result, if the journal cannot be removed.
        """
        require_use(self.path, self.plan.transfers, self.plan.options.writing.effect)
        journal = Journal(self.path, self.plan.options.writing.durability)
        with history(journal, terms_of(self.plan.command, self.plan.options)) as past:
            standing = frozenset(index for index, transfer in enumerate(self.plan.transfers) if self._stands(past, transfer))
            rest = tuple(transfer for index, transfer in enumerate(self.plan.transfers) if index not in standing)
            results = self.plan.continued(rest, journal).run(batch)
            has_failed = False
            for index, transfer in enumerate(self.plan.transfers):
                result = self._resumed(past, transfer, batch) if index in standing else self._noted(past, transfer, next(results))
                has_failed = has_failed or isinstance(result, Failed)
                yield result
            next(results, None)  # lets it clean up
            if not has_failed:
                past.remove()

    def _stands(self, past: History, transfer: Transfer) -> bool:
        """Whether a session is done, all of it is as it was left, and its result is understood."""
        entry = past.find(transfer)
        if entry is None or not entry.stands(transfer):
            return False
        try:
            self.plan.recalled(transfer, entry.result, Outcome.RESUMED)
            return self.plan.has_assets(transfer, entry.result)
        except MISUNDERSTOOD:
            return False

    def _resumed(self, past: History, transfer: Transfer, batch: Batch) -> Result:
        batch.progress(transfer.source.size())
        return self._recalled(past, transfer, Outcome.RESUMED)

    def _noted(self, past: History, transfer: Transfer, result: Result | Failed) -> Result | Failed:
        """Give the result; where nobody can tell it any more, that which the worker noted, if it came to that."""
        if not (isinstance(result, Failed) and isinstance(result.error, UnknownOutcomeError)):
            return result
        past.catch_up()
        return self._recalled(past, transfer, Outcome.WRITTEN) if self._stands(past, transfer) else result

    def _recalled(self, past: History, transfer: Transfer, outcome: Outcome) -> Result:
        entry = past.find(transfer)
        assert entry is not None
        return self.plan.recalled(transfer, entry.result, outcome)
