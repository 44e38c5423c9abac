"""Restore one session: survey it, then stream it."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER
from sessionkit.core.base64 import encode
from sessionkit.core.edits import Edit, apply_edits
from sessionkit.core.media.references import Kind
from sessionkit.core.media.splice import restore_edits
from sessionkit.core.stores.local_writer import StoreMode
from sessionkit.core.stores.locks.locking import Locking
from sessionkit.core.stores.opening import open_store
from sessionkit.dataclass import replace
from sessionkit.errors import AssetCorruptError, Place, RefusedError, TooLargeError
from sessionkit.ops.carry import carrier_between
from sessionkit.ops.guards import Force
from sessionkit.ops.restore.options import Missing, Native, Options, Restored, RestoreLedger
from sessionkit.ops.restore.survey import Survey, Surveyor, Trust
from sessionkit.ops.sessions import open_session, reader, require_unmoved, spooled
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sessionkit.core.assets import AssetName
    from sessionkit.core.jsonl import Block
    from sessionkit.core.stores.base import AssetStore
    from sessionkit.core.streams import ByteStream
    from sessionkit.ops.batch import Tick
    from sessionkit.ops.outputs import Output
    from sessionkit.ops.targets import Transfer


def restore_session(transfer: Transfer, options: Options, tick: Tick) -> Restored:
    """Restore a whole session, or leave no trace."""
    if transfer.is_in_place:
        _require_no_offsets(transfer.source.path, options.force)
    with spooled(transfer.source) as source, open_store(transfer.source.store(options.store)) as store:
        with open_session(source) as stream:
            survey = Surveyor(store, options, _trust(transfer, options)).read(stream)
            surveyed = stream.status
        _require_room(transfer, survey.ledger, options)
        with (
            open_session(source) as stream,
            _native_carried(replace(transfer, source=source), stream, survey, options),
            options.writing.open_output(transfer, stream) as output,
        ):
            stream.status = surveyed
            restorer = _Restorer(store, survey, options)
            for block in reader.blocks(stream):
                survey.ledger.read += block.stop
                restorer.write(block, output)
                tick(block.stop)
            require_unmoved(stream)  # --live cannot help here: what was surveyed is what can be restored
    return Restored(transfer, transfer.source.store(options.store), output.outcome, survey.ledger)


@contextmanager
def _native_carried(transfer: Transfer, stream: ByteStream, survey: Survey, options: Options) -> Iterator[None]:
    """Take along the assets that stay assets, when the session moves away from them; it must be published within the block."""
    target = transfer.target
    is_moving = target is not None and not transfer.is_in_place and options.writing.effect is Effect.APPLY
    if target is None or not is_moving or not survey.ledger.native or options.native is Native.INLINE:
        yield
        return
    held, folder, writing = transfer.source.store(options.store), target.parent / FOLDER, options.writing
    mode, locking = StoreMode.for_session(stream.status.st_mode), Locking(writing.lock_timeout)
    with open_store(folder, mode, writing.durability, locking) as store:
        carrier = carrier_between(held, folder, store, {Kind.NATIVE})
        if carrier:
            with open_session(transfer.source) as again:
                for block in reader.blocks(again):
                    carrier.look(block)
            store.flush()
        yield


def _trust(transfer: Transfer, options: Options) -> Trust:
    """Read all assets beforehand where nothing can be taken back, where a corrupt one does not stop, and where nothing follows."""
    is_final = transfer.target is None or options.missing is Missing.LEAVE or options.writing.effect is Effect.REHEARSE
    return Trust.BYTES if is_final else Trust.ENTRY


class _Restorer:
    """Writes blocks with their media back in place; the last small asset is kept, since twins stand side by side."""

    def __init__(self, store: AssetStore, survey: Survey, options: Options) -> None:
        self._store = store
        self._survey = survey
        self._options = options
        self._last: tuple[AssetName, bytes] | None = None

    def write(self, block: Block, output: Output) -> None:
        """Write a block piece by piece: a piece of an asset is gone when the next one is asked for."""
        for piece in apply_edits(memoryview(block.data)[: block.stop], self._edits(block)):
            output.write((piece,))

    def _edits(self, block: Block) -> Iterator[Edit]:
        for reference in self._survey.wanted_in(block, self._options):
            yield from restore_edits(reference, self._base64(reference.asset))

    def _base64(self, asset: AssetName) -> Iterator[bytes]:
        if self._last and self._last[0] == asset:
            yield self._last[1]
            return
        with self._store.open(asset) as opened:
            if opened.size != self._survey.sizes[asset]:
                raise AssetCorruptError("the asset changed while it was read", place=Place(asset.reference), hint="run again")
            pieces = 0
            for chunk in opened.chunks():
                text = encode(chunk)
                pieces += 1
                yield text
        self._last = (asset, text) if pieces == 1 else None


def _require_no_offsets(path: Path, force: Force) -> None:
    """Codex keeps byte offsets of its sessions in a database, which a changed file would falsify."""
    from sessionkit.formats import detect, read_head  # noqa: PLC0415  only a change in place asks, and the shelf costs start-up

    if force is Force.NO and detect(read_head(path)).id == "codex":
        raise RefusedError(
            "not restored in place",
            place=Place(str(path)),
            why="Codex keeps the byte offsets of this file in its database",
            hint="restore to a copy with -o FILE and move it yourself while Codex is closed, or say --force",
        )


def _require_room(transfer: Transfer, ledger: RestoreLedger, options: Options) -> None:
    place = Place(str(transfer.source.path))
    if ledger.written > options.most:
        why = f"it would take {ledger.written:,} bytes, and {options.most:,} are allowed"
        raise TooLargeError("not restored", place=place, why=why, hint="allow more with --max-output if you trust this session")
    if transfer.target is None or options.writing.effect is Effect.REHEARSE:
        return
    free = shutil.disk_usage(_existing(transfer.target.parent)).free
    if ledger.written > free:
        why = f"it would take {ledger.written:,} bytes, and {free:,} are free at {transfer.target.parent}"
        raise TooLargeError("not restored", place=place, why=why, hint="free some space, or restore to another disk")


def _existing(folder: Path) -> Path:
    return folder if folder.exists() else _existing(folder.parent)
