"""The stores that a collection is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.stores import opening
from sessionkit.core.stores.addresses import Bucket
from sessionkit.errors import LockedError, Place, UnreachableError, UnreadableError, UnwritableError

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.stores.addresses import Address
    from sessionkit.core.stores.base import AssetStore
    from sessionkit.ops.gc.options import Options

REFUSALS: Final = (LockedError, UnwritableError, UnreachableError)
"""What stops the work on one store."""


def choose_stores(found: tuple[Path, ...], options: Options) -> tuple[Address, ...]:
    """Take the store that was named, else those that were found; UnreadableError for a named one that is not there."""
    if options.store is None:
        return found
    if not isinstance(options.store, Bucket) and not options.store.exists():
        raise UnreadableError("cannot be read", place=Place(str(options.store)), why="no such file or directory", hint="check --store")
    return (options.store,)


def open_store(address: Address, options: Options) -> AssetStore:
    """Open a store to look at it and to take assets away."""
    return opening.open_store(address, durability=options.writing.durability)
