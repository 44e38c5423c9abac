"""Where a session's bytes come from: a plain, gzip or zstd file, or a pipe; and the only door to zstandard."""

from __future__ import annotations

import os
import zlib
from abc import ABC, abstractmethod
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, Self

from sessionkit.core.files import open_regular, unreadable
from sessionkit.dataclass import dataclass
from sessionkit.errors import Place, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_READ = 1 << 18
_GZIP = 31
"""zlib's window bits for a gzip member, its checksum and length included."""
_ZSTD_WINDOW = 1 << 27
"""The largest window that is decoded, 128 MiB: the limit of the zstd command without --long."""
_MAGIC = 4
"""Bytes that tell an archive; no session begins like one."""


class Packing(StrEnum):
    """How the bytes of a file are packed."""

    PLAIN = "plain"
    GZIP = "gzip"
    ZSTD = "zstd"


def packing_of(path: Path) -> Packing:
    """Tell the packing by the end of the name."""
    match path.suffix:
        case ".gz":
            return Packing.GZIP
        case ".zst":
            return Packing.ZSTD
        case _:
            return Packing.PLAIN


def packing_by(head: bytes) -> Packing:
    """Tell the packing by the first bytes, of which four are enough: gzip's, or those of a frame of zstd, which may be one to skip."""
    if head.startswith(b"\x1f\x8b"):
        return Packing.GZIP
    if head.startswith(b"\x28\xb5\x2f\xfd") or (head[1:4] == b"\x2a\x4d\x18" and head[0] >> 4 == 5):  # noqa: PLR2004  0x50 to 0x5F
        return Packing.ZSTD
    return Packing.PLAIN


class ByteStream(ABC):
    """Bytes from first to last. `status` is the file's from before the first read. A context manager, which closes the file."""

    def __init__(self, descriptor: int, path: Path, status: os.stat_result | None = None) -> None:
        self.descriptor = descriptor
        self.path = path
        self.status = status or os.fstat(descriptor)

    @abstractmethod
    def readinto(self, view: memoryview, /) -> int:
        """Fill the view from its start; the number of bytes, 0 at the end. UnreadableError if there are more that cannot be read."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)


class PlainStream(ByteStream):
    """Bytes as they are, in one system call each, with no buffer between."""

    def __init__(self, descriptor: int, path: Path, status: os.stat_result | None = None) -> None:
        super().__init__(descriptor, path, status)
        self._head = b""

    def peek(self, size: int) -> bytes:
        """Look at the first bytes before anything is read: fewer than `size` if there are no more of them."""
        view = memoryview(bytearray(size))
        filled = 0
        while count := self._read(view[filled:]):
            filled += count
        self._head = bytes(view[:filled])
        return self._head

    def readinto(self, view: memoryview, /) -> int:
        """Read once: a pipe may give fewer bytes than fit, before its end too."""
        if not self._head:
            return self._read(view)
        piece = self._head[: len(view)]
        self._head = self._head[len(piece) :]
        view[: len(piece)] = piece
        return len(piece)

    def _read(self, view: memoryview) -> int:
        try:
            return os.readv(self.descriptor, [view])
        except OSError as error:
            raise unreadable(self.path, error) from error

    def seek(self, offset: int) -> None:
        """Go on at an offset from the start; not for pipes."""
        os.lseek(self.descriptor, offset, os.SEEK_SET)


class _Decoder(Protocol):
    """What the decompression objects of zlib and zstandard have in common: each unpacks one member (zstd: frame) of an archive."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class _Codec:
    """One kind of archive. It is fed in small steps, because the decoders set no bound to what a step unpacks to."""

    name: str
    step: int
    padding: bytes
    error: type[Exception]
    new_decoder: Callable[[], _Decoder]


