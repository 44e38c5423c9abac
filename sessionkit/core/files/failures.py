"""What the operating system says, as errors that a person can act on."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from sessionkit.core.files.kinds import WrongKindError
from sessionkit.errors import Place, UnreadableError, UnwritableError

if TYPE_CHECKING:
    from pathlib import Path

_CHECK_DISK = "check the disk (dmesg, smartctl), and copy what can still be read"
_CHECK_RIGHTS = "check who owns the file and its folder, and their modes"

_READ_HINTS = {
    errno.EACCES: _CHECK_RIGHTS,
    errno.EPERM: _CHECK_RIGHTS,
    errno.ENOENT: "check the path",
    errno.ENOTDIR: "check the path",
    errno.ELOOP: "check the symbolic links on the path",
    errno.EIO: _CHECK_DISK,
    errno.EMFILE: "raise the limit of open files (ulimit -n), or run fewer processes",
}

_WRITE_HINTS = _READ_HINTS | {
    errno.ENOENT: "create the folder first",
    errno.EISDIR: "a folder has this name; choose another name for the output",
    errno.ENAMETOOLONG: "choose a shorter name for the output",
    errno.ENOSPC: "free some space on that disk, or write to another one; nothing was changed",
    errno.EDQUOT: "free some of your quota, or write to another disk; nothing was changed",
    errno.EROFS: "write to a folder on another file system",
    errno.EFBIG: "raise the limit of the file size (ulimit -f), or write to another file system",
}


def unreadable(path: Path | str, error: OSError) -> UnreadableError:
    """Say that a file cannot be read, in the system's words."""
    return UnreadableError("cannot be read", place=Place(str(path)), why=_words(error), hint=_hint(error, _READ_HINTS))


def unwritable(path: Path | str, error: OSError) -> UnwritableError:
    """Say that a file or folder cannot be written, in the system's words."""
    return UnwritableError("cannot be written", place=Place(str(path)), why=_words(error), hint=_hint(error, _WRITE_HINTS))


def _words(error: OSError) -> str:
    words = error.strerror or str(error)
    return words[:1].lower() + words[1:]


def _hint(error: OSError, hints: dict[int, str]) -> str:
    if isinstance(error, WrongKindError):
        return error.hint
    return hints.get(error.errno or 0, "check the path and the disk")
