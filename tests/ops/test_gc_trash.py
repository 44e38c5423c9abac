from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.stores import LockKind
from sessionkit.errors import RefusedError
from sessionkit.ops.gc import Purged, PutBack, StoreFailed, purge_trash, put_back
from sessionkit.ops.writing import Effect, Writing
from tests.holding import holding
from tests.ops.collecting import NOW, OPTIONS, REHEARSAL, asset, collect, kept, session
from tests.ops.runs import stamps

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from sessionkit.core.assets import AssetName

DAY = timedelta(days=1)
FIRST, SECOND = "20260901T100000Z", "20260902T100000Z"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two stores, collected on two days: `a` on both, `b` on the second one."""
    session(tmp_path / "a/a.jsonl")
    asset(tmp_path / "a", 0)
    collect(tmp_path)
    asset(tmp_path / "a", 1)
    asset(tmp_path / "b", 2)
    session(tmp_path / "b/b.jsonl")
    collect(tmp_path, options=replace(OPTIONS, clock=lambda: NOW + DAY))
    return tmp_path


def names(folder: Path) -> dict[str, set[AssetName]]:
    return {store: kept(folder / store) for store in ("a", "b")}


def zero(folder: Path) -> AssetName:
    return asset(folder.parent / "elsewhere", 0)


def test_the_newest_is_put_back_first(folder: Path) -> None:
    results = list(put_back([folder], None, OPTIONS))
    assert [(result.trash.stamp, len(result.files)) for result in results if isinstance(result, PutBack)] == [(SECOND, 1), (SECOND, 1)]
    assert {store: len(found) for store, found in names(folder).items()} == {"a": 1, "b": 1}
    (result,) = put_back([folder], None, OPTIONS)
    assert isinstance(result, PutBack)
    assert (result.store, result.trash.stamp) == (str(folder / "a/images"), FIRST)
    assert not (folder / "a/images/.trash").exists()
    with pytest.raises(RefusedError, match="nothing to undo"):
        put_back([folder], None, OPTIONS)


def clock_from(start: datetime, step: timedelta) -> Callable[[], datetime]:
    """Tell a later time each time that it is asked."""
    ticks = count()
    return lambda: start + next(ticks) * step


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """Three stores with an orphan each."""
    for number, store in enumerate("abc"):
        session(tmp_path / store / f"{store}.jsonl")
        asset(tmp_path / store, number)
    return tmp_path


def in_trash(folder: Path) -> dict[str, int]:
    """Number of trashes in each store that has some."""
    found = {store: len(list((folder / store / "images/.trash").glob("*"))) for store in "abc"}
    return {store: number for store, number in found.items() if number}


def undo(*folders: Path, stamp: str | None = None) -> list[str]:
    """Names of the stores into which something came back."""
    results = [result for result in put_back(folders, stamp, OPTIONS) if isinstance(result, PutBack)]
    return [result.store.split("/")[-2] for result in results]


@pytest.mark.parametrize("step", [timedelta(0), timedelta(milliseconds=400), timedelta(seconds=1), timedelta(hours=1)], ids=str)
def test_the_whole_run_comes_back_however_long_it_took(three: Path, step: timedelta) -> None:
    assert len(collect(three, options=replace(OPTIONS, clock=clock_from(NOW, step)))) == 3
    assert undo(three) == ["a", "b", "c"]
    assert in_trash(three) == {}


def test_it_does_though_a_store_had_its_stamp_already(three: Path) -> None:
    before = three / "b/images/.trash" / FIRST
    before.mkdir(parents=True)
    (before / "note.txt").write_bytes(b"somebody's")
    collect(three)
    assert undo(three) == ["a", "b", "c"]
    assert in_trash(three) == {"b": 1}


def test_runs_of_one_second_are_undone_one_after_the_other(three: Path) -> None:
    clock = clock_from(NOW, timedelta(microseconds=1))
    for wanted in (three, three / "b", three):
        collect(wanted, options=replace(OPTIONS, clock=clock))
        asset(three / "a", 5)
        asset(three / "b", 6 if wanted == three else 7)
    assert in_trash(three) == {"a": 2, "b": 3, "c": 1}
    assert [undo(three), undo(three), undo(three)] == [["a", "b"], ["b"], ["a", "b", "c"]]
    with pytest.raises(RefusedError, match="nothing to undo"):
        undo(three)


def test_a_run_is_newer_than_one_whose_trash_has_a_later_stamp(three: Path) -> None:
    for number in range(4):
        asset(three / "a", number)
        collect(three / "a", options=replace(OPTIONS, clock=lambda: NOW))
    collect(three / "b", options=replace(OPTIONS, clock=lambda: NOW + timedelta(seconds=1)))
    assert [undo(three), undo(three)] == [["b"], ["a"]]


def test_what_was_locked_when_its_run_was_undone_comes_back_later(three: Path) -> None:
    collect(three, options=replace(OPTIONS, clock=clock_from(NOW, timedelta(seconds=1))))
    options = replace(OPTIONS, writing=Writing(Effect.APPLY, lock_timeout=0))
    with holding(three / "a/images", LockKind.SHARED):
        assert [type(result) for result in put_back([three], None, options)] == [StoreFailed, PutBack, PutBack]
    assert undo(three) == ["a"]


def test_a_stamp_names_the_run_that_made_it(three: Path) -> None:
    """In the last store another run had it."""
    collect(three / "b")
    asset(three / "b", 1)
    collect(three)
    later = (NOW + timedelta(seconds=1)).strftime("%Y%m%dT%H%M%SZ")
    assert undo(three, stamp=later) == ["a", "b", "c"]
    assert undo(three) == ["b"]


def test_trashes_that_tell_no_run_belong_together_by_their_stamp(three: Path) -> None:
    collect(three / "a")
    collect(three / "b")
    collect(three / "c", options=replace(OPTIONS, clock=lambda: NOW - DAY))
    for manifest in three.glob("*/images/.trash/*/manifest.json"):
        manifest.write_text(re.sub(r'"run":"[^"]*",', "", manifest.read_text()))
    assert [undo(three), undo(three)] == [["a", "b"], ["c"]]


def test_what_came_back_is_young(folder: Path) -> None:
    list(put_back([folder], None, OPTIONS))
    assert all(not result.census.orphans for result in collect(folder))


def test_one_that_is_named(folder: Path) -> None:
    (result,) = put_back([folder], FIRST, OPTIONS)
    assert isinstance(result, PutBack)
    assert result.files[0].name == zero(folder)
    with pytest.raises(RefusedError, match=FIRST) as caught:
        put_back([folder], FIRST, OPTIONS)
    assert SECOND in caught.value.hint


def test_a_session_is_not_needed_for_it(folder: Path) -> None:
    (folder / "b/b.jsonl").unlink()
    assert len(list(put_back([folder / "b"], None, OPTIONS))) == 1


def test_of_a_store_that_is_named(folder: Path) -> None:
    list(put_back([folder], SECOND, replace(OPTIONS, store=folder / "b/images")))
    assert {store: len(found) for store, found in names(folder).items()} == {"a": 0, "b": 1}


@pytest.mark.parametrize(
    ("days", "older_than", "purged"),
    [(0, 30, {}), (30, 30, {"a": [FIRST]}), (31, 30, {"a": [SECOND, FIRST], "b": [SECOND]}), (1, 0, {"a": [SECOND, FIRST], "b": [SECOND]})],
)
def test_purging_by_age(folder: Path, days: int, older_than: int, purged: dict[str, list[str]]) -> None:
    results = list(purge_trash([folder], older_than * DAY, replace(OPTIONS, clock=lambda: NOW + days * DAY)))
    found = {result.store: [trash.stamp for trash in result.trashes] for result in results if isinstance(result, Purged) and result.trashes}
    assert found == {str(folder / store / "images"): trashes for store, trashes in purged.items()}
    left = {path.name for path in folder.glob("a/images/.trash/*")}
    assert left == {FIRST, SECOND} - set(purged.get("a", []))


def test_rehearsals_write_nothing(folder: Path) -> None:
    before = stamps(folder)
    options = replace(REHEARSAL, clock=lambda: NOW + 100 * DAY)
    assert len(list(put_back([folder], None, options))) == 2
    assert [len(result.trashes) for result in purge_trash([folder], DAY, options) if isinstance(result, Purged)] == [2, 1]
    assert stamps(folder) == before


def test_what_others_hold_stays(folder: Path) -> None:
    options = replace(OPTIONS, clock=lambda: NOW + 100 * DAY, writing=Writing(Effect.APPLY, lock_timeout=0))
    with holding(folder / "a/images", LockKind.SHARED):
        assert [type(result) for result in put_back([folder], None, options)] == [StoreFailed, PutBack]
        assert [type(result) for result in purge_trash([folder], DAY, options)] == [StoreFailed]
    assert len(list((folder / "a/images/.trash").iterdir())) == 2
