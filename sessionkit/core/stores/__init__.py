"""Asset stores: where the decoded images and documents of a session are kept."""

from __future__ import annotations

from sessionkit.core.stores.base import AssetCheck, AssetReader, AssetStat, AssetStore, Inventory, LockKind, Stored, StoredFile
from sessionkit.core.stores.local import LocalStore
from sessionkit.core.stores.local_writer import StoreMode

__all__ = [
    "AssetCheck",
    "AssetReader",
    "AssetStat",
    "AssetStore",
    "Inventory",
    "LocalStore",
    "LockKind",
    "StoreMode",
    "Stored",
    "StoredFile",
]
