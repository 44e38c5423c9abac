"""Who may read what is made of sessions: nobody who may not read all of them."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from sessionkit.core.files.temporary import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.ops.sources import Source

_DATA = 0o666
"""No file of data is a program."""


def common_mode(sources: Iterable[Source]) -> int:
    """Give a new file the rights that the umask and all sessions grant; of standard input nobody knows any, and it stays the user's own.

    What cannot be looked at is left out: nothing of it is in the file.
    """
    mode = _DATA & ~_umask()
    for source in sources:
        if source.is_stdin:
            return PRIVATE
        with suppress(OSError):
            mode &= source.path.stat().st_mode
    return mode | PRIVATE


def _umask() -> int:
    """The system only tells the mask when it is set."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
