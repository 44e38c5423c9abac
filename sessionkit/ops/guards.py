"""When a session may be changed in place: its agent is not at work, and can read what will stand there."""

from __future__ import annotations

import time
from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.errors import InUseError, Place, RefusedError
from sessionkit.ops.sources import is_packed

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from sessionkit.formats import Format

_QUIET_SECONDS = 5.0


class Liveness(Enum):
    """Whether a session that seems to be in use may be changed."""

    REFUSE = auto()
    ACCEPT = auto()


class Force(Enum):
    """Whether a spilled plain file may stand where the inline one stood."""

    NO = auto()
    PLAIN_FILES = auto()


def require_unpacked(path: Path) -> None:
    """Raise RefusedError for an archive, which cannot be changed in place."""
    if is_packed(path.name):
        raise RefusedError(
            "an archive is not changed in place", place=Place(str(path)), hint="use --out DIR or -o FILE, or unpack it first"
        )


def require_idle(path: Path, status: os.stat_result) -> None:
    """Raise InUseError when the session was written a moment ago, or another process is found that has it open."""
    hint = "close its agent and run again, or say --live if you know that nobody writes to it"
    age = time.time() - status.st_mtime
    if age < _QUIET_SECONDS:
        why = f"it was written {max(age, 0):.1f} seconds ago"
        raise InUseError("the session seems to be in use", place=Place(str(path)), why=why, hint=hint)
    use = _book_of(path).in_use(path)
    if use is not None:
        raise InUseError("the session is in use", place=Place(str(path)), why=str(use), hint=hint)


def require_reader(path: Path, force: Force) -> None:
    """Raise RefusedError unless the session's agent can read references, or the file is a plain one and that is wanted."""
    book = _book_of(path)
    if book.reads_references or (force is Force.PLAIN_FILES and book.id == "plain"):
        return
    raise RefusedError(
        "not migrated in place",
        place=Place(str(path)),
        why=_why(book),
        hint="use --out DIR: the spilled copy is for keeping, and `sessionkit restore` gives the session back",
    )


def _book_of(path: Path) -> Format:
    from sessionkit.formats import detect, read_head  # noqa: PLC0415  only a change in place asks, and the shelf costs start-up

    return detect(read_head(path))


def _why(book: Format) -> str:
    if book.id == "plain":
        return "readers of plain message files reject or drop a block without its data (--force does it all the same)"
    return f"{book.agent} cannot read references to image files, and would lose or refuse those messages"
