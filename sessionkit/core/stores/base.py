"""What an asset store is: content under the name of its hash."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, Self

from sessionkit.dataclass import dataclass
from sessionkit.errors import AssetCorruptError, AssetMissingError, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from typing_extensions import Buffer

    from sessionkit.core.assets import AssetName
    from sessionkit.core.stores.trash import Run, Trash

TRASH: Final = ".trash"
"""The folder in a store that holds what was taken away."""

HEAD_SIZE = 1 << 16
"""Bytes of an asset that `check` hands out: enough for its type and, in most files, its pixel size."""


class Stored(Enum):
    """What `put` found under the name."""

    NEW = auto()
    REUSED = auto()
    """The same content."""
    REPAIRED = auto()
    """Other content, or no regular file; it is replaced."""
    KNOWN = auto()
    """Put before by the same object."""


class LockKind(Enum):
    """Who may hold a lock of a store at the same time."""

    SHARED = auto()
    """Others that put assets too."""
    EXCLUSIVE = auto()
    """Nobody: assets are taken away."""


@dataclass(frozen=True, slots=True)
class AssetStat:
    """What is known without reading: bytes, and nanoseconds since 1970."""

    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class AssetCheck:
    """An asset that was read; `head` is the first 64 KiB at most, valid until its store reads another one."""

    size: int
    head: bytes | memoryview


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One asset that a store holds; its content is not checked."""

    name: AssetName
    stat: AssetStat


@dataclass(frozen=True, slots=True)
class Inventory:
    """What a store holds, as one listing of it told, in no order.

    `files` are its assets. `strangers` are names, below the address, of what does not belong there; the store's own files (names with
    a dot first) are not among them.
    """

    files: tuple[StoredFile, ...]
    strangers: tuple[str, ...]


class AssetReader(ABC):
    """An open asset; a context manager, which closes it."""

    def __init__(self, name: AssetName, size: int) -> None:
        self.name = name
        self.size = size

    @abstractmethod
    def chunks(self) -> Iterator[Buffer]:
        """Hand out the content, once; AssetCorruptError before the first byte if its hash is not the name's.

        Every chunk but the last has a multiple of three bytes, so that each can be encoded to base64 by itself.
        A chunk is valid until the next one is asked for.
        """

    @abstractmethod
    def head(self) -> bytes:
        """Read the first 64 KiB at most, unchecked; instead of `chunks`. UnreadableError."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AssetStore(ABC):
    """A set of assets. A context manager, which closes it: flush before the end, or what was put is given up.

    One that a server holds raises UnreachableError besides, from all methods.
    """

    @property
    @abstractmethod
    def address(self) -> str:
        """What people call it."""

    @abstractmethod
    def lock(self, kind: LockKind, timeout: float) -> AbstractContextManager[None]:
        """Hold a lock of the store in the block; LockedError, which names the holders, after so many seconds of waiting.

        The first `put` takes the shared lock by itself, and `close` lets go of it: so whoever only looks is never in the way, and
        what refers to an asset must be published before the store is closed. A shared lock creates the store if it is not there;
        an exclusive one of a store that is not there holds nothing.
        """

    @abstractmethod
    def put(self, name: AssetName, data: Buffer) -> Stored:
        """Take content in, durably at the next `flush`. `name` must be the name of that data; UnwritableError, LockedError.

        What stands under the name already is compared, never trusted.
        When a put or flush fails, all that was put since the last flush is given up.
        """

    @abstractmethod
    def holds(self, name: AssetName, data: Buffer) -> bool:
        """Compare data with what this object has put under the name; False also if that cannot be told."""

    @abstractmethod
    def flush(self) -> None:
        """Make all that was put durable. A session that refers to it may be published only after this returned."""

    @abstractmethod
    def close(self) -> None:
        """Give up what was not flushed, and let go of everything; the store can be used again."""

    @abstractmethod
    def open(self, name: AssetName) -> AssetReader:
        """Open an asset to read; AssetMissingError, AssetCorruptError, UnreadableError."""

    @abstractmethod
    def check(self, name: AssetName) -> AssetCheck:
        """Read an asset in bounded memory and find its hash right; AssetMissingError, AssetCorruptError, UnreadableError."""

    def is_whole(self, name: AssetName) -> bool:
        """Whether an asset is there and can be read, and its content is right."""
        try:
            self.check(name)
        except (AssetMissingError, AssetCorruptError, UnreadableError):
            return False
        return True

    def glance(self, name: AssetName) -> AssetCheck:
        """Read the head of an asset, whose hash is not compared; AssetMissingError, AssetCorruptError, UnreadableError."""
        with self.open(name) as reader:
            return AssetCheck(reader.size, reader.head())

    @abstractmethod
    def stat(self, name: AssetName) -> AssetStat:
        """Look for an asset without reading it; AssetMissingError, AssetCorruptError (not a regular file), UnreadableError."""

    @abstractmethod
    def inventory(self) -> Inventory:
        """List the store; nothing is there if it was never written to. UnreadableError."""

    def files(self) -> tuple[StoredFile, ...]:
        """Every asset, in no order."""
        return self.inventory().files

    @abstractmethod
    def remove(self, name: AssetName) -> None:
        """Delete an asset for good; AssetMissingError, UnwritableError."""

    @abstractmethod
    def discard(self, files: Sequence[StoredFile], run: Run) -> Trash:
        """Move assets to a trash of the run's time, or of the next second that has none. UnwritableError, after which nothing has moved.

        A manifest lists them, and names the run, before the first one moves. One that is not there as it was seen, in size and time,
        stays: it was put again. What is returned holds what was moved. The exclusive lock must be held, as for the next two.
        """

    @abstractmethod
    def put_back(self, trash: Trash) -> list[StoredFile]:
        """Move the assets of a trash back, with the time of now, but for those that are there again and whole. UnwritableError.

        Nothing of the trash is left but what is no asset.
        """

    @abstractmethod
    def purge(self, trash: Trash) -> None:
        """Delete a trash for good; UnwritableError."""

    @abstractmethod
    def trashes(self) -> list[Trash]:
        """List what was moved to the trash and neither put back nor deleted, the newest first; UnreadableError."""

    @abstractmethod
    def clean_up(self) -> int:
        """Remove what killed runs left half-written, and tell how many files that were; UnwritableError. No lock must be held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
