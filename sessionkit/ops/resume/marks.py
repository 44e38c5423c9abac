"""What tells whether a file is still the one that was seen."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Self

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

_BOOT = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Mark:
    """A file's inode and bytes, and when its content and its inode changed, in nanoseconds since 1970.

    The device is left out: the same disk may have another number after a restart.
    """

    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> Self:
        """Mark what was looked at."""
        return cls(status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)

    @classmethod
    def at(cls, path: Path) -> Self | None:
        """Mark what stands at a path now; None if that cannot be told."""
        try:
            return cls.of(os.stat(path))  # noqa: PTH116  folders hold tens of thousands
        except OSError:
            return None

    @property
    def figures(self) -> Sequence[int]:
        """The four, for a record."""
        return self.inode, self.size, self.mtime_ns, self.ctime_ns


@cache
def boot() -> str:
    """Name the time since the host was started; empty where the system has no name for it."""
    try:
        return _BOOT.read_text().strip()
    except OSError:
        return ""
