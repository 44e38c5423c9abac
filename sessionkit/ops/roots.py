"""Files that may name assets, and how they are read: as raw bytes, unpacked, whatever stands in them."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.files import open_regular, unreadable
from sessionkit.core.streams import Packing, nameless_stream, packing_of, stream_of
from sessionkit.dataclass import dataclass
from sessionkit.errors import Place, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.streams import ByteStream

Identity: TypeAlias = tuple[int, int, int, int, int]
"""Device, inode, bytes, and the times at which content and inode changed, in nanoseconds."""

_ENDS = (".bak", ".json", ".gz", ".zst")

_OPAQUE = {
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"LZIP": "lzip",
    b"\x04\x22\x4d\x18": "lz4",
    b"\x1f\x9d": "compress",
    b"PK\x03\x04": "zip",
    b"7z\xbc\xaf\x27\x1c": "7z",
}
"""What no digest can be seen in, by its first bytes."""
_OPAQUE_ENDS = (".br", ".lzma", ".gpg", ".age")
_MAGIC = 6


@dataclass(frozen=True, slots=True)
class Root:
    """A file that may name assets; `identity` changes with its content, and is None if the file cannot be looked at."""

    path: str
    identity: Identity | None

    @property
    def size(self) -> int:
        """Bytes on disk; 0 for what cannot be looked at, which reading will explain."""
        return self.identity[2] if self.identity else 0


def may_name_assets(name: str) -> bool:
    """Whether a file is called like a session, or like what is made of one: an archive, a backup, a journal."""
    return ".jsonl" in name.lower() or name.lower().endswith(_ENDS)


def identity_of(status: os.stat_result) -> Identity:
    """Tell a file and its content from others without reading it."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def root_of(path: str) -> Root:
    """Look at a file."""
    try:
        return Root(path, identity_of(os.stat(path)))  # noqa: PTH116  folders hold tens of thousands
    except OSError:
        return Root(path, None)


@contextmanager
def open_root(root: Root) -> Iterator[ByteStream]:
    """Open a root, packed by its name or by its first bytes; UnreadableError, also for what is packed in other ways."""
    path = Path(root.path)
    try:
        descriptor, _ = open_regular(root.path)
    except OSError as error:
        raise unreadable(path, error) from error
    try:
        packing = packing_of(path)
        if packing is Packing.PLAIN:
            _require_clear(path, descriptor)
        yield nameless_stream(descriptor, path) if packing is Packing.PLAIN else stream_of(descriptor, path, packing)
    finally:
        os.close(descriptor)


def _require_clear(path: Path, descriptor: int) -> None:
    try:
        head = os.pread(descriptor, _MAGIC, 0)
    except OSError as error:
        raise unreadable(path, error) from error
    name = next((name for magic, name in _OPAQUE.items() if head.startswith(magic)), "")
    if path.name.lower().endswith(_OPAQUE_ENDS):
        name = name or path.suffix
    if name:
        hint = "unpack it, or move it elsewhere if it is no session"
        raise UnreadableError("cannot be looked into", place=Place(str(path)), why=f"it is packed ({name})", hint=hint)
