"""Where the bytes of a repaired session come from: the session as it was, or a cure."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Self, TypeAlias

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True)
class Copied:
    """Bytes `start` to `stop` of the original, as they are."""

    start: int
    stop: int

    @property
    def size(self) -> int:
        """How many bytes they are."""
        return self.stop - self.start


@dataclass(frozen=True, slots=True)
class Fresh:
    """So many bytes of cures; `faults` are the ids of what they cure, `assets` the files that keep what they stand for."""

    size: int
    faults: frozenset[str] = frozenset()
    assets: frozenset[str] = frozenset()


Piece: TypeAlias = Copied | Fresh


@dataclass(frozen=True, slots=True)
class Cut:
    """Bytes `start` to `stop` of a version give way to what is fresh."""

    start: int
    stop: int
    fresh: Fresh


class Provenance:
    """The pieces of a version, in its order; copied and fresh ones take turns. Nothing is ever moved: copied ones keep their order.

    `whole` is how many bytes the original has.
    """

    def __init__(self, whole: int, pieces: Iterable[Piece]) -> None:
        self.whole = whole
        self.pieces = tuple(_joined(pieces))
        self._ends = tuple(accumulate(piece.size for piece in self.pieces))

    @classmethod
    def untouched(cls, size: int) -> Self:
        """Tell it of the original itself."""
        return cls(size, (Copied(0, size),) if size else ())

    def spliced(self, cuts: Iterable[Cut]) -> Provenance:
        """Tell the same of the version after cuts, which are in order and do not overlap."""
        return Provenance(self.whole, _spliced(deque(self.pieces), cuts))

    def origin(self, offset: int) -> int:
        """Find the place in the original of a byte; of a fresh one where it was put in."""
        at = bisect_right(self._ends, offset)
        for piece in self.pieces[at : at + 1]:
            if isinstance(piece, Copied):
                return piece.stop - (self._ends[at] - offset)
        return next((piece.stop for piece in reversed(self.pieces[max(at - 2, 0) : at]) if isinstance(piece, Copied)), 0)


def _spliced(rest: deque[Piece], cuts: Iterable[Cut]) -> Iterator[Piece]:
    position = 0
    for cut in cuts:
        yield from _taken(rest, cut.start - position)
        yield cut.fresh
        yield from (Fresh(0, piece.faults, piece.assets) for piece in _taken(rest, cut.stop - cut.start) if isinstance(piece, Fresh))
        position = cut.stop
    yield from rest


def _taken(rest: deque[Piece], size: int) -> Iterator[Piece]:
    """Take so many bytes from the front."""
    while size:
        piece = rest.popleft()
        if piece.size > size:
            piece, behind = _parted(piece, size)
            rest.appendleft(behind)
        yield piece
        size -= piece.size


def _parted(piece: Piece, size: int) -> tuple[Piece, Piece]:
    match piece:
        case Copied(start, stop):
            return Copied(start, start + size), Copied(start + size, stop)
        case Fresh(whole, faults, assets):
            return Fresh(size, faults, assets), Fresh(whole - size, faults, assets)


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    for _, run in groupby(pieces, type):
        yield _together(list(run))


def _together(run: list[Piece]) -> Piece:
    """Make one piece of a run of one kind: between copied ones side by side nothing is missing."""
    copied = [piece for piece in run if isinstance(piece, Copied)]
    if copied:
        return Copied(copied[0].start, copied[-1].stop)
    fresh = [piece for piece in run if isinstance(piece, Fresh)]
    empty = frozenset[str]()
    faults, assets = empty.union(*(piece.faults for piece in fresh)), empty.union(*(piece.assets for piece in fresh))
    return Fresh(sum(piece.size for piece in fresh), faults, assets)
