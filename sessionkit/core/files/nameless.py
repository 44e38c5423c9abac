"""A temporary file without a name: nothing of it is left, however the process that made it ends."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.files.temporary import create_temporary, remove_leftovers, remove_temporary
from sessionkit.errors import UnwritableError

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPEN_FILES = Path("/proc/self/fd")


@contextmanager
def nameless_file() -> Iterator[tuple[int, Path]]:
    """Make a file in the folder for temporary ones: its descriptor to write to, and a path under which this process can open it meanwhile.

    Where the system has no path to an open file it gets a name that tells whose it is, and what killed runs left there is removed.
    OSError as it comes.
    """
    from tempfile import TemporaryFile, gettempdir  # noqa: PLC0415  seldom wanted, and it costs start-up

    if not _OPEN_FILES.exists():
        with _named_file(Path(gettempdir())) as made:
            yield made
        return
    with TemporaryFile(buffering=0) as file:
        yield file.fileno(), _OPEN_FILES / str(file.fileno())


@contextmanager
def _named_file(folder: Path) -> Iterator[tuple[int, Path]]:
    with suppress(UnwritableError):  # it may be everybody's, and not for us to list
        remove_leftovers(folder)
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        name, file = create_temporary(place)
        try:
            yield file, folder / name
        finally:
            os.close(file)
            remove_temporary(name, place)
    finally:
        os.close(place)
