"""What a journal tells of the runs before: an open file, which no other run uses meanwhile."""

from __future__ import annotations

import fcntl
import json
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from sessionkit.core.files import Durability, NotRegularError, open_regular, sync_folder, unwritable, write_atomic
from sessionkit.core.files.atomic import write_all
from sessionkit.dataclass import dataclass
from sessionkit.errors import LeftBehindError, LockedError, Place, UnwritableError, UsageError
from sessionkit.ops.resume.entry import Entry, key_of
from sessionkit.ops.resume.terms import differences

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from sessionkit.ops.resume.entry import Key
    from sessionkit.ops.resume.journal import Journal
    from sessionkit.ops.resume.terms import Terms
    from sessionkit.ops.targets import Transfer

_SCHEMA: Final = "sessionkit.resume/1"
_OPENING: Final = json.dumps({"schema": _SCHEMA})[:-1].encode()
"""How every header begins."""

_LONGEST_HEADER: Final = 1 << 16
_PAUSE: Final = 0.05
_PAUSES = 40
"""Workers of a run that was killed need a moment to notice."""

_NO_JOURNAL: Final = "this is no journal of --resume"


@dataclass(slots=True)
class History:
    """The sessions that were done, each by where its last line begins: lines are read when they are asked for. `end` is behind the last."""

    journal: Journal
    file: BinaryIO
    places: dict[Key, int]
    end: int

    def catch_up(self) -> None:
        """Find the entries that were added since; the last one of a session counts, and a line without its end does not yet."""
        self.file.seek(self.end)
        for line in self.file:
            if not line.endswith(b"\n"):
                return
            entry = Entry.parse(line)
            if entry is not None:
                self.places[entry.key] = self.end
            self.end += len(line)

    def find(self, transfer: Transfer) -> Entry | None:
        """Read what is said of a session, whether it is still so or not."""
        place = self.places.get(key_of(transfer))
        if place is None:
            return None
        self.file.seek(place)
        return Entry.parse(self.file.readline())

    def remove(self) -> None:
        """Remove the journal: all is done. LeftBehindError."""
        path = self.journal.path
        try:
            path.unlink(missing_ok=True)
            if self.journal.durability is Durability.SYNC:
                sync_folder(path.parent)
        except (OSError, UnwritableError) as error:
            why = error.why if isinstance(error, UnwritableError) else unwritable(path, error).why
            hint = "remove it; until then the same command finds that all is done"
            raise LeftBehindError("the journal cannot be removed", place=Place(str(path)), why=why, hint=hint) from error


@contextmanager
def history(journal: Journal, terms: Terms) -> Iterator[History]:
    """Open a journal, or begin one, also in an empty file and in one whose header was cut short.

    Raises UsageError for a file that is none or has other terms, LockedError while a run uses it, UnwritableError.
    """
    header = json.dumps({"schema": _SCHEMA, **terms}).encode() + b"\n"
    if not os.path.lexists(journal.path):
        with write_atomic(journal.path, None, journal.durability) as output:
            output.write(header)
    with os.fdopen(_open(journal.path), "rb") as file:
        _lock(journal.path, file.fileno())
        end = _settle(journal, file.fileno(), header, terms)
        past = History(journal, file, {}, end)
        past.catch_up()
        yield past


def _open(path: Path) -> int:
    try:
        return open_regular(str(path), flags=os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW)[0]
    except NotRegularError as error:
        hint = "name a regular file, or one that is not there yet"
        raise UsageError(_NO_JOURNAL, place=Place(str(path)), why=error.why, hint=hint) from error
    except OSError as error:
        raise unwritable(path, error) from error


def _lock(path: Path, file: int) -> None:
    """Keep other runs out, where the file system has locks."""
    for _ in range(_PAUSES):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE)
        except OSError:
            return
        else:
            return
    raise LockedError("another run keeps this journal", place=Place(str(path)), hint="let it end, or name another file with --resume")


def _settle(journal: Journal, file: int, header: bytes, terms: Terms) -> int:
    """Make sure that the file has a header with these terms, and that a line can be added. Returns where the first line begins."""
    found, newline, _ = os.pread(file, _LONGEST_HEADER, 0).partition(b"\n")
    is_begun = bool(newline) or not (_OPENING.startswith(found) or found.startswith(_OPENING))
    if is_begun:
        _require_terms(journal.path, found, terms)
    try:
        if not is_begun:
            os.ftruncate(file, 0)
            write_all(file, header)
        elif os.pread(file, 1, os.fstat(file).st_size - 1) != b"\n":  # a line was cut short: the next one stands alone
            write_all(file, b"\n")
        if journal.durability is Durability.SYNC:
            os.fsync(file)
    except OSError as error:
        raise unwritable(journal.path, error) from error
    return len(found) + 1 if is_begun else len(header)


def _require_terms(path: Path, header: bytes, terms: Terms) -> None:
    place = Place(str(path))
    try:
        found = json.loads(header)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.pop("schema", None) != _SCHEMA:
        raise UsageError(_NO_JOURNAL, place=place, hint="name a file that is not there yet")
    told = differences(found, terms)
    if told:
        hint = "run with what it was begun with, or name another file with --resume"
        raise UsageError("this journal was begun in another way", place=place, why="; ".join(told), hint=hint)
