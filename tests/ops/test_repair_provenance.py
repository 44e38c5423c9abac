"""Where the bytes of a version come from, held against versions that are made of other letters."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sessionkit.ops.repair.provenance import Copied, Cut, Fresh, Provenance

_SIZE = 40


@st.composite
def cuts(draw: st.DrawFn, size: int) -> list[Cut]:
    """Cuts of a text of that size, in order and apart."""
    points = sorted(draw(st.lists(st.integers(0, size), max_size=8)))
    spans = [span for index, span in enumerate(pairwise(points)) if index % 2 == 0]
    return [Cut(start, stop, Fresh(draw(st.integers(0, 3)), frozenset({draw(st.sampled_from("abc"))}))) for start, stop in spans]


@given(st.data(), st.integers(0, 4))
def test_every_byte_is_told(data: st.DataObject, rounds: int) -> None:
    text: list[int | None] = list(range(_SIZE))
    provenance = Provenance.untouched(_SIZE)
    touched: set[str] = set()
    for _ in range(rounds):
        made = data.draw(cuts(len(text)))
        provenance = provenance.spliced(made)
        for cut in reversed(made):
            text[cut.start : cut.stop] = [None] * cut.fresh.size
            touched |= cut.fresh.faults
    told: list[int | None] = []
    for piece in provenance.pieces:
        told += range(piece.start, piece.stop) if isinstance(piece, Copied) else [None] * piece.size
    assert told == text
    assert all(type(one) is not type(other) for one, other in pairwise(provenance.pieces)), "they take turns"
    assert {fault for piece in provenance.pieces if isinstance(piece, Fresh) for fault in piece.faults} == touched
    for at, byte in enumerate(text):
        if byte is not None:
            assert provenance.origin(at) == byte
        else:
            before = [old for old in text[:at] if old is not None]
            assert provenance.origin(at) == (before[-1] + 1 if before else 0)


def test_what_goes_behind_the_end_is_put_there() -> None:
    provenance = Provenance.untouched(3).spliced([Cut(3, 3, Fresh(1))])
    assert provenance.origin(3) == provenance.origin(4) == 3
    assert Provenance.untouched(0).origin(0) == 0
