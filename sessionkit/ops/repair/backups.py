"""Backups and journals of repairs. They stand beside the session; agents list only names that end in .jsonl, and pass them over."""

from __future__ import annotations

import errno
import os
import re
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from sessionkit.core.files import Durability, sync_folder, unreadable, unwritable, write_atomic
from sessionkit.dataclass import dataclass
from sessionkit.errors import ChangedError, Place, RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from sessionkit.core.files import Original

_STAMP: Final = "%Y%m%dT%H%M%SZ"
_SECOND: Final = timedelta(seconds=1)
_NO_LINKS: Final = frozenset({errno.EPERM, errno.EACCES, errno.EMLINK, errno.EXDEV, errno.ENOSYS, errno.EOPNOTSUPP})
"""What the system says where there are no hard links, or none are allowed."""

_is_backup = re.compile(r"(.+)\.repair-([0-9]{8}T[0-9]{6}Z)\.bak", re.DOTALL).fullmatch
_is_journal = re.compile(r"(.+)\.repair-([0-9]{8}T[0-9]{6}Z)\.json", re.DOTALL).fullmatch


@dataclass(frozen=True, slots=True)
class Backup:
    """The two files of one repair; `stamp` is its time in UTC."""

    session: Path
    stamp: str

    @property
    def path(self) -> Path:
        """The session as it was."""
        return self._named("bak")

    @property
    def journal(self) -> Path:
        """What was done to it."""
        return self._named("json")

    def _named(self, end: str) -> Path:
        return self.session.with_name(f"{self.session.name}.repair-{self.stamp}.{end}")


def backups_of(session: Path) -> list[Backup]:
    """List the backups of a session, the newest first; UnreadableError."""
    return _backups_by(_is_backup, session)


def lost_backups(session: Path) -> list[Backup]:
    """List those of which only the journal is there, the newest first; UnreadableError."""
    there = backups_of(session)
    return [backup for backup in _backups_by(_is_journal, session) if backup not in there]


def require_room(session: Path, now: datetime) -> None:
    """Raise RefusedError if the names of the backup and the journal would be longer than the file system takes."""
    name = new_backup(session, now).journal.name
    size, most = len(os.fsencode(name)), os.pathconf(session.parent, "PC_NAME_MAX")
    if size > most:
        own = len(os.fsencode(session.name))
        why = f"its name has {own} bytes, and that of a backup {size - own} more, of {most} in all"
        raise RefusedError("no backup can stand beside it", place=Place(str(session)), why=why, hint="write a copy with -o FILE")


def require_rights(session: Path) -> None:
    """Raise RefusedError if nothing may be made in the folder of a session, in which it would be replaced."""
    if not os.access(session.parent, os.W_OK | os.X_OK):
        why = "its folder may not be written to: neither it nor a backup could be put there"
        raise RefusedError("not changed in place", place=Place(str(session)), why=why, hint="write a copy with -o FILE")


def other_names(original: Original) -> int:
    """Count the hard links to a session, but for those that a killed run has left: none of them leads to what replaces it."""
    left = sum(_stands(original, backup.path) for backup in backups_of(original.path.resolve()))
    return original.status.st_nlink - 1 - left


def sessions_with_backups(folder: Path) -> frozenset[str]:
    """Names of the sessions of a folder that have backups; UnreadableError."""
    return frozenset(found[1] for found in map(_is_backup, _names(folder)) if found)


def new_backup(session: Path, now: datetime) -> Backup:
    """Name a backup after the time; where one has that name already, after the next second that is free."""
    backup = Backup(session, now.strftime(_STAMP))
    while os.path.lexists(backup.path) or os.path.lexists(backup.journal):
        now += _SECOND
        backup = Backup(session, now.strftime(_STAMP))
    return backup


@contextmanager
def backed_up(original: Original, backup: Backup, journal: bytes, durability: Durability) -> Iterator[None]:
    """Keep what the block is going to replace, durably; both files go again if it fails before that. Raises UnwritableError.

    What a killed run has left, which is the session itself under a second name, is removed. Raises ChangedError if the session's name
    leads to another file by now. The caller holds the session, so that nobody else makes or removes backups of it.
    """
    _remove_second_names(original, backup.session)
    _require_free(backup)
    try:
        _keep(original, backup, durability)
        with write_atomic(backup.journal, None, durability) as output:
            output.write(journal)
        yield
    except BaseException:
        if _stands(original, backup.session):
            with suppress(OSError):  # what made it fail is told, and the next run tries again
                _unlink(backup)
        raise


def remove_backup(backup: Backup, durability: Durability) -> None:
    """Remove both files; UnwritableError."""
    try:
        _unlink(backup)
    except OSError as error:
        raise unwritable(backup.path, error) from error
    if durability is Durability.SYNC:
        sync_folder(backup.session.parent)


def _keep(original: Original, backup: Backup, durability: Durability) -> None:
    """Give the file a second name, which costs nothing whatever its size; a copy where that cannot be. It is durable with the journal."""
    try:
        _link(backup)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise unwritable(backup.path, error) from error
        with write_atomic(backup.path, original.status, durability) as output:
            original.copy_to(output, 0)
    else:
        _require_original(original, backup)


def _require_free(backup: Backup) -> None:
    """Raise UnwritableError where somebody else's file has one of the names."""
    for path in (backup.path, backup.journal):
        if os.path.lexists(path):
            raise unwritable(path, FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)))


def _require_original(original: Original, backup: Backup) -> None:
    """Raise ChangedError, and take the name back, if what it was given to is not the file that was read."""
    if not _stands(original, backup.path):
        with suppress(OSError):  # a second name of another file does no harm
            _unlink(backup)
        place = Place(str(original.path))
        raise ChangedError("changed while it was being worked on", place=place, why="another file has taken its place", hint="run again")


def _link(backup: Backup) -> None:
    folder = os.open(backup.session.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.link(backup.session.name, backup.path.name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    finally:
        os.close(folder)


def _unlink(backup: Backup) -> None:
    """The journal last: without it nobody could tell what the backup is."""
    folder = os.open(backup.session.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for path in (backup.path, backup.journal):
            with suppress(FileNotFoundError):
                os.unlink(path.name, dir_fd=folder)
    finally:
        os.close(folder)


def _stands(original: Original, path: Path) -> bool:
    """Whether a file is the original, under whatever name."""
    with suppress(FileNotFoundError):
        return os.path.samestat(path.lstat(), original.status)
    return False


def _backups_by(is_one: Callable[[str], re.Match[str] | None], session: Path) -> list[Backup]:
    found = [match for match in map(is_one, _names(session.parent)) if match and match[1] == session.name]
    return [Backup(session, stamp) for stamp in sorted((match[2] for match in found), reverse=True)]


def _names(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError as error:
        raise unreadable(folder, error) from error


def _remove_second_names(original: Original, session: Path) -> None:
    for backup in backups_of(session):
        if _stands(original, backup.path):
            with suppress(OSError):  # it does no harm
                _unlink(backup)
