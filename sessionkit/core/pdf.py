"""What a PDF tells of itself without being read: its frame, and how many pages it has."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_FRAME: Final = 1024
"""Bytes at either end in which readers look for the frame."""
_HEAD, _END = b"%PDF-", b"%%EOF"

_MOST_UNPACKED: Final = 1 << 24
"""Bytes of packed objects that are unpacked at most."""
_page = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_packed = re.compile(rb"/Type\s*/ObjStm\b.*?stream\r?\n", re.DOTALL)


def has_head(data: bytes) -> bool:
    """Whether it begins as a PDF does, perhaps behind some junk."""
    return _HEAD in data[:_FRAME]


def frame_fault(data: bytes) -> str:
    """Say what the frame of a PDF lacks; empty if it is whole."""
    if not has_head(data):
        return f"no {_HEAD.decode()} in its first {_FRAME} bytes"
    return "" if _END in data.rstrip(b"\0\r\n\t ")[-_FRAME:] else f"no {_END.decode()} in its last {_FRAME} bytes"


def count_pages(data: bytes) -> int:
    """Count the pages that can be found, those in packed objects too; one at least."""
    return max(1, len(_page.findall(data)) + sum(len(_page.findall(objects)) for objects in _unpacked(data)))


def _unpacked(data: bytes) -> Iterator[bytes]:
    left, view = _MOST_UNPACKED, memoryview(data)
    for found in _packed.finditer(data):
        stop = data.find(b"endstream", found.end())
        try:
            objects = zlib.decompressobj().decompress(view[found.end() : stop if stop >= 0 else len(data)], left)
        except zlib.error:  # packed in another way, or damaged
            continue
        left -= len(objects)
        yield objects
        if left <= 0:
            return
