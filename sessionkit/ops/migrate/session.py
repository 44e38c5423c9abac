"""Migrate one session: its media into the store first, its text last."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sessionkit.core.edits import apply_edits
from sessionkit.core.stores.local_writer import StoreMode
from sessionkit.core.stores.locks.locking import Leaving, Locking
from sessionkit.core.stores.opening import open_store
from sessionkit.ops.guards import Liveness, require_reader
from sessionkit.ops.migrate.options import Done, Options
from sessionkit.ops.outputs import Output
from sessionkit.ops.rehearsal import RehearsalStore
from sessionkit.ops.sessions import open_session, reader, require_unmoved
from sessionkit.ops.sources import assets_beside
from sessionkit.ops.spiller import Spiller
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Buffer

    from sessionkit.core import jsonl
    from sessionkit.core.stores.base import AssetStore
    from sessionkit.core.streams import ByteStream
    from sessionkit.ops.batch import Tick
    from sessionkit.ops.targets import Transfer


def migrate_session(transfer: Transfer, options: Options, tick: Tick) -> Done:
    """Spill a whole session."""
    locking = Locking(options.writing.lock_timeout, Leaving.EMPTY)
    with open_session(transfer.source) as stream, store_for(transfer, options, stream, locking) as store:
        if transfer.is_in_place:
            require_reader(transfer.source.path, options.force)
        spiller = spiller_for(transfer, store, options)
        with options.writing.open_output(transfer, stream) as output:
            sink = _FlushFirst(store, output) if transfer.target is None else output
            spill(stream, spiller, sink, tick)
            store.flush()
            if options.writing.liveness is Liveness.REFUSE:
                require_unmoved(stream)
    return Done(output.outcome, spiller.ledger)


def spill(stream: jsonl.ByteStream, spiller: Spiller, output: Output, tick: Tick) -> None:
    """Send all blocks through."""
    ledger = spiller.ledger
    for block in reader.blocks(stream):
        edits = spiller.edits(block)
        output.write(apply_edits(memoryview(block.data)[: block.stop], edits))
        ledger.read += block.stop
        tick(block.stop)
    ledger.lines = reader.newlines
    ledger.written = output.size


def store_for(transfer: Transfer, options: Options, stream: ByteStream, locking: Locking) -> AssetStore:
    """Open the asset store of a session, readable to those who may read the session."""
    mode = StoreMode() if transfer.source.is_stdin else StoreMode.for_session(stream.status.st_mode)
    return open_store(options.store_of(transfer), mode, options.writing.durability, locking)


def spiller_for(transfer: Transfer, store: AssetStore, options: Options) -> Spiller:
    """Spill into the store, or in a rehearsal only look at it. Assets that the session has beside it already go along."""
    sink = RehearsalStore(store) if options.writing.effect is Effect.REHEARSE else store
    held, carrier = assets_beside(transfer.source.path), None
    if os.path.isdir(held):  # noqa: PTH112  asked for tens of thousands, of which most have none
        from sessionkit.ops.carry import EVERY_KIND, carrier_between  # noqa: PLC0415  what finds references costs start-up

        carrier = carrier_between(held, options.store_of(transfer), sink, EVERY_KIND)
    return Spiller(sink, options.policy, carrier)


class _FlushFirst(Output):
    """Makes the assets of each piece durable before the piece leaves: what has left through a pipe cannot be taken back."""

    def __init__(self, store: AssetStore, output: Output) -> None:
        super().__init__()
        self._store = store
        self._output = output

    def write(self, pieces: Iterable[Buffer]) -> None:
        """Flush the store, then write."""
        self._store.flush()
        self._output.write(pieces)
        self.size = self._output.size
