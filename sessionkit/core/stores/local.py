"""An asset store in a folder, safe for several processes at once."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER, AssetName
from sessionkit.core.files import (
    Durability,
    NotFolderError,
    NotRegularError,
    is_temporary,
    make_folder,
    open_real_folder,
    open_regular,
    remove_leftovers,
    unreadable,
    unwritable,
)
from sessionkit.core.stores.base import HEAD_SIZE, TRASH, AssetCheck, AssetStat, AssetStore, Inventory, LockKind, Stored, StoredFile
from sessionkit.core.stores.local_reader import LocalReader, corrupt, missing
from sessionkit.core.stores.local_writer import LocalWriter, StoreMode
from sessionkit.errors import LockedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from typing_extensions import Buffer

    from sessionkit.core.stores.local_trash import LocalTrash
    from sessionkit.core.stores.locks.folder import FolderLock
    from sessionkit.core.stores.locks.locking import Locking
    from sessionkit.core.stores.trash import Run, Trash
    from sessionkit.errors import SessionkitError

_BUFFER = 4 * HEAD_SIZE
_PRIVATE = StoreMode()


class LocalStore(AssetStore):
    """The assets of a folder, which must be a real one: nothing outside it is read or written, whatever links stand there.

    The folder is created by the first put. It and the reused files get the read bits of `mode` if they lack them. A folder in which
    nothing may be made is not locked: nothing can be put there.
    """

    def __init__(
        self, folder: Path, mode: StoreMode = _PRIVATE, durability: Durability = Durability.SYNC, locking: Locking | None = None
    ) -> None:
        self.folder = folder
        self._mode = mode
        self._durability = durability
        self._wish = locking
        self._lock: FolderLock | None = None
        self._is_locked = False
        self._descriptor: int | None = None
        self._writer: LocalWriter | None = None
        self._known: set[AssetName] = set()

    @property
    def address(self) -> str:
        """Path of the folder."""
        return str(self.folder)

    @contextmanager
    def lock(self, kind: LockKind, timeout: float) -> Iterator[None]:
        """Lock the folder. One that was made for the lock goes with it if it stayed empty."""
        is_there = os.path.lexists(self.folder)
        if not is_there and kind is LockKind.EXCLUSIVE:
            yield
            return
        held = self._take_lock(kind, timeout)
        self._is_locked = True
        try:
            yield
        finally:
            self._is_locked = False
            held.release()
            if not is_there:
                with suppress(OSError):
                    self.folder.rmdir()

    def put(self, name: AssetName, data: Buffer) -> Stored:
        """Write the asset unless the folder has it; with NO_SYNC it gets its name at once."""
        if name in self._known:
            return Stored.KNOWN
        writer = self._writer or self._start_writing()
        with self._giving_up_on_error(name.file_name):
            found = writer.put(name.file_name, data)
        self._known.add(name)
        return found

    def holds(self, name: AssetName, data: Buffer) -> bool:
        """Read the asset's file, be it durable yet or not."""
        return name in self._known and self._writer is not None and self._writer.holds(name.file_name, data)

    def flush(self) -> None:
        """Sync the pending files, rename them, and sync the folder."""
        if self._writer is not None:
            with self._giving_up_on_error(""):
                self._writer.settle()

    def close(self) -> None:
        """Remove the pending files, and close the folder."""
        self._known.clear()
        if self._writer is not None:
            self._writer.discard()
            self._writer = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def open(self, name: AssetName) -> LocalReader:
        """Open the asset's file, never through a link."""
        try:
            opened = open_regular(name.file_name, flags=os.O_NOFOLLOW, folder=self._open_folder())
        except OSError as error:
            raise self._why_not(name, error) from error
        return LocalReader(name, self.folder, opened)

    def check(self, name: AssetName) -> AssetCheck:
        """Read the asset through one reused buffer."""
        with self.open(name) as reader:
            return reader.check(self._buffer)

    def stat(self, name: AssetName) -> AssetStat:
        """Look at the asset's directory entry."""
        try:
            return _stat_of(os.stat(name.file_name, dir_fd=self._open_folder(), follow_symlinks=False))
        except OSError as error:
            raise self._why_not(name, error) from error

    def inventory(self) -> Inventory:
        """List the folder once: regular files with an asset's name, and all else but temporary files, locks and the trash."""
        from sessionkit.core.stores.locks.names import is_lock  # noqa: PLC0415  few commands ask

        files: list[StoredFile] = []
        strangers: list[str] = []
        for entry in self._entries():
            if name := _asset_name(entry):
                files += self._stored(entry, name)
            elif entry.name != TRASH and not is_lock(entry.name) and not is_temporary(entry.name):
                strangers.append(entry.name)
        return Inventory(tuple(files), tuple(strangers))

    def remove(self, name: AssetName) -> None:
        """Unlink the asset's file, whatever it is."""
        self._known.discard(name)
        path = self.folder / name.file_name
        try:
            os.unlink(name.file_name, dir_fd=self._open_folder())
        except FileNotFoundError as error:
            raise missing(path) from error
        except OSError as error:
            raise unwritable(path, error) from error

    def discard(self, files: Sequence[StoredFile], run: Run) -> Trash:
        """Rename the files into a folder below `.trash`."""
        self._known.difference_update(file.name for file in files)
        with self._trash(unwritable) as place:
            return place.discard(files, run)

    def put_back(self, trash: Trash) -> list[StoredFile]:
        """Rename them back. What is there again is read, and replaced if it is not whole."""
        with self._trash(unwritable) as place:
            return place.put_back(trash, self.is_whole)

    def purge(self, trash: Trash) -> None:
        """Unlink the files."""
        with self._trash(unwritable) as place:
            place.purge(trash)

    def trashes(self) -> list[Trash]:
        """List the folders below `.trash` that hold assets."""
        if not os.path.lexists(self.folder):
            return []
        with self._trash(unreadable) as place:
            return place.all()

    def clean_up(self) -> int:
        """Remove the temporary files of processes that are gone, and trashes without assets unless somebody is at work."""
        if os.path.lexists(self.folder / TRASH):
            with suppress(LockedError), self.lock(LockKind.EXCLUSIVE, 0), self._trash(unwritable) as place:
                place.tidy()
        return len(remove_leftovers(self.folder)) if os.path.lexists(self.folder) else 0

    @cached_property
    def _buffer(self) -> memoryview:
        return memoryview(bytearray(_BUFFER))

    def _open_folder(self) -> int:
        if self._descriptor is None:
            self._descriptor = open_real_folder(self.folder)
        return self._descriptor

    @contextmanager
    def _trash(self, failure: Callable[[Path, OSError], SessionkitError]) -> Iterator[LocalTrash]:
        from sessionkit.core.stores.local_trash import LocalTrash  # noqa: PLC0415  few commands take anything away

        try:
            yield LocalTrash(self._open_folder(), self._durability)
        except OSError as error:
            raise failure(self.folder / TRASH, error) from error

    @cached_property
    def _locking(self) -> Locking:
        from sessionkit.core.stores.locks.locking import Locking  # noqa: PLC0415  only what writes to a store locks it

        return self._wish or Locking()

    def _take_lock(self, kind: LockKind, timeout: float) -> FolderLock:
        from sessionkit.core.stores.locks.folder import FolderLock  # noqa: PLC0415  the same

        if kind is LockKind.SHARED:
            make_folder(self.folder, self._mode.folder, self._durability)
        try:
            folder = os.dup(self._open_folder())
        except OSError as error:
            raise unwritable(self.folder, error) from error
        return FolderLock(self.folder, folder, self._mode.file, self._locking).acquire(kind, timeout)

    def _start_writing(self) -> LocalWriter:
        timeout = self._locking.timeout
        if timeout is None or self._is_locked:
            make_folder(self.folder, self._mode.folder, self._durability)
        else:
            self._lock = self._take_lock(LockKind.SHARED, timeout)
        try:
            self._writer = LocalWriter(self._open_folder(), self._mode, self._durability)
        except OSError as error:
            raise unwritable(self.folder, error) from error
        return self._writer

    @contextmanager
    def _giving_up_on_error(self, file_name: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.close()
            raise unwritable(self.folder / file_name, error) from error
        except BaseException:
            self.close()
            raise

    def _why_not(self, name: AssetName, error: OSError) -> SessionkitError:
        """Say why an asset cannot be looked at; a block of its own would take as long as to open it."""
        return unreadable(self.folder, error) if isinstance(error, NotFolderError) else _failure(self.folder / name.file_name, error)

    def _stored(self, entry: os.DirEntry[str], name: AssetName) -> list[StoredFile]:
        try:
            return [StoredFile(name, _stat_of(entry.stat(follow_symlinks=False)))]
        except FileNotFoundError:  # removed since the folder was listed
            return []
        except OSError as error:
            raise _failure(self.folder / entry.name, error) from error

    def _entries(self) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self._open_folder()) as entries:
                return list(entries)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise unreadable(self.folder, error) from error


def _asset_name(entry: os.DirEntry[str]) -> AssetName | None:
    """Tell which asset a regular file claims to be."""
    if not entry.is_file(follow_symlinks=False):
        return None
    try:
        return AssetName.parse(f"{FOLDER}/{entry.name}")
    except ValueError:
        return None


def _stat_of(status: os.stat_result) -> AssetStat:
    if not stat.S_ISREG(status.st_mode):
        raise NotRegularError(status.st_mode)
    return AssetStat(status.st_size, status.st_mtime_ns)


def _failure(path: Path, error: OSError) -> SessionkitError:
    match error:
        case FileNotFoundError():
            return missing(path)
        case NotRegularError():
            return corrupt(path, "the asset cannot be read", error.why)
        case _:
            return unreadable(path, error)
