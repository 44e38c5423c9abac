"""What a session says of assets, gathered from one end to the other or from ranges of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from sessionkit.core.assets import AssetName
from sessionkit.core.pixels import Size
from sessionkit.dataclass import dataclass, field, replace
from sessionkit.ops.findings import Findings

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_SPOTS = 10_000
"""Places of a session's references that are kept; beyond them only the first one of each claim is."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What references say: an asset is there, and has this size in pixels (None if they do not say)."""

    asset: AssetName
    size: Size | None

    def __hash__(self) -> int:
        return hash(self.asset)


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
        room = _MOST_SPOTS - len(self.spots)
        new = part.claims.keys() - self.claims.keys() if room < len(part.spots) else set()
        for claim, line, pointer in part.spots:
            if room > 0 or claim in new:
                self.spots.append((claim, self.lines + line, pointer))
                new.discard(claim)
            room -= 1
        for claim, count in part.claims.items():
            self.claims[claim] = self.claims.get(claim, 0) + count
        _append(self.lost, part.lost, self.lines)
        _append(self.notes, part.notes, self.lines)
        self.lines += part.lines

    def __reduce__(self) -> tuple[object, ...]:
        """Cross to another process as few values, of which each takes its time."""
        at = {claim: index for index, claim in enumerate(self.claims)}
        claims = [(claim.asset.digest, claim.asset.ext, claim.size and (claim.size.width, claim.size.height)) for claim in self.claims]
        spots = [(at[claim], line, pointer) for claim, line, pointer in self.spots]
        return _unpack, (claims, list(self.claims.values()), spots, (self.lost, self.notes, self.lines))

    def spots_of(self, claims: Iterable[Claim]) -> dict[Claim, list[Spot]]:
        """Sort the places of some claims out."""
        spots: dict[Claim, list[Spot]] = {claim: [] for claim in claims}
        for spot in self.spots if spots else ():
            if spot[0] in spots:
                spots[spot[0]].append(spot)
        return spots


def _unpack(
    claims: list[tuple[str, str, tuple[int, int] | None]], counts: list[int], spots: list[tuple[int, int, str]], rest: tuple[Any, ...]
) -> Gathered:
    made = [Claim(AssetName(digest, ext), Size(*size) if size else None) for digest, ext, size in claims]
    return Gathered(dict(zip(made, counts, strict=True)), [(made[at], line, pointer) for at, line, pointer in spots], *rest)


def _append(findings: Findings, more: Findings, lines: int) -> None:
    for finding in more.kept:
        findings.keep(replace(finding, place=replace(finding.place, line=lines + (finding.place.line or 0))))
    findings.counts += more.counts
