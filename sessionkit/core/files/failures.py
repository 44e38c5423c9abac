"""What the operating system says, as errors that a person can act on."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from sessionkit.core.files.kinds import WrongKindError
from sessionkit.errors import Place, SessionkitError, UnreadableError, UnwritableError

if TYPE_CHECKING:
    from pathlib import Path

_CHECK_PATH = "check the path and the disk"
_CHECK_DISK = "check the disk (dmesg, smartctl), and copy what can still be read"
_CHECK_RIGHTS = "check who owns the file and its folder, and their modes"

_READ_HINTS = {
    errno.EACCES: _CHECK_RIGHTS,
    errno.EPERM: _CHECK_RIGHTS,
    errno.ENOENT: "check the path",
    errno.ENOTDIR: "check the path",
    errno.ELOOP: "check the symbolic links on the path",
    errno.EIO: _CHECK_DISK,
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.EMFILE: "raise the limit of open files (ulimit -n), or run fewer processes",
}

_WRITE_HINTS = _READ_HINTS | {
    errno.ENOENT: "create the folder first",
    errno.EEXIST: "a file has this name; choose another name for the folder",
    errno.ENOTDIR: "a file stands where a folder should be; choose another name for the output",
    errno.EISDIR: "a folder has this name; choose another name for the output",
    errno.ENAMETOOLONG: "choose a shorter name for the output",
    errno.ENOSPC: "free some space on that disk, or write to another one; no file was changed",
    errno.EDQUOT: "free some of your quota, or write to another disk; no file was changed",
    errno.EROFS: "write to a folder on another file system",
    errno.EFBIG: "raise the limit of the file size (ulimit -f), or write to another file system",
}


def unreadable(path: Path | str, error: OSError) -> UnreadableError:
    """Say that a file cannot be read, in the system's words."""
    return UnreadableError("cannot be read", place=Place(str(path)), why=_words(error), hint=_read_hint(error))


def unwritable(path: Path | str, error: OSError) -> UnwritableError:
    """Say that a file or folder cannot be written, in the system's words."""
    return UnwritableError("cannot be written", place=Place(str(path)), why=_words(error), hint=_write_hint(error))


def refused(error: OSError) -> SessionkitError:
    """Say what the system refused, where nobody knows any more whether it was to be read or written."""
    place = Place(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else None
    return SessionkitError("the system refuses", place=place, why=_words(error), hint=_read_hint(error))


def _words(error: OSError) -> str:
    words = error.strerror or str(error)
    return words[:1].lower() + words[1:]


def _read_hint(error: OSError) -> str:
    return error.read_hint if isinstance(error, WrongKindError) else _READ_HINTS.get(error.errno or 0, _CHECK_PATH)


def _write_hint(error: OSError) -> str:
    return error.write_hint if isinstance(error, WrongKindError) else _WRITE_HINTS.get(error.errno or 0, _CHECK_PATH)
