"""A plain text that is read piece by piece: no more of it is in memory than what stays, and what must be seen around the cut."""

from __future__ import annotations

from typing import Final

from sessionkit.toolresult.cutting import with_note
from sessionkit.toolresult.limits import Extent, Keep, Limits

_AROUND: Final = 1 << 20
"""Bytes beyond the limit in which base64 that reaches over the cut is recognised."""


class Window:
    """The end of a text that stays. Bytes that are no UTF-8 stay as they are."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._most = limits.bytes + _AROUND
        self._kept = bytearray()
        self._bytes = 0
        self._newlines = 0
        self._last = b""

    def feed(self, piece: bytes) -> None:
        """Take in what comes next."""
        self._bytes += len(piece)
        self._newlines += piece.count(b"\n")
        self._last = piece[-1:] or self._last
        if self._limits.keep is Keep.TAIL:
            self._kept += piece
            if len(self._kept) > 2 * self._most:  # rarely, since it moves the rest
                del self._kept[: -self._most]
        elif len(self._kept) < self._most:
            self._kept += piece[: self._most - len(self._kept)]

    def cut(self) -> bytes:
        """Give all of the text if it is within the limits, or its end and the line that tells of the cut; a newline at its end stays."""
        whole = Extent(self._bytes, self._newlines + (self._last not in {b"", b"\n"}))
        if whole.fits(Extent(self._limits.bytes, self._limits.lines)):
            return bytes(self._kept)
        cut = with_note(self._kept.decode(errors="surrogateescape"), Extent(0, 0), whole, self._limits)
        ends = b"\n" if self._last == b"\n" and not cut.endswith("\n") else b""
        return cut.encode(errors="surrogateescape") + ends
