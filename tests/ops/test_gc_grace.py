"""The grace of a collection in every kind of store, by a clock that is set by hand."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import BIN
from sessionkit.core.stores.opening import open_store
from sessionkit.ops.gc import Options
from tests.ops.collecting import collect, session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sessionkit.core.stores.addresses import Address

KINDS = ("local", "s3")
DATA = b"asset"
NAME = AssetName.of(DATA, BIN)
GRACE = timedelta(days=14)
DAY = timedelta(days=1)


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Address:
    """Store with an asset that no session names."""
    address: Address = request.getfixturevalue("bucket") if request.param == "s3" else tmp_path / "store"
    session(tmp_path / "sessions/a.jsonl")
    put(address)
    return address


def put(address: Address) -> None:
    with open_store(address) as store:
        store.put(NAME, DATA)
        store.flush()


def holds(address: Address) -> bool:
    with open_store(address) as store:
        return [file.name for file in store.files()] == [NAME]


def clock(later: timedelta) -> Callable[[], datetime]:
    now = datetime.now(UTC) + later
    return lambda: now


def test_what_is_older_than_the_grace_goes(store: Address, tmp_path: Path) -> None:
    options = Options(store=store, clock=clock(GRACE - timedelta(minutes=1)))
    (kept,) = collect(tmp_path / "sessions", options=options)
    assert (kept.trash, [file.name for file in kept.census.young]) == (None, [NAME])
    assert holds(store)
    (freed,) = collect(tmp_path / "sessions", options=replace(options, clock=clock(GRACE + timedelta(minutes=1))))
    assert freed.trash
    assert [file.name for file in freed.trash.files] == [NAME]
    assert freed.census.store == str(store)
    assert not holds(store)


def test_what_is_used_again_is_young_again(store: Address, tmp_path: Path) -> None:
    with open_store(store) as opened:
        before = opened.stat(NAME).mtime_ns
    while time.time_ns() <= before:
        time.sleep(0.01)
    late = datetime.fromtimestamp(before / 1e9, UTC) + GRACE + timedelta(microseconds=1)
    put(store)
    (kept,) = collect(tmp_path / "sessions", options=Options(store=store, clock=lambda: late))
    assert (kept.trash, len(kept.census.young)) == (None, 1)


def test_what_a_root_names_stays_for_ever(store: Address, tmp_path: Path) -> None:
    session(tmp_path / "sessions/b.jsonl", NAME)
    collect(tmp_path / "sessions", options=Options(store=store, clock=clock(1000 * DAY)))
    assert holds(store)
