"""Put assets into an open folder: what stands there already is compared, and replaced unless it is the same."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from sessionkit.core.files import NotRegularError, open_regular
from sessionkit.core.stores.base import Stored
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from sessionkit.core.files import Durability

_CHUNK = 1 << 18
_OTHERS = 0o077


@dataclass(frozen=True, slots=True)
class StoreMode:
    """The modes of new asset files and of a new asset folder."""

    file: int = 0o600
    folder: int = 0o700

    @classmethod
    def for_session(cls, mode: int) -> Self:
        """Let those read the assets who may read the session, and nobody else."""
        readers = mode & 0o044
        return cls(0o600 | readers, 0o700 | readers | readers >> 2)


class LocalWriter:
    """The assets that are being put into one open folder; OSError as it comes."""

    def __init__(self, folder: int, mode: StoreMode, durability: Durability) -> None:
        from sessionkit.core.files import PendingFiles  # noqa: PLC0415  many commands only read what is stored

        self._folder = folder
        self._mode = mode
        self._pending = PendingFiles(folder, durability)
        _widen(folder, mode.folder)

    def put(self, name: str, data: Buffer) -> Stored:
        """Write the file unless it is there; what else has its name will be replaced."""
        found = self._find(name, data)
        if found is not Stored.REUSED:
            self._pending.write(name, data, self._mode.file)
        return found

    def holds(self, name: str, data: Buffer) -> bool:
        """Compare the data with what was put under the name, whether it has its name by now or not."""
        try:
            descriptor, status = open_regular(self._pending.current_name(name), flags=os.O_NOFOLLOW, folder=self._folder)
        except OSError:  # gone, or replaced by something else: then it must be put again
            return False
        try:
            return status.st_size == memoryview(data).nbytes and _holds(descriptor, data)
        finally:
            os.close(descriptor)

    def settle(self) -> None:
        """Make all that was put durable."""
        self._pending.settle()

    def discard(self) -> None:
        """Remove what was not settled."""
        self._pending.discard()

    def _find(self, name: str, data: Buffer) -> Stored:
        try:
            descriptor, status = open_regular(name, flags=os.O_NOFOLLOW, folder=self._folder)
        except FileNotFoundError:
            return Stored.NEW
        except NotRegularError as error:
            if stat.S_ISDIR(error.mode):  # no rename can replace it
                raise
            return Stored.REPAIRED
        except PermissionError:  # nobody could use it
            return Stored.REPAIRED
        try:
            if status.st_size != memoryview(data).nbytes or not _holds(descriptor, data):
                return Stored.REPAIRED
            self._reuse(descriptor)
        finally:
            os.close(descriptor)
        return Stored.REUSED

    def _reuse(self, descriptor: int) -> None:
        with suppress(PermissionError):  # another user's file: only the owner may touch it, and nothing depends on that
            os.utime(descriptor)
        _widen(descriptor, self._mode.file)
        self._pending.adopt(descriptor)


def _holds(descriptor: int, data: Buffer) -> bool:
    view = memoryview(data)
    held = bytearray(_CHUNK)
    for start in range(0, view.nbytes, _CHUNK):
        expected = view[start : start + _CHUNK]
        del held[len(expected) :]
        if os.readv(descriptor, [held]) != len(expected) or held != expected:  # two memoryviews are compared item by item, which is slow
            return False
    return True


def _widen(descriptor: int, mode: int) -> None:
    """Add a mode's bits for others: whoever may read a session may read its assets. The owner's own bits are the owner's choice."""
    now = stat.S_IMODE(os.fstat(descriptor).st_mode)
    missing = mode & _OTHERS & ~now
    if missing:
        with suppress(PermissionError):  # another user's: its owner decides
            os.fchmod(descriptor, now | missing)
