"""Put back what was collected, or delete it for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.stores.base import LockKind
from sessionkit.core.stores.trash import time_of
from sessionkit.errors import LockedError, Place, RefusedError, UnwritableError
from sessionkit.ops.gc.ground import Ground, look_around
from sessionkit.ops.gc.result import Purged, PutBack, StoreFailed
from sessionkit.ops.gc.stores import choose_stores, open_store
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import timedelta
    from pathlib import Path

    from sessionkit.core.stores.addresses import Address
    from sessionkit.core.stores.trash import Trash
    from sessionkit.ops.gc.options import Options


def put_back(folders: Sequence[Path], stamp: str | None, options: Options) -> Iterator[PutBack | StoreFailed]:
    """Put back what was moved to the trash at a time, in every store; without a stamp, at the newest. RefusedError if there is none."""
    found = _trashes(folders, options)
    wanted = stamp or max((trash.stamp for trashes in found.values() for trash in trashes), default=None)
    chosen = [(address, trash) for address, trashes in found.items() for trash in trashes if trash.stamp == wanted]
    if not chosen:
        what = f"no trash is called {stamp}" if stamp else "there is nothing to undo"
        hint = f"there are {', '.join(sorted({trash.stamp for trashes in found.values() for trash in trashes}))}"
        raise RefusedError(what, place=Place(str(folders[0])), hint=hint if any(found.values()) else "a trash is in images/.trash")
    return (_put_back(address, trash, options) for address, trash in chosen)


def purge_trash(folders: Sequence[Path], older_than: timedelta, options: Options) -> Iterator[Purged | StoreFailed]:
    """Delete what has been in the trash for so long, in every store; tell of the stores that have any trash."""
    limit = options.clock() - older_than
    for address, trashes in _trashes(folders, options).items():
        yield _purge(address, tuple(trash for trash in trashes if time_of(trash.stamp) <= limit), options)


def _trashes(folders: Sequence[Path], options: Options) -> dict[Address, list[Trash]]:
    ground = Ground(tuple(folders), ())
    ground.require()
    found = {}
    for address in choose_stores(look_around(ground).trashes, options):
        with open_store(address, options) as store:
            found[address] = store.trashes()
    return found


def _put_back(address: Address, trash: Trash, options: Options) -> PutBack | StoreFailed:
    with open_store(address, options) as store:
        if options.writing.effect is Effect.REHEARSE:
            return PutBack(store.address, trash, trash.files)
        try:
            with store.lock(LockKind.EXCLUSIVE, options.writing.lock_timeout):
                return PutBack(store.address, trash, tuple(store.put_back(trash)))
        except (LockedError, UnwritableError) as error:
            return StoreFailed(store.address, error)


def _purge(address: Address, trashes: tuple[Trash, ...], options: Options) -> Purged | StoreFailed:
    with open_store(address, options) as store:
        try:
            if trashes and options.writing.effect is Effect.APPLY:
                with store.lock(LockKind.EXCLUSIVE, options.writing.lock_timeout):
                    for trash in trashes:
                        store.purge(trash)
        except (LockedError, UnwritableError) as error:
            return StoreFailed(store.address, error)
        return Purged(store.address, trashes)
