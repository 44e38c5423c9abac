"""What a check tells: values that name the place, the cause and the next step, however many there are."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass, field

if TYPE_CHECKING:
    from sessionkit.errors import Place

_MOST_KEPT = 1000
"""Findings that are kept one by one; beyond them only their number is known, so that memory stays bounded."""


class Severity(StrEnum):
    """How bad it is. Errors and warnings are findings and decide the exit code; notes are only told."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class FindingKind(StrEnum):
    """What is wrong, as an id for reports and filters."""

    ASSET_MISSING = "asset-missing"
    ASSET_CORRUPT = "asset-corrupt"
    """The bytes do not hash to the name, or it is no regular file."""
    ASSET_UNREADABLE = "asset-unreadable"
    """The system refuses to read it, so nothing is known of it."""
    ASSET_TYPE = "asset-type"
    """The content has another type than the extension says."""
    ASSET_SIZE = "asset-size"
    """The picture has other pixels than the reference says."""
    ASSET_UNDECODABLE = "asset-undecodable"
    """The header tells no size; or, where decoding was asked for, the picture does not decode."""
    ASSET_ORPHAN = "asset-orphan"
    """No session beside the store names it."""
    ODD_REFERENCE = "odd-reference"
    """What looks like a reference and is none, so that it cannot be restored."""
    INLINE_MEDIA = "inline-media"
    BAD_LINE = "bad-line"
    """A line is not JSON: a note, unless references are lost behind the place where it breaks."""
    STRANGER = "stranger"
    """Something in a store that is no asset."""
    ORPHANS_UNKNOWN = "orphans-unknown"
    """A file that may name assets could not be read."""

    @property
    def severity(self) -> Severity:
        """How bad this kind is, if a finding does not say otherwise."""
        return _SEVERITIES.get(self, Severity.ERROR)


_SEVERITIES = {
    FindingKind.ASSET_TYPE: Severity.WARNING,
    FindingKind.ASSET_SIZE: Severity.WARNING,
    FindingKind.ASSET_ORPHAN: Severity.WARNING,
    FindingKind.ODD_REFERENCE: Severity.WARNING,
    FindingKind.INLINE_MEDIA: Severity.NOTE,
    FindingKind.BAD_LINE: Severity.NOTE,
    FindingKind.STRANGER: Severity.NOTE,
    FindingKind.ORPHANS_UNKNOWN: Severity.NOTE,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found.

    `asset` is its reference (`images/…`), or the path that an odd one names; empty where there is none.
    `raised` is the severity where it is another than that of the kind.
    """

    kind: FindingKind
    place: Place
    cause: str
    hint: str
    asset: str = ""
    raised: Severity | None = None

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return self.raised or self.kind.severity


@dataclass(slots=True)
class Findings:
    """The first 1000 findings, and the number of all by kind."""

    kept: list[Finding] = field(default_factory=list)
    counts: Counter[FindingKind] = field(default_factory=Counter)

    def add(self, finding: Finding) -> None:
        """Count a finding, and keep it while there is room."""
        self.counts[finding.kind] += 1
        self.keep(finding)

    def keep(self, finding: Finding) -> None:
        """Keep a finding that is counted, while there is room."""
        if len(self.kept) < _MOST_KEPT:
            self.kept.append(finding)

    def trim(self) -> None:
        """Put what is kept in the order of the lines, and let go of what is too much."""
        self.kept.sort(key=lambda finding: finding.place.line or 0)
        del self.kept[_MOST_KEPT:]
