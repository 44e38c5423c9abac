"""Counts of a session, and of its parts put together."""

from __future__ import annotations

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.media.intake import Asset
from sessionkit.core.sniff import BIN, PNG
from sessionkit.core.stores.base import Stored
from sessionkit.ops.ledger import Ledger, Note


def asset(digit: str, stored: Stored, *, ext: str = "png", exact: bool = True) -> Asset:
    return Asset(AssetName(digit * 64, ext), PNG if ext == "png" else BIN, None, 100, b"", stored, exact)


def ledger(*assets: Asset) -> Ledger:
    made = Ledger()
    for each in assets:
        made.count(each)
    return made


@pytest.mark.parametrize(
    ("stored", "written"),
    [(Stored.NEW, 100), (Stored.REPAIRED, 100), (Stored.REUSED, 0), (Stored.KNOWN, 0)],
)
def test_only_what_was_written_counts_as_stored(stored: Stored, written: int) -> None:
    made = ledger(asset("a", stored))
    assert (made.sites, made.media, made.stock.written, made.stock.counts) == (1, 100, written, {stored: 1})


def test_what_is_worth_telling_is_counted() -> None:
    made = ledger(asset("a", Stored.NEW), asset("b", Stored.NEW, ext="bin"), asset("a", Stored.KNOWN, exact=False))
    assert (made.sites, len(made.assets), made.unknown, made.respelled) == (3, 2, 1, 1)


def test_parts_add_up_and_lines_count_on() -> None:
    total = ledger(asset("a", Stored.NEW))
    total.note(Note(2, "/x", "line breaks"))
    total.lines, total.read, total.written, total.references, total.passed_over = 10, 1000, 300, 30, 2
    later = ledger(asset("a", Stored.REUSED), asset("b", Stored.NEW))
    later.note(Note(1, "/y", "line breaks"))
    later.lines, later.read, later.written, later.references, later.passed_over = 4, 500, 100, 20, 1
    total.append(later)
    assert total.notes == [Note(2, "/x", "line breaks"), Note(11, "/y", "line breaks")]
    assert (total.lines, total.read, total.written, total.references, total.passed_over) == (14, 1500, 400, 50, 3)
    assert (total.sites, len(total.assets), total.stock.written) == (3, 2, 200)
    assert total.causes == {"line breaks": 2}
    assert total.stock.counts == {Stored.NEW: 2, Stored.KNOWN: 1}  # what one part found was made by the other


def test_of_very_many_notes_the_first_thousand_are_kept_and_all_are_counted() -> None:
    made, later = Ledger(lines=5000), Ledger()
    for number in range(1, 701):
        made.note(Note(number, "", "first"))
        later.note(Note(number, "", "second"))
    made.append(later)
    made.append(later)
    assert [made.notes[index] for index in (0, 699, 700, -1)] == [
        *(Note(1, "", "first"), Note(700, "", "first"), Note(5001, "", "second"), Note(5300, "", "second"))
    ]
    assert (len(made.notes), made.causes) == (1000, {"first": 700, "second": 1400})
    for number in range(400):
        later.note(Note(number, "", "third"))
    assert (len(later.notes), later.causes["third"]) == (1000, 400)
