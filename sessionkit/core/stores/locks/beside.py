"""A lock where the file system has none: every holder has a file of its own, `.lock.<host>.<pid>.<random>`.

Each shows its file first and looks at those of the others then; so of two that exclude each other at least one sees the other.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from sessionkit.core.files import open_regular
from sessionkit.core.files.atomic import write_all
from sessionkit.core.files.temporary import ABANDONED_AFTER, create_temporary, remove_temporary
from sessionkit.core.stores.base import LockKind
from sessionkit.core.stores.locks.holder import Holder, host_name
from sessionkit.core.stores.locks.names import is_lock_file
from sessionkit.core.stores.locks.sharing import open_to_writers
from sessionkit.core.stores.locks.way import Turn, Way

if TYPE_CHECKING:
    from sessionkit.core.stores.locks.locking import Locking

_MOST = 512
"""Bytes that are read of a file: its line is shorter."""


class Beside(Way):
    """A lock file among others.

    The file of a process of this host is worth nothing when that has ended, and is removed. Whether one of another host has
    ended cannot be known, so its file counts for a day; so does one that another user let nobody read.
    """

    def __init__(self, folder: int, locking: Locking) -> None:
        self._folder = folder
        self._locking = locking
        self._name = ""

    def attempt(self, kind: LockKind, turn: Turn) -> bool:
        """Show a file; it is taken back unless those that want to be alone have to be seen, to keep newcomers out."""
        if kind is LockKind.EXCLUSIVE and turn is Turn.RESTING:
            self.release()
            return False
        try:
            self._name = self._name or self._show(kind)
        except PermissionError:
            return True
        rivals = {name: holder.kind for name, holder in self._others().items() if holder.excludes(kind)}
        if kind is LockKind.SHARED and rivals:
            self.release()
        elif any(other is LockKind.EXCLUSIVE and name < self._name for name, other in rivals.items()):
            self.release()  # of two that wait for each other one gives way
        return not rivals

    def holders(self) -> list[Holder]:
        """Read the files of the others."""
        return list(self._others().values())

    def release(self) -> None:
        """Remove the file."""
        if self._name:
            with suppress(OSError):  # it is worth nothing without its process
                os.unlink(self._name, dir_fd=self._folder)
            self._name = ""

    def _show(self, kind: LockKind) -> str:
        """Write the file under a temporary name, so that it is whole when it has its own."""
        temporary, file = create_temporary(self._folder)
        name = f".lock.{host_name()}.{os.getpid()}.{os.urandom(6).hex()}"
        try:
            open_to_writers(file, self._folder)
            write_all(file, Holder.this_process(kind, self._locking.clock()).line)
            os.rename(temporary, name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        except BaseException:
            remove_temporary(temporary, self._folder)
            raise
        finally:
            os.close(file)
        return name

    def _others(self) -> dict[str, Holder]:
        with os.scandir(self._folder) as entries:
            names = [entry.name for entry in entries if is_lock_file(entry.name) and entry.name != self._name]
        found = {name: self._read(name) for name in names}
        return {name: holder for name, holder in found.items() if holder}

    def _read(self, name: str) -> Holder | None:
        """Read a file of another; None for what is worth nothing."""
        try:
            file, status = open_regular(name, flags=os.O_NOFOLLOW, folder=self._folder)
        except PermissionError:
            return self._guess(name)
        except OSError:  # removed since, or none of ours
            return None
        try:
            holder = Holder.parse(os.pread(file, _MOST, 0).removesuffix(b"\n"))
        finally:
            os.close(file)
        if holder and (holder.has_ended or self._is_expired(holder, status)):
            with suppress(OSError):
                os.unlink(name, dir_fd=self._folder)
            return None
        return holder

    def _guess(self, name: str) -> Holder | None:
        """Take what another user let nobody read for the file of somebody who wants to be alone."""
        try:
            status = os.stat(name, dir_fd=self._folder, follow_symlinks=False)
        except FileNotFoundError:
            return None
        holder = Holder.behind(name, status.st_mtime)
        return holder if stat.S_ISREG(status.st_mode) and not self._is_expired(holder, status) else None

    def _is_expired(self, holder: Holder, status: os.stat_result) -> bool:
        return not holder.is_of_this_host and self._locking.clock() - status.st_mtime > ABANDONED_AFTER
