"""Put back what was collected, or delete it for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER
from sessionkit.core.stores.addresses import Bucket
from sessionkit.core.stores.base import TRASH, LockKind
from sessionkit.core.stores.trash import time_of
from sessionkit.errors import Place, RefusedError, UnreachableError
from sessionkit.ops.gc.ground import Ground, look_around
from sessionkit.ops.gc.result import Purged, PutBack, StoreFailed
from sessionkit.ops.gc.stores import REFUSALS, choose_stores, open_store
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import timedelta
    from pathlib import Path

    from sessionkit.core.stores.addresses import Address
    from sessionkit.core.stores.trash import Trash
    from sessionkit.ops.gc.options import Options


def put_back(folders: Sequence[Path], stamp: str | None, options: Options) -> Iterator[PutBack | StoreFailed]:
    """Put back what one run took away, from all stores: the newest, or each that made a trash of this stamp. RefusedError if none did."""
    found, failed = _trashes(folders, options)
    if failed:
        return iter(failed)
    runs = _runs([trash for trashes in found.values() for trash in trashes], stamp)
    if not runs:
        what = f"no trash is called {stamp}" if stamp else "there is nothing to undo"
        raise RefusedError(what, place=_place(folders, options), hint=_choice(found))
    return (_put_back(address, trash, options) for address, trashes in found.items() for trash in trashes if trash.run in runs)


def purge_trash(folders: Sequence[Path], older_than: timedelta, options: Options) -> Iterator[Purged | StoreFailed]:
    """Delete what has been in the trash for so long, in every store; tell of the stores that have any trash."""
    limit = options.clock() - older_than
    found, failed = _trashes(folders, options)
    yield from failed
    for address, trashes in found.items():
        yield _purge(address, tuple(trash for trash in trashes if time_of(trash.stamp) <= limit), options)


def _runs(trashes: Sequence[Trash], stamp: str | None) -> set[str]:
    if stamp:
        return {trash.run for trash in trashes if trash.stamp == stamp}
    return {max(trashes, key=lambda trash: trash.order).run} if trashes else set()


def _trashes(folders: Sequence[Path], options: Options) -> tuple[dict[Address, list[Trash]], list[StoreFailed]]:
    """List the trashes of every store, and the stores that cannot be asked."""
    ground = Ground(tuple(folders), ())
    ground.require()
    found, failed = {}, []
    for address in choose_stores(look_around(ground).trashes, options):
        with open_store(address, options) as store:
            try:
                found[address] = store.trashes()
            except UnreachableError as error:
                failed.append(StoreFailed(store.address, error))
    return found, failed


def _place(folders: Sequence[Path], options: Options) -> Place:
    """Where a trash was looked for."""
    match options.store:
        case None:
            return Place(str(folders[0]))
        case Bucket():
            return Place(options.store.place(TRASH))
        case folder:
            return Place(str(folder / TRASH))


def _choice(found: dict[Address, list[Trash]]) -> str:
    stamps = sorted({trash.stamp for trashes in found.values() for trash in trashes})
    return f"there are {', '.join(stamps)}" if stamps else f"a trash is in {FOLDER}/{TRASH}; `gc --apply` makes one"


def _put_back(address: Address, trash: Trash, options: Options) -> PutBack | StoreFailed:
    with open_store(address, options) as store:
        if options.writing.effect is Effect.REHEARSE:
            return PutBack(store.address, trash, trash.files)
        try:
            with store.lock(LockKind.EXCLUSIVE, options.writing.lock_timeout):
                return PutBack(store.address, trash, tuple(store.put_back(trash)))
        except REFUSALS as error:
            return StoreFailed(store.address, error)


def _purge(address: Address, trashes: tuple[Trash, ...], options: Options) -> Purged | StoreFailed:
    with open_store(address, options) as store:
        try:
            if trashes and options.writing.effect is Effect.APPLY:
                with store.lock(LockKind.EXCLUSIVE, options.writing.lock_timeout):
                    for trash in trashes:
                        store.purge(trash)
        except REFUSALS as error:
            return StoreFailed(store.address, error)
        return Purged(store.address, trashes)
