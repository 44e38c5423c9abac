"""Open a session to read, and know whether it moved while it was read."""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from sessionkit.core.files import unwritable
from sessionkit.core.jsonl import BlockReader
from sessionkit.core.streams import open_source, stream_of
from sessionkit.errors import ChangedError, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.streams import ByteStream
    from sessionkit.ops.sources import Source

_STDIN = 0
STANDARD_INPUT = Path("standard input")
"""What it is called in messages."""

reader = BlockReader()
"""The one of this process: its buffer is worth keeping from session to session."""


@contextmanager
def open_session(source: Source) -> Iterator[ByteStream]:
    """Open a file or standard input; UnreadableError."""
    if source.is_stdin and source.copy is None:
        yield stream_of(_STDIN, STANDARD_INPUT)
        return
    with open_source(source.copy or source.path) as stream:
        if source.copy:
            stream.path = STANDARD_INPUT
        yield stream


@contextmanager
def spooled(source: Source) -> Iterator[Source]:
    """Give a source that can be read twice: standard input is kept in a temporary file meanwhile."""
    if not source.is_stdin:
        yield source
        return
    with NamedTemporaryFile(prefix="sessionkit-", suffix=".jsonl") as file:
        try:
            with os.fdopen(os.dup(_STDIN), "rb") as stdin:
                shutil.copyfileobj(stdin, file)
            file.flush()
        except OSError as error:
            raise unwritable(file.name, error) from error
        yield replace(source, copy=Path(file.name))


def require_unmoved(stream: ByteStream) -> None:
    """Raise ChangedError when a file is not what it was at first: what was read may end in the middle of a line. A pipe never is."""
    now = os.fstat(stream.descriptor)
    if stat.S_ISREG(now.st_mode) and _identity(now) != _identity(stream.status):
        raise ChangedError(
            "the session changed while it was read",
            place=Place(str(stream.path)),
            why="something wrote to it",
            hint="close its agent and run again",
        )


def _identity(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
