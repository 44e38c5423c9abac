"""A line with the middle of its long base64 strings cut out: small enough to parse, with a map back to the line."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from sessionkit.core.media.triage import Candidate

KEPT = 128
"""Bytes of a cut string that stay, so that its prefix and the head of its data can still be seen."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """`text` is the shortened line; `origin` maps a place in it to the place in the buffer that the line came from."""

    text: bytes
    base: int
    cuts: tuple[int, ...]
    removed: tuple[int, ...]

    def origin(self, position: int) -> int:
        """Place in the buffer of the byte at `position` of the text; a cut lies before the quote that ends its string."""
        before = bisect_right(self.cuts, position)
        return self.base + position + (self.removed[before - 1] if before else 0)


def skeleton_of(data: bytearray, candidate: Candidate) -> Skeleton:
    """Cut each plain run of the candidate after its head; no quote and no backslash is ever cut, so the structure stays."""
    pieces, cuts, removed = [], [], []
    position, size = candidate.start, 0
    for run in candidate.runs:
        if not run.is_plain:
            continue
        kept = run.start + KEPT
        pieces.append(data[position:kept])
        size += kept - position
        cuts.append(size)
        removed.append(run.stop - kept)
        position = run.stop
    pieces.append(data[position : candidate.stop])
    return Skeleton(b"".join(pieces), candidate.start, tuple(cuts), tuple(accumulate(removed)))
