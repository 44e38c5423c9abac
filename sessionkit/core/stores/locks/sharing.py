"""Users who share a folder: whoever may put assets into it has to open the files of its lock, whoever made them."""

from __future__ import annotations

import os
import stat
from contextlib import suppress

_WRITERS = stat.S_IWGRP | stat.S_IWOTH


def may_make_files(folder: int) -> bool:
    """Whether this user may make files in an open folder, and so put assets there or take some away."""
    return os.access(".", os.W_OK | os.X_OK, dir_fd=folder, effective_ids=os.access in os.supports_effective_ids)


def mode_for_writers(folder: int) -> int:
    """Tell the bits with which others than its owner may read and write a file, if they may write to its folder."""
    writers = os.fstat(folder).st_mode & _WRITERS
    return writers | writers << 1


def open_to_writers(file: int, folder: int) -> None:
    """Give a file of this user's those bits, whatever the umask, and the group of its folder: that is whom the folder's mode means."""
    wanted, status = mode_for_writers(folder), os.fstat(file)
    if status.st_uid != os.geteuid() or not wanted & ~status.st_mode:
        return
    group = os.fstat(folder).st_gid
    if status.st_gid != group:
        with suppress(OSError):  # this user is not in it
            os.fchown(file, -1, group)
    if os.fstat(file).st_gid != group:
        wanted &= stat.S_IRWXO
    with suppress(OSError):  # a file system that knows no modes
        os.fchmod(file, stat.S_IMODE(status.st_mode) | wanted)
