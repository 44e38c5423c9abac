"""What a scan counts."""

from __future__ import annotations

import heapq
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from sessionkit.core.media.intake import Cause
from sessionkit.dataclass import dataclass, field

if TYPE_CHECKING:
    from collections.abc import KeysView

    from sessionkit.core.assets import AssetName

_BIGGEST = 5
_MOST_SIGHTINGS = 1000
"""Sightings of each kind that are kept one by one; beyond them only their number is known, so that memory stays bounded."""


class ByteKind(StrEnum):
    """What a byte of a session belongs to. Each byte counts once, so the kinds add up to the session's size, unpacked.

    Media counts as it stands in the file: the base64 of media sites, without quotes and without the prefix of a data URL.
    """

    IMAGES = "images"
    DOCUMENTS = "documents"
    OTHER_MEDIA = "other media"
    """Audio, video, and what stands in the place of an image but is of no known type."""
    TEXT_BASE64 = "base64 in text"
    """Media that are part of a longer string, of prose or of a tool call's arguments; the prefix of a data URL included."""
    BLOBS = "blobs"
    """Other runs of 1000 base64 characters or more: signatures, encrypted reasoning, checksums."""
    TEXT = "text"
    """All the rest: prose, JSON, newlines, references."""


class LineFault(StrEnum):
    """What is wrong with a line. A line may have several faults; blank lines and glued records are none."""

    NOT_JSON = "not JSON"
    TORN = "torn"
    """The last line, without a newline, ends in the middle of a value."""
    NUL_BYTES = "NUL bytes"
    BYTE_ORDER_MARK = "byte order mark"
    CRLF = "CRLF"
    INVALID_UTF8 = "invalid UTF-8"


class ScanKind(StrEnum):
    """What a session can have that a check may refuse."""

    INLINE = "inline"
    DUPLICATES = "duplicates"
    NON_CANONICAL = "non-canonical"
    TEXT_BASE64 = "text-base64"
    BAD_LINES = "bad-lines"
    GLUED_LINES = "glued-lines"
    REFERENCES = "references"
    ODD_REFERENCES = "odd-references"
    FOREIGN = "foreign"
    UNKNOWN_FORMAT = "unknown-format"


NON_CANONICAL = frozenset(
    {Cause.LINE_BREAKS, Cause.URL_SAFE, Cause.MISSING_PADDING, Cause.STRAY_BITS, Cause.ESCAPED, Cause.NOT_BASE64},
)
"""Causes of what stands in the place of base64 and would not come back byte for byte, or is none."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One thing and where it stands; `pointer` is empty where the line's value has no part of its own for it."""

    kind: ScanKind
    line: int
    pointer: str
    cause: str


@dataclass(frozen=True, slots=True)
class BigLine:
    """A line, its bytes with its newline, and what they are."""

    bytes: int
    line: int
    kinds: Counter[ByteKind] = field(compare=False)

    def __lt__(self, other: BigLine) -> bool:
        return (self.bytes, self.line) < (other.bytes, other.line)


@dataclass(slots=True)
class Tally:
    """Counts of one session; sizes in bytes, as they stand in the file.

    `entries` are JSON objects, `glued` lines that hold several values. `sites` are places of inline media, `stays` those among
    them that migrate leaves, by cause; `images` counts the images among all. `firsts` are the different media that migrate would take,
    with the size of their base64 where they stand first; `repeated` is the base64 of all others.
    `references` stand for media that were spilled already, in `spilled` assets.
    """

    lines: int = 0
    blank: int = 0
    entries: int = 0
    glued: int = 0
    kinds: Counter[ByteKind] = field(default_factory=Counter)
    sites: int = 0
    images: int = 0
    taken: int = 0
    repeated: int = 0
    firsts: dict[AssetName, int] = field(default_factory=dict)
    stays: Counter[Cause] = field(default_factory=Counter)
    references: int = 0
    odd_references: int = 0
    spilled: set[AssetName] = field(default_factory=set)
    text_base64: int = 0
    faults: Counter[LineFault] = field(default_factory=Counter)
    foreign: Counter[str] = field(default_factory=Counter)
    sightings: list[Sighting] = field(default_factory=list)
    _biggest: list[BigLine] = field(default_factory=list)
    _kept: Counter[ScanKind] = field(default_factory=Counter)

    @property
    def bytes(self) -> int:
        """Size of the session, unpacked."""
        return self.kinds.total()

    @property
    def assets(self) -> KeysView[AssetName]:
        """The different media that migrate would take, by the SHA-256 of their content."""
        return self.firsts.keys()

    @property
    def unique(self) -> int:
        """Number of them."""
        return len(self.firsts)

    @property
    def duplication(self) -> float:
        """How many times each medium stands in the session on average; 1.0 when there are none."""
        return self.taken / self.unique if self.firsts else 1.0

    @property
    def biggest(self) -> list[BigLine]:
        """The five longest lines, the longest first."""
        return sorted(self._biggest, reverse=True)

    def add_line(self, line: BigLine) -> None:
        """Count a line and its bytes."""
        self.lines += 1
        self.kinds.update(line.kinds)
        if len(self._biggest) < _BIGGEST:
            heapq.heappush(self._biggest, line)
        else:
            heapq.heappushpop(self._biggest, line)

    def see(self, sighting: Sighting) -> None:
        """Keep a sighting while there is room for its kind."""
        self._kept[sighting.kind] += 1
        if self._kept[sighting.kind] <= _MOST_SIGHTINGS:
            self.sightings.append(sighting)

    def has(self) -> frozenset[ScanKind]:
        """Kinds that the session has, its format aside."""
        present = {
            ScanKind.INLINE: self.sites,
            ScanKind.DUPLICATES: self.taken > self.unique,
            ScanKind.NON_CANONICAL: NON_CANONICAL & self.stays.keys(),
            ScanKind.TEXT_BASE64: self.text_base64,
            ScanKind.BAD_LINES: self.faults,
            ScanKind.GLUED_LINES: self.glued,
            ScanKind.REFERENCES: self.references,
            ScanKind.ODD_REFERENCES: self.odd_references,
            ScanKind.FOREIGN: self.foreign,
        }
        return frozenset(kind for kind, value in present.items() if value)
