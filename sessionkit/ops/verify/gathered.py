"""What a session says of assets, gathered from one end to the other or from ranges of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sessionkit.dataclass import dataclass, field, replace
from sessionkit.ops.findings import Findings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.assets import AssetName
    from sessionkit.core.pixels import Size

_MOST_SPOTS = 10_000
"""Places of a session's references that are kept; beyond them only the first one of each claim is."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What references say: an asset is there, and has this size in pixels (None if they do not say)."""

    asset: AssetName
    size: Size | None


Spot: TypeAlias = "tuple[Claim, int, str]"
"""Where a claim stands: a line, from 1, and an RFC 6901 pointer; most are never told, so none is more than a tuple."""


@dataclass(slots=True)
class Gathered:
    """What one session says; `lost` is what looks like references and cannot be restored.

    `claims` are in the order of their first places, with the number of all their places. `lines` are those that were ended.
    """

    claims: dict[Claim, int] = field(default_factory=dict)
    spots: list[Spot] = field(default_factory=list)
    lost: Findings = field(default_factory=Findings)
    notes: Findings = field(default_factory=Findings)
    lines: int = 0

    @property
    def references(self) -> int:
        """Number of references that are well-formed."""
        return sum(self.claims.values())

    def claim(self, claim: Claim, line: int, pointer: str) -> None:
        """Count a claim, and keep its place while there is room."""
        count = self.claims.get(claim, 0)
        self.claims[claim] = count + 1
        if not count or len(self.spots) < _MOST_SPOTS:
            self.spots.append((claim, line, pointer))

    def append(self, part: Gathered) -> None:
        """Add what the lines behind these say: the same comes out as if all had been read at once."""
        for claim, line, pointer in part.spots:
            if claim not in self.claims or len(self.spots) < _MOST_SPOTS:
                self.spots.append((claim, self.lines + line, pointer))
                self.claims.setdefault(claim, 0)
        for claim, count in part.claims.items():
            self.claims[claim] += count
        _append(self.lost, part.lost, self.lines)
        _append(self.notes, part.notes, self.lines)
        self.lines += part.lines

    def spots_of(self, claims: Iterable[Claim]) -> dict[Claim, list[Spot]]:
        """Sort the places of some claims out."""
        spots: dict[Claim, list[Spot]] = {claim: [] for claim in claims}
        for spot in self.spots if spots else ():
            if spot[0] in spots:
                spots[spot[0]].append(spot)
        return spots


def _append(findings: Findings, more: Findings, lines: int) -> None:
    for finding in more.kept:
        findings.keep(replace(finding, place=replace(finding.place, line=lines + (finding.place.line or 0))))
    findings.counts += more.counts
