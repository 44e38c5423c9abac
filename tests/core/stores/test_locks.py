"""Locks of a store in a folder: who excludes whom, and what becomes of those who do not let go."""

from __future__ import annotations

import fcntl
import os
import stat
import threading
import time
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import PNG
from sessionkit.core.stores import LocalStore, LockKind, Stored, StoreMode
from sessionkit.core.stores.locks.locking import Locking
from sessionkit.errors import ExitCode, LockedError
from tests.holding import LOCKINGS, holding, take, waiting
from tests.rights import unprivileged

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WAYS = pytest.mark.parametrize("way", LOCKINGS)
KINDS = list(LockKind)
SHARED, EXCLUSIVE = KINDS
DATA = b"\x89PNG" * 500
NAME = AssetName.of(DATA, PNG)


@pytest.fixture
def images(tmp_path: Path) -> Path:
    folder = tmp_path / "images"
    folder.mkdir()
    return folder


def put(store: LocalStore) -> None:
    store.put(NAME, DATA)


@WAYS
@pytest.mark.parametrize(("held", "wanted"), list(product(KINDS, KINDS)))
def test_only_those_who_put_share_a_store(images: Path, held: LockKind, wanted: LockKind, way: str) -> None:
    with holding(images, held, way) as holder:
        if held is wanted is SHARED:
            take(images, wanted, way)
        else:
            with pytest.raises(LockedError, match=holder.named):
                take(images, wanted, way)
        holder.end()
        take(images, wanted, way)
    assert [path.name for path in images.iterdir() if path.name != ".lock"] == []


@WAYS
def test_the_error_says_who_where_and_what_to_do(images: Path, way: str) -> None:
    with holding(images, SHARED, way), holding(images, SHARED, way), pytest.raises(LockedError) as caught:
        take(images, EXCLUSIVE, way, 0.1)
    error = caught.value
    assert str(error.place) == str(images)
    assert error.why.endswith(" and 1 more; waited 0.1 s")
    assert "--lock-timeout" in error.hint
    assert error.exit_code is ExitCode.FAILED


@WAYS
@pytest.mark.parametrize("held", KINDS)
def test_a_killed_holder_lets_go_at_once(images: Path, held: LockKind, way: str) -> None:
    with holding(images, held, way) as holder:
        holder.kill()
        take(images, EXCLUSIVE, way)
    assert [path.name for path in images.iterdir() if path.name != ".lock"] == []


@WAYS
def test_one_of_several_holders_is_killed(images: Path, way: str) -> None:
    with holding(images, SHARED, way) as killed, holding(images, SHARED, way) as other:
        killed.kill()
        with pytest.raises(LockedError, match=other.named) as caught:
            take(images, EXCLUSIVE, way)
    assert "more" not in caught.value.why


@WAYS
def test_who_has_let_go_is_named_no_more_though_it_runs_on(images: Path, way: str) -> None:
    with holding(images, SHARED, way) as holder:
        take(images, SHARED, way)
        with pytest.raises(LockedError, match=holder.named) as caught:
            take(images, EXCLUSIVE, way)
    assert "more" not in caught.value.why


@WAYS
@pytest.mark.parametrize(("held", "wanted"), [(SHARED, EXCLUSIVE), (EXCLUSIVE, SHARED), (EXCLUSIVE, EXCLUSIVE)])
def test_who_waits_gets_it_when_the_others_are_done(images: Path, held: LockKind, wanted: LockKind, way: str) -> None:
    with holding(images, held, way) as holder, waiting(images, wanted, way) as waiter:
        time.sleep(0.1)
        holder.end()
        waiter.wait()
        with pytest.raises(LockedError, match=waiter.named):
            take(images, EXCLUSIVE, way)


