"""Open a regular file or a real folder and nothing else: a pipe must not block, and a link must not lead away."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from pathlib import Path

_KINDS = {
    stat.S_IFREG: "a regular file",
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a character device",
    stat.S_IFBLK: "a block device",
}
_NOT_A_FILE = frozenset({errno.ELOOP, errno.EMLINK, errno.ENXIO, errno.EOPNOTSUPP, errno.EISDIR})
"""What open() says of a symbolic link under O_NOFOLLOW (Linux, FreeBSD), of a socket (Linux, macOS), and of a folder to be written."""
_NOT_A_FOLDER = frozenset({errno.ELOOP, errno.EMLINK, errno.ENOTDIR})


class WrongKindError(OSError):
    """Something of another kind stands at the path; `mode` is its st_mode, `why` says it in words."""

    wanted: ClassVar[str]
    read_hint: ClassVar[str]
    write_hint: ClassVar[str]

    def __init__(self, mode: int) -> None:
        self.mode = mode
        kind = _KINDS.get(stat.S_IFMT(mode), "of an unknown kind")
        self.why = f"it is {kind}, not {self.wanted}"
        super().__init__(errno.EINVAL, self.why)


class NotRegularError(WrongKindError):
    """Something other than a regular file."""

    wanted = "a regular file"
    read_hint = "name a regular file; a pipe is named -, and what is in a folder is found with -r"
    write_hint = "choose another output; standard output is named -"


class NotFolderError(WrongKindError):
    """Something other than a folder, or a link to one."""

    wanted = "a folder"
    read_hint = write_hint = "put a real folder in its place, or name another one"


def open_regular(path: str, *, flags: int = 0, folder: int | None = None, mode: int = 0o600) -> tuple[int, os.stat_result]:
    """Open a regular file to read, relative to an open folder if one is given; NotRegularError, or OSError as it comes.

    Flags may ask for more, O_CREAT with that mode. O_NONBLOCK lets the open of a pipe without a writer return; it has no effect on
    regular files.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | flags, mode, dir_fd=folder)
    except OSError as error:
        if error.errno not in _NOT_A_FILE:
            raise
        status = os.stat(path, dir_fd=folder, follow_symlinks=not flags & os.O_NOFOLLOW)
        raise NotRegularError(status.st_mode) from error
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise NotRegularError(status.st_mode)
    return descriptor, status


def open_real_folder(path: Path) -> int:
    """Open a folder for use as `dir_fd`; NotFolderError also for a symbolic link to one, or OSError as it comes."""
    try:
        return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        if error.errno not in _NOT_A_FOLDER:
            raise
        raise NotFolderError(path.lstat().st_mode) from error
