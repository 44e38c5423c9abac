"""Processes that hold the lock of an asset store, with the file locks of the system or without."""

from __future__ import annotations

import errno
import re
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sessionkit.core.stores import LocalStore, LockKind
from sessionkit.core.stores.locks.locking import Locking

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_HOLD = """
import sys, time
from pathlib import Path
from sessionkit.core.stores import LocalStore, LockKind
from tests.holding import LOCKINGS
folder, kind, way = Path(sys.argv[1]), LockKind[sys.argv[2]], LOCKINGS[sys.argv[3]]
with LocalStore(folder, locking=way) as store:
    print("waiting", flush=True)
    with store.lock(kind, 30):
        print("held", flush=True)
        sys.stdin.read()
"""


def no_locks(_file: int, _operation: int) -> None:
    """Answer as a file system without locks does."""
    raise OSError(errno.ENOLCK, "no locks available")


LOCKINGS = {"flock": Locking(), "lock files": Locking(flock=no_locks)}


@dataclass(frozen=True)
class Holding:
    """A process that wants a lock; it lets go of it when `end` is called."""

    process: subprocess.Popen[str]

    def wait(self) -> None:
        """Wait until it has the lock."""
        assert self.process.stdout
        assert self.process.stdout.readline() == "held\n"

    def end(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def named(self) -> re.Pattern[str]:
        """How it is named in errors."""
        return re.compile(rf"process {self.process.pid} on \S+ \(-c\) since \d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@contextmanager
def waiting(folder: Path, kind: LockKind, way: str = "flock") -> Iterator[Holding]:
    """Start a process that waits for the lock of a store; it is killed when the block ends."""
    command = [sys.executable, "-c", _HOLD, str(folder), kind.name, way]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == "waiting\n"
            yield Holding(process)
        finally:
            process.kill()


@contextmanager
def holding(folder: Path, kind: LockKind, way: str = "flock") -> Iterator[Holding]:
    """Start a process that holds the lock of a store until the block ends."""
    with waiting(folder, kind, way) as holder:
        holder.wait()
        yield holder
        holder.end()


def take(folder: Path, kind: LockKind, way: str = "flock", timeout: float = 0) -> None:
    """Take a lock in this process, and let go of it; LockedError."""
    with LocalStore(folder, locking=LOCKINGS[way]) as store, store.lock(kind, timeout):
        pass
