"""Open a session to read, and know whether it moved while it was read."""

from __future__ import annotations

import os
import stat
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.files import unwritable
from sessionkit.core.jsonl import READ_SIZE, BlockReader
from sessionkit.core.streams import nameless_stream, open_source
from sessionkit.dataclass import replace
from sessionkit.errors import ChangedError, Place, UnwritableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from sessionkit.core.streams import ByteStream
    from sessionkit.ops.sources import Source

_STDIN = 0
STANDARD_INPUT = Path("standard input")
"""What it is called in messages."""

reader = BlockReader()
"""The one of this process: its buffer is worth keeping from session to session."""


def open_session(source: Source) -> AbstractContextManager[ByteStream]:
    """Open a file or standard input; UnreadableError."""
    return _open_input(source.copy) if source.is_stdin else open_source(source.path)


@contextmanager
def _open_input(copy: Path | None) -> Iterator[ByteStream]:
    if copy is None:
        yield nameless_stream(_STDIN, STANDARD_INPUT)
        return
    with open_source(copy) as stream:
        stream.path = STANDARD_INPUT
        yield stream


@contextmanager
def spooled(source: Source) -> Iterator[Source]:
    """Give a source that this process can read twice: what standard input holds, or unpacks to, is kept in a temporary file meanwhile.

    Raises UnreadableError, and UnwritableError if there is no room for it.
    """
    if not source.is_stdin:
        yield source
        return
    with temporary_copy(nameless_stream(_STDIN, STANDARD_INPUT)) as path:
        yield replace(source, copy=path)


@contextmanager
def temporary_copy(stream: ByteStream) -> Iterator[Path]:
    """Keep what a stream gives in a temporary file until the block ends. Raises UnreadableError, and UnwritableError where none fits.

    Only this process can open it by the path, and processes that it forks meanwhile: the file has no name.
    """
    from sessionkit.core.files.nameless import nameless_file  # noqa: PLC0415  seldom wanted

    with ExitStack() as stack:
        try:
            file, path = stack.enter_context(nameless_file())
        except OSError as error:
            place = str(error.filename or os.environ.get("TMPDIR") or "the folders for temporary files")
            raise _without_room("no temporary file can be made", unwritable(place, error)) from error
        _fill(file, stream)
        yield path


def _fill(file: int, stream: ByteStream) -> None:
    from tempfile import gettempdir  # noqa: PLC0415  the same

    from sessionkit.core.files.atomic import write_all  # noqa: PLC0415  the same

    view = memoryview(bytearray(READ_SIZE))
    while size := stream.readinto(view):
        try:
            write_all(file, view[:size])
        except OSError as error:
            raise _without_room("the temporary file cannot be written", unwritable(gettempdir(), error)) from error


def _without_room(what: str, error: UnwritableError) -> UnwritableError:
    """Say that it is no file of the user's that cannot be written, and who decides where it stands."""
    hint = "free some space there, or let the variable TMPDIR name a folder on another disk"
    return UnwritableError(what, place=error.place, why=error.why, hint=hint)


def require_unmoved(stream: ByteStream) -> None:
    """Raise ChangedError when a file is not what it was at first: what was read may end in the middle of a line. A pipe never is."""
    now = os.fstat(stream.descriptor)
    if stat.S_ISREG(now.st_mode) and _identity(now) != _identity(stream.status):
        raise _changed(stream, "something wrote to it")


def require_range(stream: ByteStream, before: os.stat_result, stop: int) -> None:
    """Raise ChangedError unless a file is the one that was cut into ranges, with all bytes up to this place: others do not fit together."""
    now = os.fstat(stream.descriptor)
    if (now.st_dev, now.st_ino) != (before.st_dev, before.st_ino):
        raise _changed(stream, "another file has taken its place")
    if now.st_size < stop:
        raise _changed(stream, "it was cut short")


def _changed(stream: ByteStream, why: str) -> ChangedError:
    hint = "close its agent and run again"
    return ChangedError("the session changed while it was read", place=Place(str(stream.path)), why=why, hint=hint)


def _identity(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
