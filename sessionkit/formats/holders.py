"""Who holds a session: found by open files and by file locks, without touching the session."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from sessionkit.dataclass import dataclass
from sessionkit.errors import Place, UnreadableError

_PROCESSES = Path("/proc")


@dataclass(frozen=True, slots=True)
class Use:
    """A session is in use: `holder` is who has it, `evidence` is how that was found."""

    holder: str
    evidence: str

    def __str__(self) -> str:
        return f"{self.holder} {self.evidence}"


def writer_of(path: Path) -> Use | None:
    """Find another process that has the file open for writing.

    It cannot see processes of other users (except as root), of other containers or hosts, nor on systems without
    `/proc`; and most agents open a session only for the moment of an append. So None means "nobody was found".
    """
    target = path.stat()
    for process in _PROCESSES.glob("[0-9]*"):
        if int(process.name) != os.getpid() and _writes(process, target):
            return Use(f"process {process.name} ({_name(process)})", "has the file open for writing")
    return None


def holder_of_lock(lock: Path) -> Use | None:
    """Find out if another process holds an exclusive `flock` on the file `lock`; one that does not exist is free.

    The lock is what counts, not its file: that stays behind when an agent is killed. Raises UnreadableError.
    """
    try:
        descriptor = os.open(lock, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableError(
            "cannot test the agent's lock",
            place=Place(str(lock)),
            why=os.strerror(error.errno or 0),
            hint="run as the user who runs the agent, or close the agent and use --live",
        ) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return Use("its agent", f"holds the lock {lock}")
    finally:
        os.close(descriptor)
    return None


def _writes(process: Path, target: os.stat_result) -> bool:
    with suppress(OSError):  # the process has ended, or belongs to another user
        return any(_is_writer(descriptor, target) for descriptor in (process / "fd").iterdir())
    return False


def _is_writer(descriptor: Path, target: os.stat_result) -> bool:
    with suppress(OSError):  # closed since it was listed
        return os.path.samestat(descriptor.stat(), target) and _access_mode(descriptor) != os.O_RDONLY
    return False


def _access_mode(descriptor: Path) -> int:
    """Read one of O_RDONLY, O_WRONLY, O_RDWR from `/proc/<pid>/fdinfo/<fd>`, whose second line is `flags: <octal>`."""
    information = (descriptor.parent.parent / "fdinfo" / descriptor.name).read_text()
    return int(information.split("flags:")[1].split()[0], 8) & os.O_ACCMODE


def _name(process: Path) -> str:
    with suppress(OSError):  # it has ended since
        return (process / "comm").read_text().strip()
    return "ended"
