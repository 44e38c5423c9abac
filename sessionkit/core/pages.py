"""Pages of a TIFF, counted by its chain of directories: decoders read all that is in them, and take minutes where there are many."""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from typing import BinaryIO

_MOST: Final = 1 << 20
_ENTRY: Final = 12
"""Bytes of an entry of a directory."""


def count_pages(file: BinaryIO) -> int:
    """Count the directories that follow each other, a million at most; where the chain is broken or goes back it ends."""
    file.seek(0)
    order = "<" if file.read(4).startswith(b"II") else ">"
    seen: set[int] = set()
    try:
        while (position := _next(file, order)) and position not in seen and len(seen) < _MOST:
            seen.add(position)
            file.seek(position)
            (entries,) = struct.unpack(f"{order}H", file.read(2))
            file.seek(_ENTRY * entries, os.SEEK_CUR)
    except struct.error:  # the file ends here
        pass
    return max(1, len(seen))


def _next(file: BinaryIO, order: str) -> int:
    (position,) = struct.unpack(f"{order}I", file.read(4))
    return int(position)
