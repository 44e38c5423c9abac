"""Every kind of store; a new one joins the list."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.files import Durability
from sessionkit.core.stores import AssetStore, LocalStore
from sessionkit.core.stores.s3.store import S3Store
from tests.buckets import QUICK

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from sessionkit.core.stores.locks.locking import Locking

Opener: TypeAlias = Callable[..., AssetStore]
"""Opens the same store, each time as a new object; it takes the way to lock it."""

KINDS = ("local", "local, not synced", "s3")


def opener(kind: str, folder: Path, request: pytest.FixtureRequest) -> Opener:
    """Make a new store of a kind."""
    if kind == "s3":
        bucket = request.getfixturevalue("bucket")
        return lambda locking=None: S3Store(bucket, locking, QUICK)
    durability = Durability.SYNC if kind == "local" else Durability.NO_SYNC

    def open_folder(locking: Locking | None = None) -> AssetStore:
        return LocalStore(folder / "images", durability=durability, locking=locking)

    return open_folder
