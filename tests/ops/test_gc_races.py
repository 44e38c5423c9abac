"""What happens between the plan of a collection and its end."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.stores import LocalStore, LockKind
from sessionkit.errors import ChangedError, LockedError, UnreadableError
from sessionkit.ops.gc import Collected, StoreFailed
from sessionkit.ops.gc.mark import Marker
from sessionkit.ops.roots import root_of
from sessionkit.ops.writing import Writing
from tests.holding import holding
from tests.ops.collecting import OPTIONS, asset, collect, kept, plan, session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sessionkit.ops.gc import Plan
    from sessionkit.ops.roots import Root

SECOND = 10**9
IMPATIENT = replace(OPTIONS, writing=Writing(lock_timeout=0))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An asset that the only session does not name; it was written long ago."""
    asset(tmp_path, 0)
    os.utime(session(tmp_path / "a.jsonl"), (1, 1))
    return tmp_path


def run(made: Plan) -> Collected | StoreFailed:
    (result,) = made.run()
    assert isinstance(result, Collected | StoreFailed)
    return result


def test_an_asset_that_is_put_again_stays(folder: Path) -> None:
    made = plan(folder)
    name = asset(folder, 0)
    os.utime(folder / name.reference)
    with LocalStore(folder / "images") as store:
        store.put(name, b"asset 0")
        store.flush()
    result = run(made)
    assert isinstance(result, Collected)
    assert result.trash is None
    assert kept(folder) == {name}


@pytest.mark.parametrize("change", ["new", "grown", "replaced", "moved here", "elsewhere"])
def test_an_asset_that_is_named_meanwhile_stays(folder: Path, tmp_path: Path, change: str) -> None:
    name = asset(folder, 0)
    old = session(folder / "old/b.jsonl")
    elsewhere = session(tmp_path / "elsewhere.txt")
    made = plan(folder, options=replace(OPTIONS, roots=(elsewhere,)))
    match change:
        case "new":
            session(folder / "new.jsonl", name)
        case "grown":
            with (folder / "a.jsonl").open("a") as file:
                file.write(name.digest)
        case "replaced":
            session(folder / "new", name).replace(folder / "a.jsonl")
            os.utime(folder / "a.jsonl", (1, 1))
        case "moved here":
            session(old, name).rename(folder / "c.jsonl")
        case _:
            session(elsewhere, name)
    run(made)
    assert kept(folder) == {name}


def test_a_root_that_cannot_be_read_any_more_stops_it(folder: Path) -> None:
    made = plan(folder)
    (folder / "b.jsonl.gz").write_bytes(b"torn")
    with pytest.raises(UnreadableError, match=r"b\.jsonl\.gz"):
        list(made.run())
    assert len(kept(folder)) == 1


def test_who_puts_assets_keeps_it_out(folder: Path) -> None:
    with holding(folder / "images", LockKind.SHARED) as writer:
        result = run(plan(folder, options=IMPATIENT))
        assert isinstance(result, StoreFailed)
        assert isinstance(result.error, LockedError)
        assert writer.named.search(str(result.error))
    assert len(kept(folder)) == 1
    assert collect(folder, options=IMPATIENT)[0].trash


def test_one_store_that_is_locked_does_not_keep_the_others(folder: Path) -> None:
    asset(folder / "z", 1)
    session(folder / "z/b.jsonl")
    with holding(folder / "images", LockKind.SHARED):
        first, second = plan(folder, options=IMPATIENT).run()
    assert isinstance(first, StoreFailed)
    assert isinstance(second, Collected)
    assert kept(folder / "z") == set()


def test_it_waits_for_who_puts_assets_and_sees_what_he_published(folder: Path) -> None:
    """A session that is published by the holder of a lock is read, however late."""
    name = asset(folder, 0)
    made = plan(folder)
    with LocalStore(folder / "images") as store, store.lock(LockKind.SHARED, 0):
        collecting = threading.Thread(target=run, args=(made,))
        collecting.start()
        session(folder / "late.jsonl", name)
    collecting.join()
    assert kept(folder) == {name}


def test_where_nothing_is_to_be_taken_nobody_is_waited_for(folder: Path) -> None:
    session(folder / "a.jsonl", asset(folder, 0))
    with holding(folder / "images", LockKind.SHARED):
        assert isinstance(run(plan(folder, options=IMPATIENT)), Collected)


def test_a_root_that_was_read_is_not_read_again(folder: Path) -> None:
    ticks: list[int] = []
    path = str(folder / "a.jsonl")
    later = time.time_ns() + 60 * SECOND
    marker = Marker(lambda: [root_of(path)], set(), ticks.append, lambda: later)
    marker.mark()
    marker.mark()
    assert len(ticks) == 1
    os.utime(path, ns=(later, later))
    marker.mark()
    marker.mark()  # what was changed a moment ago may change once more before the clock of its file system ticks
    assert len(ticks) == 3


def test_a_root_that_goes_away_is_none(folder: Path) -> None:
    roots = [[root_of(str(folder / "a.jsonl")), root_of(str(folder / "gone.jsonl"))], [root_of(str(folder / "a.jsonl"))]]
    marker = Marker(lambda: roots.pop(0) if len(roots) > 1 else roots[0], set(), lambda _size: None)
    marker.mark()
    assert marker.count == 1


def test_roots_that_never_come_to_rest_stop_it(folder: Path) -> None:
    def moving() -> Iterator[Root]:
        for number in range(100):
            yield root_of(str(session(folder / f"{number}.jsonl")))

    roots = moving()
    marker = Marker(lambda: [next(roots)], set(), lambda _size: None)
    with pytest.raises(ChangedError):
        marker.mark()
