"""The trash of every kind of store: what is moved there is gone from the store, and comes back whole."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import PNG
from sessionkit.core.stores import LockKind
from sessionkit.core.stores.trash import Run, is_stamp, run_of, time_of
from tests.core.stores.kinds import KINDS, opener

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sessionkit.core.stores import AssetStore, StoredFile

NOW = datetime(2026, 9, 1, 10, 0, 59, tzinfo=UTC)
RUN = Run.at(NOW)
STAMP = "20260901T100059Z"
RUN_NAME = "20260901T100058Z-999999-0123abcd"
CONTENTS = [b"one", b"two", b"three"]
ONE, TWO, THREE = (AssetName.of(content, PNG) for content in CONTENTS)


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AssetStore]:
    with opener(request.param, tmp_path, request)() as store:
        put(store, *CONTENTS)
        store.close()
        with store.lock(LockKind.EXCLUSIVE, 0):
            yield store


def put(store: AssetStore, *contents: bytes) -> None:
    for content in contents:
        store.put(AssetName.of(content, PNG), content)
    store.flush()


def wait_until_past(time_ns: int) -> None:
    """Servers of buckets tell whole seconds."""
    while time.time_ns() <= time_ns:
        time.sleep(0.01)


def files(store: AssetStore, *names: AssetName) -> list[StoredFile]:
    return [file for file in store.files() if file.name in names]


def sizes(files: Iterable[StoredFile]) -> dict[AssetName, int]:
    return {file.name: file.stat.size for file in files}


def names(store: AssetStore) -> set[AssetName]:
    return {file.name for file in store.files()}


def test_what_is_discarded_is_in_the_trash(store: AssetStore) -> None:
    doomed = files(store, ONE, TWO)
    trash = store.discard(doomed, RUN)
    assert (trash.stamp, trash.files, trash.size) == (STAMP, tuple(doomed), 6)
    assert names(store) == {THREE}
    assert list(store.inventory().strangers) == []
    (seen,) = store.trashes()
    # In a bucket a file cannot be moved: what lies in the trash is a copy, with a time of its own.
    assert (seen.stamp, sizes(seen.files)) == (trash.stamp, sizes(doomed))


def test_it_comes_back(store: AssetStore) -> None:
    doomed = files(store, ONE, TWO)
    trash = store.discard(doomed, RUN)
    assert {file.name for file in store.put_back(trash)} == {ONE, TWO}
    assert names(store) == {ONE, TWO, THREE}
    assert [bytes(store.check(name).head) for name in (ONE, TWO)] == CONTENTS[:2]
    assert store.trashes() == []


def test_what_comes_back_is_as_good_as_new(store: AssetStore) -> None:
    before = store.stat(ONE).mtime_ns
    wait_until_past(before)
    store.put_back(store.discard(files(store, ONE), RUN))
    assert store.stat(ONE).mtime_ns > before


def test_what_is_there_again_stays_as_it_is(store: AssetStore) -> None:
    trash = store.discard(files(store, ONE, TWO), RUN)
    put(store, b"one")
    there = store.stat(ONE)
    assert [file.name for file in store.put_back(trash)] == [TWO]
    assert store.stat(ONE) == there
    assert store.trashes() == []


def test_a_purged_trash_is_gone_for_good(store: AssetStore) -> None:
    store.purge(store.discard(files(store, ONE), RUN))
    assert store.trashes() == []
    assert names(store) == {TWO, THREE}


def test_what_was_put_again_since_it_was_seen_stays(store: AssetStore) -> None:
    seen = files(store, ONE, TWO)
    wait_until_past(store.stat(ONE).mtime_ns)
    store.remove(ONE)
    put(store, b"one")
    trash = store.discard(seen, RUN)
    assert [file.name for file in trash.files] == [TWO]
    assert names(store) == {ONE, THREE}


def test_what_is_gone_since_it_was_seen_is_nowhere(store: AssetStore) -> None:
    seen = files(store, ONE)
    store.remove(ONE)
    assert store.discard(seen, RUN).files == ()
    assert store.trashes() == []


def test_each_time_has_a_trash_of_its_own(store: AssetStore) -> None:
    runs = [Run.at(time) for time in (NOW, NOW, NOW - timedelta(days=1))]
    stamps = [store.discard(files(store, name), run).stamp for name, run in zip((ONE, TWO, THREE), runs, strict=True)]
    assert stamps == [STAMP, "20260901T100100Z", "20260831T100059Z"]
    assert [trash.stamp for trash in store.trashes()] == [stamps[1], stamps[0], stamps[2]]
    assert [trash.run for trash in store.trashes()] == [runs[1].name, runs[0].name, runs[2].name]
    store.put_back(store.trashes()[1])
    assert names(store) == {ONE}


def test_the_run_is_known_though_only_a_part_was_moved(store: AssetStore) -> None:
    seen = files(store, ONE, TWO)
    store.remove(ONE)
    trash = store.discard(seen, RUN)
    assert [(seen.run, len(seen.files)) for seen in (trash, *store.trashes())] == [(RUN.name, 1)] * 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_store_that_is_not_there_has_no_trash(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    store = opener(kind, tmp_path, request)()
    assert (store.trashes(), store.clean_up()) == ([], 0)


@pytest.mark.parametrize("name", ["20260901T100059Z", "20000229T000000Z"])
def test_stamps(name: str) -> None:
    assert is_stamp(name)
    assert time_of(name).strftime("%Y%m%dT%H%M%SZ") == name


@pytest.mark.parametrize("name", ["", "20260901T100059", "20260931T100059Z", "20260901T250000Z", "2026091T100059Z ", "manifest.json"])
def test_no_stamps(name: str) -> None:
    assert not is_stamp(name)


@pytest.mark.parametrize(
    ("head", "run"),
    [
        (b'{"schema":"sessionkit.trash/1","time":"20260901T100059Z","run":"20260901T100058Z-999999-0123abcd","assets":[\n', RUN_NAME),
        (b'{\n  "time": "20260901T100059Z",\n  "run": "20260901T100058Z-999999-0123abcd",\n', RUN_NAME),
        (b'{"schema":"sessionkit.trash/1","time":"20260901T100059Z","assets":[\n', STAMP),
        (b'{"run":"../../etc","assets":[\n', STAMP),
        (b"", STAMP),
        (b"\xff\x00", STAMP),
    ],
    ids=["ours", "laid out", "older", "odd", "empty", "no text"],
)
def test_which_run_a_manifest_tells(head: bytes, run: str) -> None:
    assert run_of(STAMP, head) == run


def test_runs_of_the_same_moment_are_two() -> None:
    assert Run.at(NOW).name != Run.at(NOW).name
