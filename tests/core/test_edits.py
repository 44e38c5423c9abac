"""Edits are the only way a session changes: slices of the old text and new chunks, nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.edits import Edit, apply_edits

TEXT = b"0123456789"


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([], b"0123456789"),
        ([Edit(0, 0, (b"a",))], b"a0123456789"),
        ([Edit(10, 10, (b"a",))], b"0123456789a"),
        ([Edit(2, 5, ())], b"0156789"),
        ([Edit(2, 5, (b"a", b"", b"b"))], b"01ab56789"),
        ([Edit(2, 5, (b"a",)), Edit(5, 7, (b"b",))], b"01ab789"),
        ([Edit(2, 2, (b"a",)), Edit(2, 2, (b"b",))], b"01ab23456789"),
        ([Edit(0, 10, (b"a",))], b"a"),
    ],
)
def test_edits_replace_their_part(edits: list[Edit], expected: bytes) -> None:
    assert b"".join(apply_edits(memoryview(TEXT), edits)) == expected


@pytest.mark.parametrize("edits", [[Edit(2, 5, ()), Edit(4, 6, ())], [Edit(5, 6, ()), Edit(2, 3, ())]], ids=["overlap", "wrong order"])
def test_edits_that_overlap_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="overlaps"):
        list(apply_edits(memoryview(TEXT), edits))


def test_chunks_are_made_when_they_are_asked_for() -> None:
    made: list[int] = []

    def chunks() -> list[bytes]:
        made.append(1)
        return [b"x"]

    pieces = apply_edits(memoryview(TEXT), (Edit(place, place, chunks()) for place in (3, 6)))
    assert (bytes(next(iter(pieces))), made) == (b"012", [1])


@given(st.binary(max_size=40), st.data())
def test_what_no_edit_names_stays(text: bytes, data: st.DataObject) -> None:
    places = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    spans = list(zip(places[::2], places[1::2], strict=False))
    edits = [Edit(start, stop, (text[start:stop],)) for start, stop in spans]
    assert b"".join(apply_edits(memoryview(text), edits)) == text
