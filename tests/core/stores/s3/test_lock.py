"""The lock of a store in a bucket: what it survives, and what ends it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import PNG
from sessionkit.core.stores import LockKind
from sessionkit.core.stores.locks.holder import Holder
from sessionkit.core.stores.locks.locking import Locking
from sessionkit.core.stores.s3.claims import Claim, State, content_of, parse_claims
from sessionkit.core.stores.s3.lock import LockObject, S3Lock, Terms
from sessionkit.core.stores.s3.store import S3Store
from sessionkit.core.stores.trash import Run
from sessionkit.errors import LockedError, UnreachableError
from tests.buckets import CARELESS, QUICK, client

if TYPE_CHECKING:
    from sessionkit.core.stores.addresses import Bucket

SHARED, EXCLUSIVE = LockKind
NOW = 2_000_000_000
NAME = AssetName.of(b"data", PNG)


@dataclass
class Clock:
    """A clock that is set by hand."""

    now: float = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def lock(bucket: Bucket, clock: Clock) -> LockObject:
    return LockObject(client(bucket), f"{bucket.folder}/.lock", bucket.place(".lock"), clock)


def elsewhere(kind: LockKind, until: int, state: State = State.HELD) -> Claim:
    """Claim of a process of another machine, of which nothing else is known."""
    holder = replace(Holder.this_process(kind, NOW), host="elsewhere", pid=77)
    return Claim(state, "0123456789abcdef", until, holder)


def take(lock: LockObject, kind: LockKind, timeout: float = 0) -> None:
    S3Lock(lock).acquire(kind, timeout).release()


def test_the_object_names_the_holders(lock: LockObject) -> None:
    held = [S3Lock(lock).acquire(SHARED, 0) for _ in range(2)]
    _, claims = lock.read()
    assert [(claim.state, claim.until, claim.holder.kind) for claim in claims] == [(State.HELD, NOW + 300, SHARED)] * 2
    with pytest.raises(LockedError, match=r"held by process \d+ on \S+ \(.*\) since 2033-05-18T03:33:20Z and 1 more; waited 0 s") as caught:
        take(lock, EXCLUSIVE)
    assert str(caught.value.place) == lock.place
    for each in held:
        each.release()
    assert lock.read()[1] == []
    assert bytes(lock.client.get(lock.key).whole()) == b""


@pytest.mark.parametrize("held", list(LockKind))
def test_who_is_cut_off_is_in_nobodys_way_for_ever(lock: LockObject, clock: Clock, held: LockKind) -> None:
    lock.write(None, [elsewhere(held, NOW + 300)])
    clock.now += 299
    with pytest.raises(LockedError, match="process 77 on elsewhere"):
        take(lock, EXCLUSIVE)
    clock.now += 1
    take(lock, EXCLUSIVE)


def test_a_killed_process_of_this_host_is_in_nobodys_way_at_all(lock: LockObject) -> None:
    claim = elsewhere(EXCLUSIVE, NOW + 300)
    lock.write(None, [replace(claim, holder=replace(Holder.this_process(EXCLUSIVE, NOW), pid=999_999_999))])
    take(lock, SHARED)


def test_who_renews_keeps_it(lock: LockObject, clock: Clock) -> None:
    held = S3Lock(lock).acquire(SHARED, 0)
    clock.now += 200
    held.renew()
    clock.now += 200
    held.require()
    with pytest.raises(LockedError):
        take(lock, EXCLUSIVE)
    held.release()
    take(lock, EXCLUSIVE)


def test_it_renews_by_itself(lock: LockObject, clock: Clock) -> None:
    held = S3Lock(replace(lock, terms=Terms(renewal=0.01))).acquire(SHARED, 0)
    clock.now += 100
    while lock.read()[1][0].until < NOW + 400:
        time.sleep(0.01)
    held.release()


@pytest.mark.parametrize("why", ["not renewed in time", "taken by another", "object removed"])
def test_a_lock_that_was_lost(lock: LockObject, clock: Clock, why: str) -> None:
    held = S3Lock(lock).acquire(SHARED, 0)
    match why:
        case "not renewed in time":
            clock.now += 239
            held.require()
            clock.now += 1
        case "taken by another":
            clock.now += 301
            other = S3Lock(lock).acquire(EXCLUSIVE, 0)
            clock.now -= 250
            held.renew()
            assert lock.read()[1][0].holder.kind is EXCLUSIVE
            other.release()
        case _:
            lock.client.delete([lock.key])
            held.renew()
    with pytest.raises(LockedError, match="lost"):
        held.require()
    held.release()
    take(lock, EXCLUSIVE)


def test_a_session_is_not_published_when_the_lock_was_lost(bucket: Bucket, clock: Clock) -> None:
    with S3Store(bucket, Locking(clock=clock), QUICK) as store:
        store.put(NAME, b"data")
        store.flush()
        clock.now += 300
        with pytest.raises(LockedError, match="lost"):
            store.flush()


def test_nothing_is_taken_away_when_the_lock_was_lost(bucket: Bucket, clock: Clock) -> None:
    with S3Store(bucket, Locking(clock=clock), QUICK) as store:
        store.put(NAME, b"data")
        store.flush()
        store.close()
        with store.lock(EXCLUSIVE, 0):
            clock.now += 300
            with pytest.raises(LockedError, match="lost"):
                store.discard(list(store.files()), Run.at(datetime.now(UTC)))
        assert store.trashes() == []
        assert store.check(NAME).size == 4


def test_newcomers_wait_for_who_wants_it_alone(lock: LockObject, clock: Clock) -> None:
    lock.write(None, [elsewhere(EXCLUSIVE, NOW + 5, State.WANTED)])
    waiting = threading.Thread(target=take, args=(lock, SHARED, 30))
    waiting.start()
    time.sleep(0.2)
    assert [claim.holder.pid for claim in lock.read()[1]] == [77]
    clock.now += 5
    waiting.join()


def test_but_not_longer_than_they_have_to(lock: LockObject) -> None:
    lock.write(None, [elsewhere(EXCLUSIVE, NOW + 5, State.WANTED)])
    take(lock, SHARED)
    take(lock, EXCLUSIVE)


def test_who_wants_it_alone_says_so_and_gets_it(lock: LockObject) -> None:
    held = S3Lock(lock).acquire(SHARED, 0)
    waiting = threading.Thread(target=take, args=(lock, EXCLUSIVE, 30))
    waiting.start()
    while [claim.state for claim in lock.read()[1]] != [State.HELD, State.WANTED]:
        time.sleep(0.01)
    held.release()
    waiting.join()
    assert lock.read()[1] == []


def test_many_at_once_lose_nothing(lock: LockObject) -> None:
    """Each change is made of the version before it: a lost one would leave a line behind, or take another's away."""
    inside: list[LockKind] = []
    wrong: list[list[LockKind]] = []

    def work(kind: LockKind) -> None:
        for _ in range(3):
            held = S3Lock(lock).acquire(kind, 60)
            inside.append(kind)
            if EXCLUSIVE in inside and len(inside) > 1:
                wrong.append(list(inside))
            time.sleep(0.005)
            inside.remove(kind)
            held.release()

    threads = [threading.Thread(target=work, args=(kind,)) for kind in (SHARED, SHARED, SHARED, EXCLUSIVE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert bytes(lock.client.get(lock.key).whole()) == b""


@pytest.mark.parametrize("content", [b"somebody's notes\n", b"\n", b"held 0123456789abcdef until=1 nobody\n"])
def test_what_others_wrote_is_not_written_over(bucket: Bucket, lock: LockObject, content: bytes) -> None:
    lock.client.put(lock.key, content)
    with S3Store(bucket, None, QUICK) as store, pytest.raises(UnreachableError, match="has not written") as caught:
        store.put(NAME, b"data")
    assert str(caught.value.place) == lock.place
    assert bytes(lock.client.get(lock.key).whole()) == content


def test_a_server_that_passes_over_conditions_is_refused(bucket: Bucket) -> None:
    careless = replace(bucket, name=CARELESS)
    for _ in range(2):
        with S3Store(careless, None, QUICK) as store, pytest.raises(UnreachableError, match="whatever the conditions are"):
            store.put(NAME, b"data")
    assert client(careless).all_below(careless.folder) == []


def test_lines_come_back() -> None:
    claims = [elsewhere(kind, NOW, state) for kind in LockKind for state in State]
    assert parse_claims(content_of(claims)) == claims