class PackedStream(ByteStream):
    """The content of an archive, all members one after the other, in bounded memory even for a bomb."""

    def __init__(self, source: PlainStream, codec: _Codec) -> None:
        super().__init__(source.descriptor, source.path, source.status)
        self._source = source
        self._codec = codec
        self._offset = 0
        self._pieces = self._unpack()
        self._piece = memoryview(b"")

    def readinto(self, view: memoryview, /) -> int:
        """Fill the whole view, unless the end comes first."""
        filled = 0
        while filled < len(view) and self._has_piece():
            taken = self._piece[: len(view) - filled]
            view[filled : filled + len(taken)] = taken
            self._piece = self._piece[len(taken) :]
            filled += len(taken)
        return filled

    def _has_piece(self) -> bool:
        while not self._piece:
            piece = next(self._pieces, None)
            if piece is None:
                return False
            self._piece = memoryview(piece)
        return True

    def _unpack(self) -> Iterator[bytes]:
        decoder = self._codec.new_decoder()
        for step in self._steps():
            data = step
            while data:
                if decoder.eof:
                    decoder = self._codec.new_decoder()
                piece = self._decode(decoder, data)
                self._offset += len(piece)
                yield piece
                data = decoder.unused_data.lstrip(self._codec.padding)
        if not decoder.eof:
            raise self._broken("it ends too early")

    def _steps(self) -> Iterator[bytes]:
        buffer = memoryview(bytearray(_READ))
        while size := self._source.readinto(buffer):
            for start in range(0, size, self._codec.step):
                yield bytes(buffer[start : min(start + self._codec.step, size)])

    def _decode(self, decoder: _Decoder, data: bytes) -> bytes:
        try:
            return decoder.decompress(data)
        except self._codec.error as error:
            raise self._refusal(str(error).rpartition(": ")[2]) from error

    def _refusal(self, words: str) -> UnreadableError:
        """Tell the one archive that is sound, but asks for too much, from broken ones."""
        if "too much memory" not in words:
            return self._broken(words)
        place = Place(str(self.path))
        return UnreadableError(
            "cannot be read", place=place, why="its zstd window is larger than 128 MiB", hint="unpack it with `zstd -d --long=31`"
        )

    def _broken(self, why: str) -> UnreadableError:
        name = self._codec.name
        what = f"the {name} archive is broken after {self._offset} bytes of content"
        hint = f"unpack it with `{name} -d`, which says more, or take a backup"
        return UnreadableError(what, place=Place(str(self.path)), why=why, hint=hint)


def open_source(path: Path) -> ByteStream:
    """Open a file, which may be a symbolic link to one; UnreadableError for a folder, pipe or device, and for a torn archive when read."""
    try:
        descriptor, status = open_regular(str(path))
    except OSError as error:
        raise unreadable(path, error) from error
    return _unpacked(PlainStream(descriptor, path, status), packing_of(path))


def stream_of(descriptor: int, path: Path, packing: Packing = Packing.PLAIN) -> ByteStream:
    """Read an open file or pipe, which stays open; `path` is what messages call it."""
    return _unpacked(PlainStream(descriptor, path), packing)


def nameless_stream(descriptor: int, path: Path) -> ByteStream:
    """Read what has no name that tells its packing, such as standard input: its first bytes tell it. It stays open."""
    source = PlainStream(descriptor, path)
    return _unpacked(source, packing_by(source.peek(_MAGIC)))


def _unpacked(source: PlainStream, packing: Packing) -> ByteStream:
    match packing:
        case Packing.PLAIN:
            return source
        case Packing.GZIP:
            return PackedStream(source, _gzip())
        case Packing.ZSTD:
            return PackedStream(source, _zstd())


def _gzip() -> _Codec:
    """Unpack at most 8 MiB a step: deflate reaches 1032 to 1. Members may be followed by NULs, as tapes do it."""
    return _Codec("gzip", 1 << 13, b"\0", zlib.error, lambda: zlib.decompressobj(_GZIP))


def _zstd() -> _Codec:
    """Unpack at most 16 MiB a step: four bytes make a block of 128 KiB."""
    import zstandard  # most sessions are not packed, and the import costs start-up

    decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    return _Codec("zstd", 1 << 9, b"", zstandard.ZstdError, decompressor.decompressobj)
