"""One repair of a session at a time: two at once would take each other's backups for their own."""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from sessionkit.errors import ChangedError, InUseError, Place, RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.streams import ByteStream

_HELD: Final = frozenset({errno.EAGAIN, errno.EACCES})


@contextmanager
def alone_with(stream: ByteStream) -> Iterator[None]:
    """Hold the open session against other repairs until the block ends. They open it anew when it was replaced, and hold that.

    Raises InUseError while another one holds it, ChangedError if its name leads to another file by now, and RefusedError where the
    file system knows no locks.
    """
    place = Place(str(stream.path))
    try:
        fcntl.flock(stream.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _HELD:
            why = "another process holds its lock: another repair, or its agent"
            raise InUseError("the session is in use", place=place, why=why, hint="wait until it is done, and run again") from error
        why = f"its file system knows no locks: {error.strerror}"
        raise RefusedError("not changed in place", place=place, why=why, hint="-o FILE writes a repaired copy") from error
    try:
        if not os.path.samestat(os.stat(stream.path), stream.status):  # noqa: PTH116  the name as it was given
            raise ChangedError("the session was replaced", place=place, why="another process did so just now", hint="run again")
        yield
    finally:
        fcntl.flock(stream.descriptor, fcntl.LOCK_UN)
