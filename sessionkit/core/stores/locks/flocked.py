"""A lock that the kernel keeps: flock(2) on `.lock`, which is gone at once with the process that holds it, however that ends.

The lock counts, and not the file. What the file says only names the holders; the last one removes it.
"""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from sessionkit.core.files import open_regular
from sessionkit.core.files.atomic import write_all
from sessionkit.core.stores.base import LockKind
from sessionkit.core.stores.locks.holder import Holder
from sessionkit.core.stores.locks.locking import Leaving
from sessionkit.core.stores.locks.names import LOCK
from sessionkit.core.stores.locks.sharing import may_make_files, mode_for_writers, open_to_writers
from sessionkit.core.stores.locks.way import BarredError, Turn, Way

if TYPE_CHECKING:
    from sessionkit.core.stores.locks.locking import Locking

_MISSING = frozenset({errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK})
_OPERATIONS = {LockKind.SHARED: fcntl.LOCK_SH, LockKind.EXCLUSIVE: fcntl.LOCK_EX}
_SIGN = os.O_RDWR | os.O_APPEND
_MOST = 1 << 16
"""Bytes of the file that are read at most, from its end."""


class NoFlockError(Exception):
    """The file system has no such locks."""


class Flocked(Way):
    """A lock of `.lock`; NoFlockError from `attempt`.

    The kernel is not fair: who wants the file alone would wait for ever while others share it in turn. So there is a gate before it,
    a lock of the folder itself, which all pass and only those who want to be alone close.
    """

    def __init__(self, folder: int, mode: int, locking: Locking) -> None:
        self._folder = folder
        self._mode = mode
        self._locking = locking
        self._file: int | None = None
        self._may_sign = False
        self._is_ours = False
        self._line: tuple[int, int] | None = None

    def attempt(self, kind: LockKind, turn: Turn) -> bool:
        """Pass the gate, and lock the file that has the name by then."""
        if not self._pass_gate(kind, turn):
            return False
        while (file := self._open()) is not None:
            self._file = file
            if not self._lock(file, _OPERATIONS[kind]):
                self._close()
                return False
            if self._stands():
                self._sign(kind)
                return True
            self._close()  # its last holder has removed it since
        return True

    def holders(self) -> list[Holder]:
        """Read the file; each process is told of once, and those that have ended are not."""
        try:
            file, _ = open_regular(LOCK, flags=os.O_NOFOLLOW, folder=self._folder)
        except OSError:
            return []
        try:
            found = {(holder.host, holder.pid): holder for holder in map(Holder.parse, _lines(file)) if holder and not holder.has_ended}
        finally:
            os.close(file)
        return list(found.values())

    def release(self) -> None:
        """Remove the file, or one's own line from it if others hold it too."""
        self._gate(fcntl.LOCK_UN)
        if self._file is None:
            return
        with suppress(OSError):  # what stays behind harms nobody
            self._leave(self._file)
        with suppress(OSError):
            self._locking.flock(self._file, fcntl.LOCK_UN)  # closing is not enough where a worker has inherited it
        self._close()

    def _pass_gate(self, kind: LockKind, turn: Turn) -> bool:
        match kind, turn:
            case LockKind.EXCLUSIVE, Turn.RESTING:
                self._gate(fcntl.LOCK_UN)
                return False
            case LockKind.EXCLUSIVE, _:
                self._gate(fcntl.LOCK_EX)
            case _, Turn.LAST:
                pass
            case _:
                is_open = self._gate(fcntl.LOCK_SH)
                self._gate(fcntl.LOCK_UN)
                return is_open
        return True

    def _gate(self, operation: int) -> bool:
        """Whether it could be done; where folders have no locks there is no gate."""
        try:
            self._locking.flock(self._folder, operation | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass
        return True

    def _open(self) -> int | None:
        """Open the file, or make it; None if neither is allowed in a folder in which nothing may be made, BarredError elsewhere."""
        with suppress(PermissionError):
            return self._open_with(_SIGN | os.O_CREAT)
        # Where the sticky bit is set Linux may refuse to make what another has made already (protected_regular).
        # To be locked a file need only be read.
        for flags in (_SIGN, os.O_RDONLY):
            with suppress(PermissionError, FileNotFoundError):
                return self._open_with(flags)
        if may_make_files(self._folder):
            raise BarredError
        return None

    def _open_with(self, flags: int) -> int:
        writers = mode_for_writers(self._folder)
        file, status = open_regular(LOCK, flags=flags | os.O_NOFOLLOW, folder=self._folder, mode=self._mode | writers)
        self._may_sign = bool(flags) and status.st_nlink == 1
        if self._may_sign and writers & ~status.st_mode and _has_our_form(file):  # anything else somebody may have put there to be opened
            open_to_writers(file, self._folder)
        return file

    def _lock(self, file: int, operation: int) -> bool:
        try:
            self._locking.flock(file, operation | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno in _MISSING:
                raise NoFlockError from error
            raise
        return True

    def _stands(self) -> bool:
        """Whether the file that is open still has the name."""
        assert self._file is not None
        with suppress(FileNotFoundError):
            return os.path.samestat(os.stat(LOCK, dir_fd=self._folder, follow_symlinks=False), os.fstat(self._file))
        return False

    def _sign(self, kind: LockKind) -> None:
        """Append a line, unless the file holds anything that is not of this form: then somebody else made it."""
        assert self._file is not None
        self._is_ours = self._may_sign and _has_our_form(self._file)
        if self._is_ours:
            line = Holder.this_process(kind, self._locking.clock()).line
            write_all(self._file, line)
            stop = os.lseek(self._file, 0, os.SEEK_CUR)
            self._line = stop - len(line), len(line)

    def _leave(self, file: int) -> None:
        """Nobody else has the file if it can be had alone. To ask so gives up what was held; so the name may be another file's by then."""
        if not self._is_ours:
            return
        if self._lock(file, fcntl.LOCK_EX):
            if self._locking.leaving is Leaving.EMPTY:
                os.ftruncate(file, 0)
            elif self._stands():
                os.unlink(LOCK, dir_fd=self._folder)
        elif self._line is not None:
            start, size = self._line
            fcntl.fcntl(file, fcntl.F_SETFL, os.O_NONBLOCK)  # without O_APPEND, under which Linux writes at the end whatever the place
            os.pwrite(file, b" " * (size - 1), start)

    def _close(self) -> None:
        assert self._file is not None
        os.close(self._file)
        self._file = self._line = None
        self._is_ours = False


def _has_our_form(file: int) -> bool:
    """Whether a file is empty or consists of lines of ours, some of which may be blank."""
    lines = _lines(file)
    if not lines:
        return os.fstat(file).st_size == 0
    return all(not line.strip(b" \0") or Holder.parse(line) for line in lines)


def _lines(file: int) -> list[bytes]:
    """Lines at the end of a file; of a longer one the first may be torn, and is left out."""
    start = max(os.fstat(file).st_size - _MOST, 0)
    lines = os.pread(file, _MOST, start).splitlines()
    return lines[1:] if start else lines
