"""Files of one folder that become durable together: one by one, fsync costs more than all the other work."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from sessionkit.core.files.atomic import write_all
from sessionkit.core.files.durability import Durability
from sessionkit.core.files.temporary import PRIVATE, create_temporary, remove_temporary

if TYPE_CHECKING:
    from typing_extensions import Buffer

_MOST_FILES = 64
_MOST_BYTES = 64 << 20


class PendingFiles:
    """New files of an open folder, synced and renamed in batches of 64 files or 64 MB; OSError as it comes.

    A file is durable under its name when `settle` has returned. `discard` removes what has no name by then.
    With NO_SYNC each file gets its name at once.
    """

    def __init__(self, folder: int, durability: Durability) -> None:
        self._folder = folder
        self._durability = durability
        self._open: list[int] = []
        self._names: dict[str, str] = {}
        self._bytes = 0
        self._renamed = False

    def write(self, name: str, data: Buffer, mode: int) -> None:
        """Write a file; whatever has its name when the batch is renamed is replaced."""
        temporary, descriptor = create_temporary(self._folder)
        self._names[temporary] = name
        self._open.append(descriptor)
        write_all(descriptor, data)
        if mode != PRIVATE:
            os.fchmod(descriptor, mode)
        if self._durability is Durability.NO_SYNC:
            self._rename()
        else:
            _start_writeback(descriptor)
            self._bytes += memoryview(data).nbytes
            self._name_full_batch()

    def current_name(self, name: str) -> str:
        """Name that a file has until it gets its own."""
        return next((temporary for temporary, own in self._names.items() if own == name), name)

    def adopt(self, descriptor: int) -> None:
        """Sync a file that has its name already together with the others: whoever wrote it may not have done so."""
        if self._durability is Durability.SYNC:
            self._open.append(os.dup(descriptor))
            self._name_full_batch()

    def settle(self) -> None:
        """Make every file durable under its name."""
        self._name_batch()
        if self._renamed and self._durability is Durability.SYNC:
            os.fsync(self._folder)
        self._renamed = False

    def discard(self) -> None:
        """Remove the files that have no name yet."""
        self._close()
        for temporary in self._names:
            remove_temporary(temporary, self._folder)
        self._names.clear()

    def _name_full_batch(self) -> None:
        if len(self._open) >= _MOST_FILES or self._bytes >= _MOST_BYTES:
            self._name_batch()

    def _name_batch(self) -> None:
        for descriptor in self._open:
            _sync_data(descriptor)
        self._rename()

    def _rename(self) -> None:
        self._close()
        for temporary, name in self._names.items():
            os.rename(temporary, name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
            self._renamed = True
        self._names.clear()

    def _close(self) -> None:
        while self._open:
            os.close(self._open.pop())
        self._bytes = 0


def _start_writeback(descriptor: int) -> None:
    """Let the disk work while the next asset is decoded: on Linux DONTNEED starts to write dirty pages, and does not wait."""
    if sys.platform == "linux":
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)


def _sync_data(descriptor: int) -> None:
    """Sync the content and what is needed to find it, but no times: a reused asset has nothing else to sync."""
    if sys.platform == "darwin":
        os.fsync(descriptor)
    else:
        os.fdatasync(descriptor)
