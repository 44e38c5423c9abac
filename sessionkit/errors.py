"""What can go wrong, and the exit code that each of them stands for."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar

from sessionkit.dataclass import dataclass


class ExitCode(IntEnum):
    """The exit codes of every command; README.md shows the same table."""

    OK = 0
    FINDINGS = 1
    USAGE = 2
    FAILED = 3
    PARTIAL = 4
    BUG = 70
    INTERRUPTED = 130
    CLOSED_PIPE = 141
    TERMINATED = 143


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: a file, a line (from 1), an RFC 6901 pointer into the line's value."""

    path: str
    line: int | None = None
    pointer: str | None = None

    def __str__(self) -> str:
        line = "" if self.line is None else f":{self.line}"
        pointer = "" if self.pointer is None else f" at {self.pointer or '(root)'}"
        return f"{self.path}{line}{pointer}"


class SessionkitError(Exception):
    """An error that a person can act on: what happened, where, why, and what to do next."""

    exit_code: ClassVar[ExitCode] = ExitCode.FAILED
    ends_batch: ClassVar[bool] = False
    """Whether whatever else is to be done would end the same way, so that it is not even tried."""

    def __init__(self, what: str, *, place: Place | None = None, why: str = "", hint: str = "") -> None:
        super().__init__(what, place, why, hint)
        self.what = what
        self.place = place
        self.why = why
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        """Cross a process boundary with the keyword arguments."""
        return (_rebuild, (type(self), self.args))

    def __str__(self) -> str:
        place = f"{self.place}: " if self.place else ""
        why = f": {self.why}" if self.why else ""
        hint = f"\n  next: {self.hint}" if self.hint else ""
        return f"{place}{self.what}{why}{hint}"


def _rebuild(kind: type[SessionkitError], arguments: tuple[str, Place | None, str, str]) -> SessionkitError:
    what, place, why, hint = arguments
    return kind(what, place=place, why=why, hint=hint)


class UsageError(SessionkitError):
    """The command line asks for something that has no meaning."""

    exit_code = ExitCode.USAGE


class UnreadableError(SessionkitError):
    """A file cannot be opened, read or decompressed to its end."""


class NotAnImageError(SessionkitError):
    """What is to be an image is none, a broken one, or of a kind that nobody takes."""


class UnwritableError(SessionkitError):
    """A file or folder cannot be created, written, synced or renamed."""


class UnreachableError(SessionkitError):
    """The server that holds a store cannot be asked, or refuses what is asked; nothing is known of the assets then."""

    ends_batch = True


class AssetMissingError(SessionkitError):
    """A reference names an asset that the store does not hold."""


class AssetCorruptError(SessionkitError):
    """An asset's bytes do not hash to its name, or it is not a regular file."""


class InUseError(SessionkitError):
    """The session is open in its agent, or was written a moment ago."""


class LockedError(SessionkitError):
    """Another process holds the asset store."""


class ChangedError(SessionkitError):
    """The file changed between reading and publishing."""


class RefusedError(SessionkitError):
    """The work is possible, but would break a promise; the hint names the way that does not."""


class TooLargeError(SessionkitError):
    """The output would exceed its bound or the free space of its disk."""


class WorkerDiedError(SessionkitError):
    """A worker process was killed from outside, most often for want of memory."""


class ClusterError(SessionkitError):
    """A cluster does not answer, or its workers cannot do the work."""


class UnknownOutcomeError(ClusterError):
    """Nobody can tell any more whether the work was done: what a journal says of it counts."""


class LeftBehindError(SessionkitError):
    """All is done, but a file that has no use any more cannot be removed."""


class StoppedError(SessionkitError):
    """Another part of the batch failed or was interrupted, so this part stopped before its end."""


class Terminated(BaseException):
    """SIGTERM."""