@WAYS
def test_who_wants_it_alone_need_not_wait_until_nobody_comes_any_more(images: Path, way: str) -> None:
    is_over = threading.Event()

    def share_in_turn() -> None:
        while not is_over.is_set():
            with LocalStore(images, locking=LOCKINGS[way]) as store, store.lock(SHARED, 30):
                time.sleep(0.05)

    threads = [threading.Thread(target=share_in_turn) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        take(images, EXCLUSIVE, way, 5)
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


@WAYS
def test_who_wants_it_alone_lets_those_pass_that_others_wait_for(images: Path, way: str) -> None:
    """A process that holds the lock may wait for one that only wants it."""
    with holding(images, SHARED, way) as holder, waiting(images, EXCLUSIVE, way) as waiter:
        time.sleep(0.3)
        take(images, SHARED, way, 60)
        holder.end()
        waiter.wait()


def test_of_those_who_are_there_only_those_in_the_way_are_named(images: Path) -> None:
    with holding(images, SHARED, "lock files"), waiting(images, EXCLUSIVE, "lock files") as waiter:
        time.sleep(0.3)
        with pytest.raises(LockedError, match=waiter.named) as caught:
            take(images, SHARED, "lock files")
    assert "more" not in caught.value.why


def test_who_is_just_letting_go_is_no_reason_to_fail(images: Path) -> None:
    busy = iter([True])

    def flock(file: int, operation: int) -> None:
        if stat.S_ISREG(os.fstat(file).st_mode) and next(busy, False):
            raise BlockingIOError
        fcntl.flock(file, operation)

    with LocalStore(images, locking=Locking(flock=flock)) as store, store.lock(EXCLUSIVE, 0):
        pass


@WAYS
def test_the_first_put_shares_the_lock_until_the_store_is_closed(images: Path, way: str) -> None:
    with LocalStore(images, locking=LOCKINGS[way]) as store:
        take(images, EXCLUSIVE, way)
        store.put(NAME, DATA)
        store.flush()
        take(images, SHARED, way)
        with pytest.raises(LockedError):
            take(images, EXCLUSIVE, way)
        store.close()
        take(images, EXCLUSIVE, way)
        store.put(NAME, DATA)
        with pytest.raises(LockedError):
            take(images, EXCLUSIVE, way)
    take(images, EXCLUSIVE, way)


@WAYS
def test_a_put_waits_and_fails(images: Path, way: str) -> None:
    with holding(images, EXCLUSIVE, way) as holder, LocalStore(images, locking=replace(LOCKINGS[way], timeout=0)) as store:
        with pytest.raises(LockedError, match=holder.named):
            store.put(NAME, DATA)
        holder.end()
        store.put(NAME, DATA)
        store.flush()
    assert (images / NAME.file_name).read_bytes() == DATA


@WAYS
def test_under_a_lock_of_ones_own_nothing_waits(images: Path, way: str) -> None:
    with LocalStore(images, locking=replace(LOCKINGS[way], timeout=0)) as store, store.lock(EXCLUSIVE, 0):
        store.put(NAME, DATA)
        store.flush()
    with LocalStore(images, locking=replace(LOCKINGS[way], timeout=None)) as store, holding(images, EXCLUSIVE, way):
        store.put(AssetName.of(b"more", PNG), b"more")
        store.flush()


@WAYS
def test_looking_needs_no_lock(images: Path, way: str) -> None:
    with LocalStore(images) as store:
        store.put(NAME, DATA)
        store.flush()
    with holding(images, EXCLUSIVE, way), LocalStore(images, locking=replace(LOCKINGS[way], timeout=0)) as store:
        assert store.check(NAME).size == len(DATA)
        assert [file.name for file in store.files()] == [NAME]
        assert list(store.inventory().strangers) == []


def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    images = tmp_path / "new" / "images"
    take(images, EXCLUSIVE)
    assert not images.parent.exists()
    with LocalStore(images) as store, store.lock(SHARED, 0):
        with pytest.raises(LockedError):
            take(images, EXCLUSIVE)
        store.put(NAME, DATA)
        store.flush()
    assert [path.name for path in images.iterdir()] == [NAME.file_name]


def test_a_folder_that_was_made_for_the_lock_goes_with_it(tmp_path: Path) -> None:
    take(tmp_path / "images", SHARED)
    assert list(tmp_path.iterdir()) == []


def test_a_store_at_rest_holds_nothing_of_the_lock(images: Path) -> None:
    with LocalStore(images) as store, LocalStore(images) as another:
        put(store)
        put(another)
        store.flush()
        assert min(path.name for path in images.iterdir()) == ".lock"
    assert [path.name for path in images.iterdir()] == [NAME.file_name]


@pytest.mark.parametrize(("session", "mode"), [(0o600, 0o600), (0o644, 0o644)])
def test_who_may_read_the_assets_may_see_the_lock(images: Path, session: int, mode: int) -> None:
    with LocalStore(images, StoreMode.for_session(session)) as store:
        put(store)
        assert stat.S_IMODE((images / ".lock").stat().st_mode) == mode


@unprivileged
def test_a_folder_that_may_not_be_written_is_not_locked(images: Path) -> None:
    with LocalStore(images) as store:
        put(store)
        store.flush()
    images.chmod(0o500)
    try:
        for way in LOCKINGS:
            with LocalStore(images, locking=LOCKINGS[way]) as store:
                assert store.put(NAME, DATA) is Stored.REUSED
                store.flush()
    finally:
        images.chmod(0o700)


@unprivileged
def test_a_lock_that_may_not_be_written_is_respected(images: Path) -> None:
    with holding(images, EXCLUSIVE) as holder:
        (images / ".lock").chmod(0o400)
        images.chmod(0o500)
        try:
            with pytest.raises(LockedError, match=holder.named):
                take(images, SHARED)
        finally:
            images.chmod(0o700)


@unprivileged
@pytest.mark.parametrize("kind", LockKind)
def test_a_lock_that_may_not_be_opened_is_not_taken_where_assets_could_be_put(images: Path, kind: LockKind) -> None:
    with holding(images, SHARED):
        (images / ".lock").chmod(0)
        with pytest.raises(LockedError, match="mode 0000 keeps this one out") as caught:
            take(images, kind)
    assert str(caught.value.place) == str(images / ".lock")
    assert "remove the file" in caught.value.hint


@unprivileged
def test_one_that_may_not_be_opened_is_waited_for(images: Path) -> None:
    with holding(images, SHARED) as holder:
        (images / ".lock").chmod(0)
        with waiting(images, EXCLUSIVE) as waiter:
            time.sleep(0.1)
            holder.end()
            waiter.wait()


@unprivileged
def test_a_lock_file_that_may_not_be_read_counts_for_a_day(images: Path) -> None:
    with holding(images, SHARED, "lock files") as holder:
        (path,) = images.glob(".lock.*")
        path.chmod(0)
        for kind in LockKind:
            with pytest.raises(LockedError, match=rf"held by process {holder.process.pid} on \S+ \(of another user\) since"):
                take(images, kind, "lock files")
        os.utime(path, (time.time() - 25 * 3600,) * 2)
        take(images, EXCLUSIVE, "lock files")


@pytest.fixture(params=[0o077, 0], ids=oct)
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.parametrize(
    ("folder", "lock"), [(0o700, 0o600), (0o755, 0o600), (0o775, 0o660), (0o720, 0o660), (0o1777, 0o666), (0o702, 0o606)], ids=oct
)
@WAYS
@pytest.mark.usefixtures("_umask")
def test_whoever_may_put_assets_may_open_the_lock(images: Path, folder: int, lock: int, way: str) -> None:
    images.chmod(folder)
    with LocalStore(images, locking=LOCKINGS[way]) as store, store.lock(SHARED, 0):
        assert {stat.S_IMODE(path.stat().st_mode) for path in images.iterdir()} == {lock}


def test_a_lock_of_an_older_version_is_opened_to_the_others(images: Path) -> None:
    images.chmod(0o770)
    (images / ".lock").touch(0o600)
    with LocalStore(images) as store, store.lock(SHARED, 0):
        assert stat.S_IMODE((images / ".lock").stat().st_mode) == 0o660


@pytest.mark.parametrize("content", [b"secret", b"exclusive pid=1\n"])
def test_a_file_that_somebody_put_in_its_place_is_not_opened_to_anybody(images: Path, content: bytes) -> None:
    images.chmod(0o777)
    (images / ".lock").write_bytes(content)
    (images / ".lock").chmod(0o600)
    take(images, EXCLUSIVE)
    assert stat.S_IMODE((images / ".lock").stat().st_mode) == 0o600


def test_a_file_with_another_name_is_not_opened_to_anybody(images: Path) -> None:
    images.chmod(0o777)
    (images.parent / "empty").touch(0o600)
    os.link(images.parent / "empty", images / ".lock")
    take(images, EXCLUSIVE)
    assert stat.S_IMODE((images / ".lock").stat().st_mode) == 0o600
