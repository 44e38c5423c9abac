"""Replace a file that its agent may be writing to, and lose none of the lines it appends meanwhile."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sessionkit.core.files.atomic import Draft, OutputFile, write_atomic
from sessionkit.core.files.failures import unreadable
from sessionkit.core.files.writers import has_writer
from sessionkit.dataclass import dataclass
from sessionkit.errors import ChangedError, Place

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sessionkit.core.files.durability import Durability

_CHUNK = 1 << 20
_PATIENCE = 5.0
"""Seconds that a writer of the old file may take to close it; an append takes microseconds."""
_PAUSE = 0.005


@dataclass(frozen=True, slots=True)
class Original:
    """The file to be replaced: open to read, with its status from before the first byte was read."""

    path: Path
    descriptor: int
    status: os.stat_result

    def copy_to(self, output: OutputFile, start: int) -> None:
        """Copy the open file from an offset to its end, wherever that is by then."""
        while chunk := self._read(start):
            output.write(chunk)
            start += len(chunk)

    def _read(self, start: int) -> bytes:
        try:
            return os.pread(self.descriptor, _CHUNK, start)
        except OSError as error:
            raise unreadable(self.path, error) from error


@contextmanager
def replace_in_place(original: Original, durability: Durability) -> Iterator[OutputFile]:
    """Replace a file by what the block writes, if it is still as it was when it was read; else ChangedError.

    Mode, owner and modification time are kept, and a symbolic link stays one: the file it points to is replaced.
    A file that somebody has open for writing is not replaced. A writer may still hit the moment between the last look
    and the rename. So the old file is looked at once more after it, when its writer is done: what was appended is
    appended to the new file too; after any other change the old file's content is put back, and ChangedError is raised.
    """
    target = original.path.resolve()
    with Draft(target) as draft:
        yield draft.output
        draft.finish(original.status, durability)
        _require_unchanged(target, original)
        try:
            draft.publish(durability)
        finally:  # also on Ctrl-C, and when the folder cannot be synced
            if draft.stands():
                _follow(original, draft, durability)


def _require_unchanged(target: Path, original: Original) -> None:
    try:
        now = target.lstat()
    except OSError as error:
        raise _changed(original, "it was moved or removed") from error
    if (now.st_dev, now.st_ino) != (original.status.st_dev, original.status.st_ino):
        raise _changed(original, "another file has taken its place")
    if _content_key(now) != _content_key(original.status):
        raise _changed(original, "it was written to")
    if has_writer(original.descriptor):
        raise _changed(original, "another process has it open for writing")


def _follow(original: Original, draft: Draft, durability: Durability) -> None:
    """Bring over what was written to the old file after the last look."""
    deadline = time.monotonic() + _PATIENCE
    while (is_held := has_writer(original.descriptor)) and time.monotonic() < deadline:
        time.sleep(_PAUSE)
    _bring_over(original, draft, durability)
    if is_held:
        raise _changed(original, "another process opened it at the last moment, and what it writes from now on will be lost")


def _bring_over(original: Original, draft: Draft, durability: Durability) -> None:
    now = os.fstat(original.descriptor)
    if _content_key(now) == _content_key(original.status):
        return
    if now.st_size <= original.status.st_size:
        with write_atomic(draft.target, now, durability) as output:
            original.copy_to(output, 0)
        raise _changed(original, "it was rewritten at the last moment, and that version was kept")
    original.copy_to(draft.output, original.status.st_size)
    draft.finish(os.fstat(original.descriptor), durability)


def _content_key(status: os.stat_result) -> tuple[int, int]:
    return status.st_size, status.st_mtime_ns


def _changed(original: Original, why: str) -> ChangedError:
    place = Place(str(original.path))
    return ChangedError("changed while it was being worked on", place=place, why=why, hint="close its agent, then run again")
