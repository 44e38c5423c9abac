"""Who holds a lock: a line that anybody may have written, so it is believed only where it has the right form."""

from __future__ import annotations

import os
import re
import sys
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Self

from sessionkit.core.files.processes import began, host_token, is_alive
from sessionkit.core.stores.base import LockKind
from sessionkit.dataclass import dataclass
from sessionkit.errors import LockedError, Place

if TYPE_CHECKING:
    from collections.abc import Sequence

_GRAMMAR = (
    rb"(shared|exclusive) pid=([1-9][0-9]{0,8}) began=([0-9]{1,18}) host=([A-Za-z0-9._-]{1,64})/([0-9a-f]{4})"
    rb" since=([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z) command=([A-Za-z0-9 ._-]{1,64})"
)
_ODD = r"[^A-Za-z0-9._-]"


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that holds a lock, or waits for it.

    `began` tells processes of one id apart, `token` hosts of one name. `since` is in UTC.
    """

    kind: LockKind
    pid: int
    began: int
    host: str
    token: str
    since: str
    command: str

    @classmethod
    def this_process(cls, kind: LockKind, now: float) -> Self:
        """Describe this process; the time is in seconds since 1970."""
        pid = os.getpid()
        return cls(kind, pid, _began(pid), host_name(), host_token(), _time(now), _command())

    @classmethod
    def parse(cls, line: bytes) -> Self | None:
        """Read a line without its line feed; None if it is of no form of ours."""
        found = re.fullmatch(_GRAMMAR, line)
        if found is None:
            return None
        kind, pid, start, host, token, since, command = (word.decode() for word in found.groups())
        return cls(LockKind[kind.upper()], int(pid), int(start), host, token, since, command)

    @classmethod
    def behind(cls, file: str, since: float) -> Self:
        """Tell as much as the name of a lock file does, and its time: somebody who may want it alone, and of whose end nothing is known."""
        host, pid, _ = file.removeprefix(".lock.").rsplit(".", 2)
        return cls(LockKind.EXCLUSIVE, int(pid), 0, host, "", _time(since), "of another user")

    @property
    def line(self) -> bytes:
        """Line that is understood by `parse`, with its line feed."""
        words = f"pid={self.pid} began={self.began} host={self.host}/{self.token} since={self.since} command={self.command}"
        return f"{self.kind.name.lower()} {words}\n".encode()

    def excludes(self, kind: LockKind) -> bool:
        """Whether nobody else can have that lock meanwhile."""
        return LockKind.EXCLUSIVE in {self.kind, kind}

    @property
    def is_of_this_host(self) -> bool:
        """Whether the process can be looked for."""
        return (self.host, self.token) == (host_name(), host_token())

    @property
    def has_ended(self) -> bool:
        """Whether the process is known to be gone; of other hosts nothing is known."""
        return self.is_of_this_host and not (is_alive(self.pid) and self._is_the_same())

    def _is_the_same(self) -> bool:
        """Whether the process of that id is not a later one; taken for granted where nobody tells when it was started."""
        now = began(self.pid)
        return now == self.began or not now or not self.began

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} ({self.command}) since {self.since}"


def locked(place: Path | str, holders: Sequence[Holder], waited: float) -> LockedError:
    """Say who holds a store, after so many seconds of waiting."""
    others = f" and {len(holders) - 1} more" if len(holders) > 1 else ""
    who = f"{holders[0]}{others}" if holders else "another process"
    return LockedError(
        "the asset store is locked",
        place=Place(str(place)),
        why=f"held by {who}; waited {waited:g} s",
        hint="run again when that has ended, or wait longer with --lock-timeout SECONDS",
    )


def barred(place: Path, waited: float) -> LockedError:
    """Say that the file of a lock is not for this user to open, after so many seconds of waiting."""
    try:
        status = place.lstat()
        whose = f"it is user {status.st_uid}'s, and its mode {status.st_mode & 0o7777:04o} keeps this one out"
    except OSError:
        whose = "permission denied"
    return LockedError(
        "the lock of the asset store cannot be opened",
        place=Place(str(place)),
        why=f"{whose}; waited {waited:g} s",
        hint="run again when what its owner runs has ended; if nothing of his runs, remove the file, or let him do it",
    )


_began = cache(began)
"""Of this process, which is asked for whenever it locks anything."""


def _time(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


@cache
def host_name() -> str:
    """Name of this host, as far as it can stand in a file's name."""
    return re.sub(_ODD, "_", os.uname().nodename)[:64] or "host"


@cache
def _command() -> str:
    """Name of the program, and of its command if there is one."""
    path = Path(sys.argv[0])
    name = path.parent.name if path.stem == "__main__" else path.name
    words = (name, *(word for word in sys.argv[1:2] if word.isidentifier()))
    return " ".join(re.sub(_ODD, "_", word) for word in words)[:64].strip() or "python"
