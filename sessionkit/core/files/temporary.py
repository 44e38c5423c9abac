"""Temporary files `.sessionkit-<pid>-<random>`: they stand beside their target, and tell whose they are."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from sessionkit.core.files.failures import unwritable
from sessionkit.core.files.processes import host_token, is_alive

if TYPE_CHECKING:
    from pathlib import Path

PRIVATE = 0o600
"""The mode of a temporary file: its content may be anything."""

ABANDONED_AFTER = 24 * 3600.0
"""Seconds without a change after which any temporary file is a leftover, whoever made it."""

_PREFIX = ".sessionkit-"
_REST = r"(?P<pid>[1-9][0-9]{0,8})-(?P<host>[0-9a-f]{4})[0-9a-f]{12}"


def create_temporary(folder: int) -> tuple[str, int]:
    """Create a temporary file in an open folder: its name, and its descriptor, open for appending."""
    name = f"{_PREFIX}{os.getpid()}-{host_token()}{os.urandom(6).hex()}"
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    try:
        return name, os.open(name, flags, PRIVATE, dir_fd=folder)
    except BaseException:  # Ctrl-C strikes when the file is there, and before anybody knows its name
        remove_temporary(name, folder)
        raise


def remove_temporary(name: str, folder: int) -> None:
    """Remove a temporary file from an open folder. One that cannot be removed waits for `remove_leftovers`: nothing depends on it."""
    with suppress(OSError):
        os.unlink(name, dir_fd=folder)


def is_temporary(name: str) -> bool:
    """Whether a file name is one of ours."""
    return _parse(name) is not None


def remove_leftovers(folder: Path) -> list[Path]:
    """Remove what killed runs left in a folder, and return the paths.

    A process of this host that is gone has left its files. Whether one of another host is gone cannot be known,
    so its files stay for a day. Links and folders of such names are not ours and stay.
    """
    removed = []
    try:
        for entry in os.scandir(folder):
            if _is_leftover(entry):
                path = folder / entry.name
                # another run cleans at the same time, or it is somebody else's in a folder for all
                with suppress(FileNotFoundError, PermissionError):
                    path.unlink()
                    removed.append(path)
    except OSError as error:
        raise unwritable(folder, error) from error
    return removed


def _parse(name: str) -> re.Match[str] | None:
    return re.fullmatch(_REST, name.removeprefix(_PREFIX)) if name.startswith(_PREFIX) else None


def _is_leftover(entry: os.DirEntry[str]) -> bool:
    found = _parse(entry.name)
    if found is None or not entry.is_file(follow_symlinks=False):
        return False
    if found["host"] == host_token() and not is_alive(int(found["pid"])):
        return True
    return _idle_seconds(entry) > ABANDONED_AFTER


def _idle_seconds(entry: os.DirEntry[str]) -> float:
    """Count from the change time: the modification time of a finished file is already that of its source."""
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:  # published or removed since the folder was listed
        return 0.0
    return time.time() - status.st_ctime
