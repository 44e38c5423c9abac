"""Read an asset file whose hash is checked before its first byte is used."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sessionkit.core.files import unreadable
from sessionkit.core.stores.base import HEAD_SIZE, AssetCheck, AssetReader
from sessionkit.errors import AssetCorruptError, AssetMissingError, Place

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sessionkit.core.assets import AssetName

SMALL = 4 << 20
"""Bytes up to which an asset is read once and kept; a larger one is read twice: for its hash, then for its content."""

CHUNK = 3 << 18
"""Bytes of a chunk: a multiple of three."""


class LocalReader(AssetReader):
    """An asset in a regular file of a folder, as `open_regular` opened it."""

    def __init__(self, name: AssetName, folder: Path, opened: tuple[int, os.stat_result]) -> None:
        self._folder = folder
        self._descriptor, self._status = opened
        super().__init__(name, self._status.st_size)

    @property
    def _path(self) -> Path:
        return self._folder / self.name.file_name

    def chunks(self) -> Iterator[bytes | memoryview]:
        """Hand out verified content; a large file that changes between its two readings ends in AssetCorruptError."""
        if self.size <= SMALL:
            yield self._read_whole()
        else:
            yield from self._read_twice()

    def check(self, buffer: memoryview) -> AssetCheck:
        """Compare the hash, reading through a buffer larger than HEAD_SIZE, where the head stays: the rest is read behind it."""
        from hashlib import sha256  # noqa: PLC0415  it costs start-up, and many commands read no asset

        filled = self._fill(buffer[: self.size])
        digest = sha256(buffer[:filled])
        rest, left = buffer[HEAD_SIZE:], self.size - filled
        while left and (size := self._fill(rest[:left])):
            digest.update(rest[:size])
            left -= size
        self._require(digest.hexdigest())
        return AssetCheck(self.size, buffer[: min(filled, HEAD_SIZE)])

    def head(self) -> bytes:
        """Read the beginning of the file."""
        try:
            return os.pread(self._descriptor, HEAD_SIZE, 0)
        except OSError as error:
            raise unreadable(self._path, error) from error

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)

    def _read_whole(self) -> bytes:
        from hashlib import sha256  # noqa: PLC0415  the same

        pieces = []
        try:
            while piece := os.read(self._descriptor, self.size or 1):
                pieces.append(piece)
        except OSError as error:
            raise unreadable(self._path, error) from error
        data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        self._require(sha256(data).hexdigest())
        return data

    def _read_twice(self) -> Iterator[memoryview]:
        buffer = memoryview(bytearray(CHUNK))
        self.check(buffer)
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        yield from self._read(buffer, self.size)
        self._require_unchanged()

    def _read(self, buffer: memoryview, left: int) -> Iterator[memoryview]:
        """Fill the buffer again and again with so many bytes; only the last chunk is shorter."""
        while left and (filled := self._fill(buffer[:left])):
            yield buffer[:filled]
            left -= filled

    def _fill(self, buffer: memoryview) -> int:
        filled = 0
        try:
            while filled < len(buffer) and (size := os.readv(self._descriptor, [buffer[filled:]])):
                filled += size
        except OSError as error:
            raise unreadable(self._path, error) from error
        return filled

    def _require(self, digest: str) -> None:
        if digest != self.name.digest:
            raise corrupt(self._path, f"{self.name.file_name} does not hold what its name says", f"the SHA-256 of its bytes is {digest}")

    def _require_unchanged(self) -> None:
        before, now = self._status, os.fstat(self._descriptor)
        if (before.st_size, before.st_mtime_ns) != (now.st_size, now.st_mtime_ns):
            raise corrupt(self._path, f"{self.name.file_name} changed while it was read", "it was written to")


def corrupt(path: Path | str, what: str, why: str) -> AssetCorruptError:
    """Say that a file is there but not the asset."""
    hint = "put the right file back from a backup, or migrate a copy of the session that still has the image inline: that repairs it"
    return AssetCorruptError(what, place=Place(str(path)), why=why, hint=hint)


def missing(place: Path | str) -> AssetMissingError:
    """Say that an asset is not there."""
    hint = "copy it there from a backup or from where the session came from"
    return AssetMissingError("the asset is missing", place=Place(str(place)), why="no file of this name", hint=hint)
