"""Carry a plan out: what leaves the session is kept first, then the session as it was, and only then it is replaced."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sessionkit.core.files import Original, replace_in_place
from sessionkit.core.stores.local_writer import StoreMode
from sessionkit.core.stores.locks.locking import Locking
from sessionkit.core.stores.opening import open_store
from sessionkit.errors import AssetCorruptError, Place
from sessionkit.faults.lines import open_lines
from sessionkit.ops.repair.backups import Backup, backed_up, new_backup
from sessionkit.ops.repair.journal import written

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sessionkit.core.stores.addresses import Address
    from sessionkit.core.stores.base import AssetStore
    from sessionkit.core.streams import ByteStream
    from sessionkit.ops.repair.audit import Audit
    from sessionkit.ops.repair.options import Options
    from sessionkit.ops.repair.scratch import Scratch


def keep_assets(scratch: Scratch, store: AssetStore) -> None:
    """Put all that leaves the session into the store, durably. Raises AssetCorruptError for what does not hash to its name."""
    for kept in scratch.kept():
        if hashlib.sha256(kept.data).hexdigest() != kept.asset.digest:
            raise AssetCorruptError("what leaves the session cannot be kept", place=Place(kept.asset.reference), why="its hash is another")
        store.put(kept.asset, kept.data)
    store.flush()


def replace_session(stream: ByteStream, repaired: Path, found: Audit, options: Options) -> Backup:
    """Replace a session by its repaired version, with a backup and a journal beside it.

    Raises ChangedError if somebody wrote to it since its stream was opened, UnwritableError, and UnreadableError.
    """
    original = original_of(stream)
    backup = new_backup(stream.path.resolve(), options.clock())
    durability = options.writing.durability
    with backed_up(original, backup, written(backup, found), durability), replace_in_place(original, durability) as output:
        for piece in content_of(repaired):
            output.write(piece)
    return backup


def original_of(stream: ByteStream) -> Original:
    """Name a session as it was when it was opened."""
    return Original(stream.path, stream.descriptor, stream.status)


def content_of(path: Path) -> Iterator[bytes]:
    """Read a plain file, a piece at a time; UnreadableError."""
    with open_lines(path) as lines:
        yield from lines.pieces(0, lines.size)


def store_for(address: Address, stream: ByteStream, options: Options) -> AssetStore:
    """Open the store that takes what leaves a session, readable to those who may read the session."""
    writing = options.writing
    return open_store(address, StoreMode.for_session(stream.status.st_mode), writing.durability, Locking(writing.lock_timeout))
