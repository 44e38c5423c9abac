"""Temporary files of a plan: versions of the session, and the bytes that leave it. Nothing of them lasts."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from sessionkit.core.files import OutputFile, unreadable, unwritable
from sessionkit.core.files.temporary import create_temporary
from sessionkit.faults.base import Kept
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from typing_extensions import Buffer

    from sessionkit.core.assets import AssetName

_VERSIONS = 2
"""The one that is read and the one that is written."""


class Scratch:
    """A context manager. Files stand in the folder for temporary files, or beside the session where that one has no room.

    In a rehearsal only the names and sizes of what leaves the session are remembered.
    """

    def __init__(self, session: Path, effect: Effect) -> None:
        self._session = session
        self._effect = effect
        self._paths: set[Path] = set()
        self._kept: dict[AssetName, tuple[int, int]] = {}
        self._keeper: Path | None = None

    def write(self, pieces: Iterable[Buffer]) -> Path:
        """Write a file of the pieces; UnwritableError."""
        path = self._new()
        with _appending(path) as output:
            for piece in pieces:  # each may be as long as a line
                output.write(piece)
        return path

    def remove(self, path: Path) -> None:
        """Remove a file that was written here; any other is left alone."""
        if path in self._paths:
            self._paths.remove(path)
            with suppress(FileNotFoundError):
                path.unlink()

    def keep(self, kept: Kept) -> None:
        """Put bytes aside, so that they need not be held in memory; UnwritableError."""
        if kept.asset in self._kept:
            return
        start = 0 if self._effect is Effect.REHEARSE else self._put_aside(kept.data)
        self._kept[kept.asset] = (start, len(kept.data))

    @property
    def sizes(self) -> dict[AssetName, int]:
        """All that was put aside, in bytes."""
        return {asset: size for asset, (_, size) in self._kept.items()}

    def kept(self) -> Iterator[Kept]:
        """Give back what was put aside; UnreadableError."""
        for asset, (start, size) in self._kept.items():
            assert self._keeper is not None
            yield Kept(asset, _read(self._keeper, start, size))

    def _put_aside(self, data: bytes) -> int:
        self._keeper = self._keeper or self._new()
        with _appending(self._keeper) as output:
            start = os.fstat(output.descriptor).st_size
            output.write(data)
        return start

    def _new(self) -> Path:
        folder = _roomy(self._session)
        try:
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                name, file = create_temporary(descriptor)
            finally:
                os.close(descriptor)
            os.close(file)
        except OSError as error:
            raise unwritable(folder, error) from error
        self._paths.add(folder / name)
        return folder / name

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for path in tuple(self._paths):
            self.remove(path)


@contextmanager
def _appending(path: Path) -> Iterator[OutputFile]:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW)
    except OSError as error:
        raise unwritable(path, error) from error
    try:
        yield OutputFile(descriptor, path)
    finally:
        os.close(descriptor)


def _read(path: Path, start: int, size: int) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(start)
            return file.read(size)
    except OSError as error:
        raise unreadable(path, error) from error


def _roomy(session: Path) -> Path:
    """Choose the folder for temporary files, unless it would be full then: in many systems it lies in memory."""
    usual = Path(tempfile.gettempdir())
    with suppress(OSError):
        if shutil.disk_usage(usual).free < _VERSIONS * session.stat().st_size:
            return session.resolve().parent
    return usual
