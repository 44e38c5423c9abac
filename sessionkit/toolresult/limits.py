"""How much text a result may have, and which end of it is worth more."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from sessionkit.dataclass import dataclass

LEAST_BYTES: Final = 256
LEAST_LINES: Final = 2
"""Limits below which there would be no room for the line that tells of a cut."""


class Keep(StrEnum):
    """The end that stays: the head of a file, the tail of what a command said."""

    HEAD = "head"
    TAIL = "tail"


@dataclass(frozen=True, slots=True)
class Limits:
    """The most bytes (of UTF-8) and lines of all texts of a result, with the line that tells of a cut. ValueError for too few."""

    bytes: int = 50 << 10
    lines: int = 2000
    keep: Keep = Keep.HEAD

    def __post_init__(self) -> None:
        if self.bytes < LEAST_BYTES or self.lines < LEAST_LINES:
            raise ValueError(f"less than {LEAST_BYTES} bytes or {LEAST_LINES} lines have no room for the line that tells of a cut")


LIMITS: Final = Limits()

_halves: Final = re.compile("([\ud800-\udc7f\udd00-\udfff]+)")


@dataclass(frozen=True, slots=True)
class Extent:
    """Bytes of UTF-8, and lines; the last one need not end."""

    bytes: int
    lines: int

    @classmethod
    def of(cls, text: str) -> Extent:
        """Measure a text."""
        return cls(len(utf8(text)), text.count("\n") + (text[-1:] not in {"", "\n"}))

    def __add__(self, other: Extent) -> Extent:
        return Extent(self.bytes + other.bytes, self.lines + other.lines)

    def __sub__(self, other: Extent) -> Extent:
        return Extent(self.bytes - other.bytes, self.lines - other.lines)

    def fits(self, most: Extent) -> bool:
        """Whether it is no more than another one."""
        return self.bytes <= most.bytes and self.lines <= most.lines


def utf8(text: str) -> bytes:
    """Encode; a byte that was no UTF-8 is itself, and other halves of surrogate pairs, which JSON can hold, take three bytes."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return b"".join(_byte_or_half(part) for part in _halves.split(text))


def _byte_or_half(part: str) -> bytes:
    return part.encode("utf-8", "surrogatepass" if _halves.fullmatch(part) else "surrogateescape")
