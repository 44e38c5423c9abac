"""Open a store by its address: the one place that knows which kind of store that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.files import Durability
from sessionkit.core.stores.addresses import Bucket
from sessionkit.core.stores.local import LocalStore
from sessionkit.core.stores.local_writer import StoreMode

if TYPE_CHECKING:
    from sessionkit.core.stores.addresses import Address
    from sessionkit.core.stores.base import AssetStore
    from sessionkit.core.stores.locks.locking import Locking

_PRIVATE = StoreMode()


def open_store(
    address: Address, mode: StoreMode = _PRIVATE, durability: Durability = Durability.SYNC, locking: Locking | None = None
) -> AssetStore:
    """Open a store. Modes and durability are those of folders: who may read a bucket is settled there, and what it took is durable."""
    if isinstance(address, Bucket):
        from sessionkit.core.stores.s3.store import S3Store  # noqa: PLC0415  few sessions have their assets in a bucket

        return S3Store(address, locking)
    return LocalStore(address, mode, durability, locking)
