"""What a journal tells of the runs before: an open file, which no other run uses meanwhile."""

from __future__ import annotations

import fcntl
import json
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.files import Durability, open_regular, sync_folder, unreadable, unwritable, write_atomic
from sessionkit.core.files.atomic import write_all
from sessionkit.dataclass import dataclass
from sessionkit.errors import LockedError, Place, UsageError
from sessionkit.ops.resume.entry import Entry, key_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import BinaryIO

    from sessionkit.ops.resume.entry import Key
    from sessionkit.ops.resume.journal import Journal
    from sessionkit.ops.targets import Transfer

Terms: TypeAlias = "Mapping[str, str]"
"""What has to be the same in all runs of a journal: version, command, options."""

_SCHEMA = "sessionkit.resume/1"
_PAUSE = 0.05
_PAUSES = 40
"""Workers of a run that was killed need a moment to notice."""


@dataclass(slots=True)
class History:
    """The sessions that were done, each by where its last line begins: lines are read when they are asked for."""

    journal: Journal
    file: BinaryIO
    places: dict[Key, int]

    def find(self, transfer: Transfer) -> Entry | None:
        """Read what is said of a session, whether it is still so or not."""
        place = self.places.get(key_of(transfer))
        if place is None:
            return None
        self.file.seek(place)
        return Entry.parse(self.file.readline())

    def end(self) -> None:
        """Remove the journal: all is done. UnwritableError."""
        try:
            self.journal.path.unlink()
        except OSError as error:
            raise unwritable(self.journal.path, error) from error
        if self.journal.durability is Durability.SYNC:
            sync_folder(self.journal.path.parent)


@contextmanager
def history(journal: Journal, terms: Terms) -> Iterator[History]:
    """Open a journal, or begin one. Raises UsageError for a file that is none or has other terms, LockedError while a run uses it."""
    if not os.path.lexists(journal.path):
        with write_atomic(journal.path, None, journal.durability) as output:
            output.write(json.dumps({"schema": _SCHEMA, **terms}).encode() + b"\n")
    try:
        descriptor, _ = open_regular(str(journal.path), flags=os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW)
    except OSError as error:
        raise unreadable(journal.path, error) from error
    with os.fdopen(descriptor, "rb") as file:
        _lock(journal.path, descriptor)
        _require_terms(journal.path, file.readline(), terms)
        yield History(journal, file, _places(file))


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


def _require_terms(path: Path, header: bytes, terms: Terms) -> None:
    place = Place(str(path))
    try:
        found = json.loads(header)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.pop("schema", None) != _SCHEMA:
        raise UsageError("this is no journal of --resume", place=place, hint="name a file that is not there yet")
    names = [name for name in {**found, **terms} if found.get(name) != terms.get(name)]
    if names:
        why = "; ".join(f"{name} was {found.get(name)}, and is {terms.get(name)}" for name in names)
        hint = "run with what it was begun with, or name another file"
        raise UsageError("this journal was begun in another way", place=place, why=why, hint=hint)


def _places(file: BinaryIO) -> dict[Key, int]:
    """Find the entries; the last one of a session counts. A torn line at the end is closed, so that the next one stands alone."""
    places: dict[Key, int] = {}
    place, line = file.tell(), b"\n"
    for line in file:
        entry = Entry.parse(line)
        if entry is not None:
            places[entry.key] = place
        place += len(line)
    if not line.endswith(b"\n"):
        write_all(file.fileno(), b"\n")
    return places
