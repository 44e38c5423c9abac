"""Repair one session: plan it whole, then write it, or tell what would be written."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from sessionkit.core.stores.base import LockKind
from sessionkit.core.streams import open_source
from sessionkit.dataclass import dataclass, replace
from sessionkit.errors import InUseError, RefusedError
from sessionkit.faults.open import Options as Opening
from sessionkit.ops.carry import EVERY_KIND, carrier_between
from sessionkit.ops.cases import plain
from sessionkit.ops.guards import Liveness, require_idle, require_unpacked
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.repair.alone import alone_with
from sessionkit.ops.repair.apply import content_of, keep_assets, original_of, replace_session, store_for
from sessionkit.ops.repair.audit import audit
from sessionkit.ops.repair.backups import other_names, require_rights, require_room
from sessionkit.ops.repair.forecast import forecast
from sessionkit.ops.repair.result import Repaired
from sessionkit.ops.repair.scratch import Scratch
from sessionkit.ops.repair.versions import open_versions
from sessionkit.ops.sessions import reader, require_unmoved
from sessionkit.ops.sources import is_packed
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from sessionkit.core.stores.addresses import Address
    from sessionkit.core.stores.base import AssetStore
    from sessionkit.core.streams import ByteStream
    from sessionkit.ops.batch import Tick
    from sessionkit.ops.repair.audit import Audit
    from sessionkit.ops.repair.options import Options
    from sessionkit.ops.repair.result import Prognosis
    from sessionkit.ops.sources import Source
    from sessionkit.ops.targets import Transfer


@dataclass(frozen=True, slots=True)
class Task:
    """One session to repair."""

    transfer: Transfer
    options: Options


def repair_session(task: Task, tick: Tick) -> Repaired:
    """Repair a session, or leave no trace.

    Raises UnreadableError, RefusedError, and UsageError for an aim that leads nowhere; InUseError, UnwritableError and ChangedError
    when there is something to write.
    """
    transfer, options = task.transfer, task.options
    with _opened(transfer.source) as (path, stream), _held(transfer, stream, options), Scratch(path, options.writing.effect) as scratch:
        opening = Opening(store=options.store, format=options.format, wish=options.wish, depth=options.depth, budget=0, blobs=options.blobs)
        with open_versions(path, transfer.source, opening, scratch) as versions:
            tick(versions.case.lines.size)
            prognosis = forecast(versions, transfer, options, scratch)
            found = None if versions.is_first else audit(versions.original, versions.case.lines, versions.provenance)
            work = _Work(task, stream, scratch, versions.path)
            return work.in_place(prognosis, found) if transfer.is_in_place else work.copied(prognosis)


@contextmanager
def _opened(source: Source) -> Iterator[tuple[Path, ByteStream]]:
    """Open a session before it is read for the first time, so that whatever happens to it later is noticed."""
    if source.is_stdin:
        with plain(source) as path, open_source(path) as stream:
            yield path, stream
    else:
        with open_source(source.path) as stream, plain(source) as path:
            yield path, stream


def _held(transfer: Transfer, stream: ByteStream, options: Options) -> AbstractContextManager[None]:
    """Keep other repairs away from what is going to be replaced, from before it is read."""
    is_written = transfer.is_in_place and options.writing.effect is Effect.APPLY
    return alone_with(stream) if is_written and not is_packed(transfer.source.path.name) else nullcontext()


@dataclass(frozen=True, slots=True)
class _Work:
    """A planned repair; `repaired` is the last version of the session, as a file."""

    task: Task
    stream: ByteStream
    scratch: Scratch
    repaired: Path

    def in_place(self, prognosis: Prognosis, found: Audit | None) -> Repaired:
        """Replace the session, if anything is different. Until it is, with its backup, no asset that one of them names may go."""
        if found is None or found.is_equal:
            return self._told(prognosis, Outcome.UNCHANGED)
        prognosis = replace(prognosis, other_names=other_names(original_of(self.stream)))
        if self._effect is Effect.REHEARSE:
            return self._told(replace(prognosis, busy=self._obstacle()), Outcome.WRITTEN)
        self._require_free()
        options = self.task.options
        with store_for(self._store, self.stream, options) as store, store.lock(LockKind.SHARED, options.writing.lock_timeout):
            keep_assets(self.scratch, store)
            backup = replace_session(self.stream, self.repaired, found, options)
        return replace(self._told(prognosis, Outcome.WRITTEN), backup=backup.path, journal=backup.journal)

    def copied(self, prognosis: Prognosis) -> Repaired:
        """Write a copy; the session stays as it is."""
        transfer, options = self.task.transfer, self.task.options
        with store_for(self._store, self.stream, options) as store, options.writing.open_output(transfer, self.stream) as output:
            if self._effect is Effect.APPLY:
                self._carry(store)
                keep_assets(self.scratch, store)
            for piece in content_of(self.repaired):
                output.write((piece,))
            if options.writing.liveness is Liveness.REFUSE:
                require_unmoved(self.stream)
        return self._told(prognosis, output.outcome)

    @property
    def _effect(self) -> Effect:
        return self.task.options.writing.effect

    @property
    def _store(self) -> Address:
        """What takes what leaves the session: beside what is written."""
        return self.task.options.store_of(self.task.transfer)

    def _carry(self, store: AssetStore) -> None:
        """Take along the assets that the session refers to."""
        held = self.task.transfer.source.store(self.task.options.store)
        carrier = carrier_between(held, self._store, store, EVERY_KIND)
        if carrier:
            with open_source(self.repaired) as stream:
                for block in reader.blocks(stream):
                    carrier.look(block)

    def _require_free(self) -> None:
        """Raise InUseError or RefusedError where the session must not be replaced now."""
        path = self.task.transfer.source.path
        require_unpacked(path)
        require_rights(path.resolve())
        require_room(path.resolve(), self.task.options.clock())
        if self.task.options.writing.liveness is Liveness.REFUSE:
            require_idle(path, self.stream.status)

    def _obstacle(self) -> str:
        try:
            self._require_free()
        except (InUseError, RefusedError) as error:
            return f"{error.what}{': ' if error.why else ''}{error.why}"
        return ""

    def _told(self, prognosis: Prognosis, outcome: Outcome) -> Repaired:
        return Repaired(self.task.transfer, self._store, outcome, prognosis)
