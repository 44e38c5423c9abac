"""Move assets of a folder to its trash and back. Each step is a rename inside the folder, so that an asset is never half there."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER, AssetName
from sessionkit.core.files import Durability, NotRegularError, PendingFiles, is_temporary, open_regular
from sessionkit.core.files.temporary import PRIVATE
from sessionkit.core.stores.base import TRASH, AssetStat, StoredFile
from sessionkit.core.stores.trash import MANIFEST, MANIFEST_HEAD, Trash, is_stamp, manifest_of, run_of, stamps_from
from sessionkit.dataclass import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from sessionkit.core.stores.trash import Run

_FOLDER_MODE = 0o700


class LocalTrash:
    """The trash of an open folder of assets; OSError as it comes. Links in the place of its folders are not followed."""

    def __init__(self, store: int, durability: Durability) -> None:
        self._store = store
        self._durability = durability

    def all(self) -> list[Trash]:
        """List the trashes that hold assets, the newest first."""
        return [trash for trash in self._found() if trash.files]

    def discard(self, files: Sequence[StoredFile], run: Run) -> Trash:
        """Move assets to a new trash, which lists them before the first one moves; what fails is taken back."""
        with self._tidying():
            with suppress(FileExistsError):
                os.mkdir(TRASH, _FOLDER_MODE, dir_fd=self._store)
            with _opened(TRASH, self._store) as folder:
                wanted = Trash(self._make(folder, run.time), tuple(files), run.name)
                with _opened(wanted.stamp, folder) as trash:
                    self._write_manifest(trash, wanted)
                    self._sync(folder, self._store)
                    return self._fill(wanted, trash)

    def put_back(self, trash: Trash, is_there: Callable[[AssetName], bool]) -> list[StoredFile]:
        """Move back what is not there, as good as new; the rest is deleted, and the trash with it."""
        back = []
        with self._entering(trash.stamp) as folder:
            for file in trash.files:
                name = file.name.file_name
                if is_there(file.name):
                    os.unlink(name, dir_fd=folder)
                    continue
                with suppress(PermissionError):  # another user's file: only the owner may touch it
                    os.utime(name, dir_fd=folder, follow_symlinks=False)
                os.rename(name, name, src_dir_fd=folder, dst_dir_fd=self._store)
                back.append(file)
            self._sync(self._store)
        return back

    def purge(self, trash: Trash) -> None:
        """Delete a trash for good."""
        with self._entering(trash.stamp) as folder:
            for file in trash.files:
                os.unlink(file.name.file_name, dir_fd=folder)

    def tidy(self) -> None:
        """Remove trashes without assets: they were emptied, or a run was killed or failed. What else stands in one stays, and it too.

        One that cannot be removed does no harm, and the next run tries again.
        """
        with suppress(OSError), _opened(TRASH, self._store) as folder:
            for stamp in filter(is_stamp, _names(folder)):
                with suppress(OSError):
                    self._remove_empty(stamp, folder)
            os.rmdir(TRASH, dir_fd=self._store)

    def _found(self) -> Iterator[Trash]:
        with suppress(FileNotFoundError), _opened(TRASH, self._store) as folder:
            for stamp in sorted(filter(is_stamp, _names(folder)), reverse=True):
                with suppress(FileNotFoundError):  # put back or deleted since the folder was listed
                    yield Trash(stamp, tuple(self._files(stamp, folder)), _run(stamp, folder))

    def _make(self, folder: int, now: datetime) -> str:
        for stamp in stamps_from(now):
            with suppress(FileExistsError):
                os.mkdir(stamp, _FOLDER_MODE, dir_fd=folder)
                return stamp
        raise AssertionError

    def _fill(self, wanted: Trash, trash: int) -> Trash:
        moved: list[StoredFile] = []
        try:
            for file in wanted.files:
                name = file.name.file_name
                if _stat(name, self._store) == file.stat:
                    moved.append(file)
                    os.rename(name, name, src_dir_fd=self._store, dst_dir_fd=trash)
            filled = replace(wanted, files=tuple(moved))
            if moved and filled != wanted:
                self._write_manifest(trash, filled)
            self._sync(trash, self._store)
        except BaseException:
            for file in moved:
                with suppress(OSError):  # then the manifest names it, and an undoing finds it
                    os.rename(file.name.file_name, file.name.file_name, src_dir_fd=trash, dst_dir_fd=self._store)
            raise
        return filled

    def _write_manifest(self, folder: int, trash: Trash) -> None:
        pending = PendingFiles(folder, self._durability)
        try:
            pending.write(MANIFEST, manifest_of(trash), PRIVATE)
            pending.settle()
        finally:
            pending.discard()

    def _sync(self, *folders: int) -> None:
        if self._durability is Durability.SYNC:
            for folder in folders:
                os.fsync(folder)

    @contextmanager
    def _entering(self, stamp: str) -> Iterator[int]:
        with self._tidying(), _opened(TRASH, self._store) as folder, _opened(stamp, folder) as trash:
            yield trash

    @contextmanager
    def _tidying(self) -> Iterator[None]:
        try:
            yield
        finally:
            self.tidy()

    def _remove_empty(self, stamp: str, folder: int) -> None:
        if not any(self._files(stamp, folder)):
            with _opened(stamp, folder) as trash:
                for name in _names(trash):
                    if name == MANIFEST or is_temporary(name):
                        os.unlink(name, dir_fd=trash)
            os.rmdir(stamp, dir_fd=folder)

    def _files(self, stamp: str, folder: int) -> Iterator[StoredFile]:
        with _opened(stamp, folder) as trash:
            for name in sorted(_names(trash)):
                with suppress(ValueError):
                    asset = AssetName.parse(f"{FOLDER}/{name}")
                    if status := _stat(name, trash):
                        yield StoredFile(asset, status)


@contextmanager
def _opened(name: str, folder: int) -> Iterator[int]:
    descriptor = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _run(stamp: str, folder: int) -> str:
    with _opened(stamp, folder) as trash:
        try:
            manifest, _ = open_regular(MANIFEST, flags=os.O_NOFOLLOW, folder=trash)
        except (FileNotFoundError, NotRegularError):  # somebody has removed ours
            return stamp
        try:
            return run_of(stamp, os.pread(manifest, MANIFEST_HEAD, 0))
        finally:
            os.close(manifest)


def _names(folder: int) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries]


def _stat(name: str, folder: int) -> AssetStat | None:
    """Look at a regular file; None if there is none of this name."""
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    return AssetStat(status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None
