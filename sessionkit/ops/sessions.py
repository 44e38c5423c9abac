"""Open a session to read, and know whether it moved while it was read."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from sessionkit.core.files import unwritable
from sessionkit.core.jsonl import BlockReader
from sessionkit.core.streams import open_source, stream_of
from sessionkit.errors import ChangedError, Place
from sessionkit.ops.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.streams import ByteStream

_STDIN = 0

reader = BlockReader()
"""The one of this process: its buffer is worth keeping from session to session."""


@contextmanager
def open_session(source: Source) -> Iterator[ByteStream]:
    """Open a file or standard input; UnreadableError."""
    if source.is_stdin:
        yield stream_of(_STDIN, Path("standard input"))
        return
    with open_source(source.path) as stream:
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
        yield Source(Path(file.name), source.relative)


def require_unmoved(stream: ByteStream) -> None:
    """Raise ChangedError when a file was written to since it was opened: what was read may end in the middle of a line."""
    now = os.fstat(stream.descriptor)
    if (now.st_size, now.st_mtime_ns) != (stream.status.st_size, stream.status.st_mtime_ns):
        raise ChangedError(
            "the session changed while it was read",
            place=Place(str(stream.path)),
            why="something wrote to it",
            hint="close its agent and run again, or say --live to take what was there",
        )
