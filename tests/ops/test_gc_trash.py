from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
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
