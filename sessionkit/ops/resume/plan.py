"""Carry out a plan that was begun before: what is done and still stands is told of, and the rest is done."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar

from sessionkit.dataclass import dataclass
from sessionkit.errors import Place, UsageError
from sessionkit.ops.failed import Failed
from sessionkit.ops.resume.entry import MISUNDERSTOOD, key_of
from sessionkit.ops.resume.history import History, history
from sessionkit.ops.resume.journal import Journal
from sessionkit.ops.resume.terms import terms_of
from sessionkit.ops.writing import Effect

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

    def recalled(self, transfer: Transfer, record: Record) -> Result_co:
        """Make the result of a record, told as resumed; one of `MISUNDERSTOOD` for another form."""

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

        Raises UsageError where nothing is written that a later run could find, LockedError while another run keeps the journal.
        """
        self._require_use()
        journal = Journal(self.path, self.plan.options.writing.durability)
        with history(journal, terms_of(self.plan.command, self.plan.options)) as past:
            standing = frozenset(index for index, transfer in enumerate(self.plan.transfers) if self._stands(past, transfer))
            rest = tuple(transfer for index, transfer in enumerate(self.plan.transfers) if index not in standing)
            results = self.plan.continued(rest, journal).run(batch)
            has_failed = False
            for index, transfer in enumerate(self.plan.transfers):
                result = self._recall(past, transfer, batch) if index in standing else next(results)
                has_failed = has_failed or isinstance(result, Failed)
                yield result
            next(results, None)  # lets it clean up
            if not has_failed:
                past.end()

    def _stands(self, past: History, transfer: Transfer) -> bool:
        """Whether a session is done, all of it is as it was left, and its result is understood."""
        entry = past.find(transfer)
        if entry is None or not entry.stands(transfer):
            return False
        try:
            self.plan.recalled(transfer, entry.result)
            return self.plan.has_assets(transfer, entry.result)
        except MISUNDERSTOOD:
            return False

    def _recall(self, past: History, transfer: Transfer, batch: Batch) -> Result:
        entry = past.find(transfer)
        assert entry is not None
        batch.progress(transfer.source.size())
        return self.plan.recalled(transfer, entry.result)

    def _require_use(self) -> None:
        place = Place(str(self.path))
        if self.plan.options.writing.effect is Effect.REHEARSE:
            raise UsageError("a dry run leaves nothing to go on with", place=place, hint="leave out --resume or --dry-run")
        if any(transfer.target is None or transfer.source.is_stdin for transfer in self.plan.transfers):
            hint = "name files, or leave out --resume"
            raise UsageError("what goes through a pipe cannot be found again by a later run", place=place, hint=hint)
        own = os.path.abspath(self.path)  # noqa: PTH100  Path.absolute keeps `..`
        if any(own in key_of(transfer) for transfer in self.plan.transfers):
            raise UsageError("the journal would be one of the sessions", place=place, hint="name another file with --resume")
