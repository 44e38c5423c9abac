"""Write a file so that its name always means something whole: the old content or the new."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Self

from sessionkit.core.files.durability import Durability
from sessionkit.core.files.failures import unwritable
from sessionkit.core.files.kinds import NotRegularError
from sessionkit.core.files.temporary import create_temporary, remove_temporary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from typing_extensions import Buffer

_BUFFERS_PER_CALL = 512
"""Half of Linux's and macOS's IOV_MAX."""


class OutputFile:
    """An open file without a buffer; what `write` was given is written whole, or UnwritableError."""

    __slots__ = ("descriptor", "path")

    def __init__(self, descriptor: int, path: Path) -> None:
        self.descriptor = descriptor
        self.path = path

    def write(self, data: Buffer) -> None:
        """Write all the bytes."""
        try:
            write_all(self.descriptor, data)
        except OSError as error:
            raise unwritable(self.path, error) from error

    def write_many(self, pieces: Iterable[Buffer]) -> None:
        """Write the bytes of all pieces in order, hundreds of them in one system call and none copied; all must be valid together."""
        rest = iter(pieces)
        try:
            while batch := list(islice(rest, _BUFFERS_PER_CALL)):
                _write_batch(self.descriptor, batch)
        except OSError as error:
            raise unwritable(self.path, error) from error


def write_all(descriptor: int, data: Buffer) -> None:
    """Write all the bytes: the system may take fewer at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _write_batch(descriptor: int, pieces: list[Buffer]) -> None:
    written = os.writev(descriptor, pieces)
    for piece in pieces:
        view = memoryview(piece)
        write_all(descriptor, view[written:])
        written = max(0, written - view.nbytes)


class Draft:
    """The temporary file that will be `target`: it stands in the same folder, and leaving the block removes it unless published."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self._published = False
        try:
            _require_replaceable(target)
            self._folder = os.open(os.path.dirname(target) or ".", os.O_RDONLY | os.O_DIRECTORY)  # noqa: PTH120  tens of thousands
            try:
                self._name, self._descriptor = create_temporary(self._folder)
            except BaseException:
                os.close(self._folder)
                raise
        except OSError as error:
            raise unwritable(target, error) from error
        self.output = OutputFile(self._descriptor, target)

    def finish(self, like: os.stat_result | None, durability: Durability) -> None:
        """Take over mode, owner and modification time (without a model: 0600, the user, now), and sync."""
        try:
            if like is not None:
                _adopt(self._descriptor, like)
            if durability is Durability.SYNC:
                os.fsync(self._descriptor)
        except OSError as error:
            raise unwritable(self.target, error) from error

    def publish(self, durability: Durability) -> None:
        """Rename to the target, in one step."""
        try:
            os.rename(self._name, self.target.name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
            self._published = True
            if durability is Durability.SYNC:
                os.fsync(self._folder)
        except OSError as error:
            raise unwritable(self.target, error) from error

    def stands(self) -> bool:
        """Whether the target is this file."""
        with suppress(FileNotFoundError):
            return os.path.samestat(self.target.lstat(), os.fstat(self._descriptor))
        return False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the file unless it was published, also on Ctrl-C."""
        if not self._published:
            remove_temporary(self._name, self._folder)
        os.close(self._descriptor)
        os.close(self._folder)


@contextmanager
def write_atomic(target: Path, like: os.stat_result | None, durability: Durability) -> Iterator[OutputFile]:
    """Replace or create `target` by what the block writes; on any exception the target stays as it was.

    Killed at any point, the old file is there or the new one, whole. `like` is the file whose mode, owner (where the
    system allows it) and modification time are kept. A target that is a symbolic link, a device or a pipe is refused.
    """
    with Draft(target) as draft:
        yield draft.output
        draft.finish(like, durability)
        draft.publish(durability)


def _require_replaceable(target: Path) -> None:
    """Refuse what a rename must not replace: /dev/null, a pipe, or the link /dev/stdout."""
    try:
        mode = os.lstat(target).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise NotRegularError(mode)


def _adopt(descriptor: int, like: os.stat_result) -> None:
    mine = os.fstat(descriptor)
    if (mine.st_uid, mine.st_gid) != (like.st_uid, like.st_gid):
        with suppress(PermissionError):  # only root may give files away; a copy of another user's session is ours
            os.fchown(descriptor, like.st_uid, like.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(like.st_mode))  # after the owner: chown clears the set-id bits
    os.utime(descriptor, ns=(like.st_atime_ns, like.st_mtime_ns))
