"""What every kind of asset store does."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import PNG
from sessionkit.core.stores import AssetCheck, AssetStat, AssetStore, Inventory, LockKind, Stored, StoredFile
from sessionkit.core.stores.locks.locking import Locking
from sessionkit.errors import AssetMissingError, LockedError
from tests.core.stores.kinds import KINDS, Opener, opener

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MIB = 1 << 20
SIZES = [0, 1, 2, 3, 1000, 1 << 16, (1 << 16) + 1, 4 * MIB, 4 * MIB + 1, 9 * MIB + 7]


def content(size: int) -> bytes:
    return (hashlib.sha256(b"%d" % size).digest() * (size // 32 + 1))[:size]


def named(data: bytes) -> tuple[AssetName, bytes]:
    return AssetName.of(data, PNG), data


@pytest.fixture(params=KINDS)
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    return opener(request.param, tmp_path, request)


@pytest.fixture
def store(open_store: Opener) -> Iterator[AssetStore]:
    with open_store() as store:
        yield store


@pytest.mark.parametrize("size", SIZES)
def test_what_is_put_can_be_read(store: AssetStore, size: int) -> None:
    name, data = named(content(size))
    assert store.put(name, data) is Stored.NEW
    store.flush()
    with store.open(name) as reader:
        assert (reader.name, reader.size) == (name, size)
        assert b"".join(map(bytes, reader.chunks())) == data
    assert (store.check(name).size, store.check(name).head) == (size, data[: 1 << 16])
    assert store.glance(name) == AssetCheck(size, data[: 1 << 16])
    assert store.stat(name).size == size


@pytest.mark.parametrize("size", [0, 4 * MIB, 4 * MIB + 1, 9 * MIB + 7])
def test_chunks_can_be_encoded_one_by_one(store: AssetStore, size: int) -> None:
    name, data = named(content(size))
    store.put(name, data)
    store.flush()
    with store.open(name) as reader:
        lengths = [len(memoryview(chunk)) for chunk in reader.chunks()]
    assert all(length % 3 == 0 for length in lengths[:-1])
    assert max(lengths, default=0) <= 4 * MIB


@pytest.mark.parametrize("convert", [bytes, bytearray, memoryview])
def test_any_buffer_can_be_put(store: AssetStore, convert: Callable[[bytes], bytes]) -> None:
    name, data = named(content(1000))
    store.put(name, convert(data))
    store.flush()
    assert store.check(name).head == data


def test_the_same_object_knows_what_it_put(store: AssetStore) -> None:
    name, data = named(b"once")
    assert [store.put(name, data), store.put(name, data)] == [Stored.NEW, Stored.KNOWN]
    store.flush()
    assert store.put(name, data) is Stored.KNOWN


def test_another_object_reuses_it(open_store: Opener) -> None:
    name, data = named(content(MIB))
    for expected in (Stored.NEW, Stored.REUSED):
        with open_store() as store:
            assert store.put(name, data) is expected
            store.flush()
            assert store.check(name).size == MIB


def test_many_assets(open_store: Opener) -> None:
    assets = dict(named(b"%d" % number) for number in range(40))
    with open_store() as store:
        assert {store.put(name, data) for name, data in assets.items()} == {Stored.NEW}
        store.flush()
    with open_store() as store:
        assert {file.name: file.stat.size for file in store.files()} == {name: len(data) for name, data in assets.items()}
        assert {store.put(name, data) for name, data in assets.items()} == {Stored.REUSED}
        store.flush()
        assert list(store.inventory().strangers) == []


def test_a_store_that_was_never_written_to_is_empty(store: AssetStore) -> None:
    name, _ = named(b"nothing")
    store.flush()
    assert store.inventory() == Inventory((), ())
    for look in (store.open, store.check, store.stat, store.remove):
        with pytest.raises(AssetMissingError, match=name.digest) as caught:
            look(name)
        assert caught.value.hint


def test_a_removed_asset_is_gone(store: AssetStore) -> None:
    name, data = named(b"short-lived")
    store.put(name, data)
    store.flush()
    (file,) = store.files()
    assert file == StoredFile(name, AssetStat(len(data), file.stat.mtime_ns))
    store.remove(name)
    assert list(store.files()) == []
    with pytest.raises(AssetMissingError):
        store.check(name)
    assert store.put(name, data) is Stored.NEW


def test_a_closed_store_starts_anew(store: AssetStore) -> None:
    name, data = named(b"again")
    store.put(name, data)
    store.flush()
    store.close()
    assert store.put(name, data) is Stored.REUSED


def test_what_was_put_is_held_and_nothing_else_is(store: AssetStore) -> None:
    name, data = named(b"held")
    assert not store.holds(name, data)
    store.put(name, data)
    assert store.holds(name, data)
    assert not store.holds(name, b"hurt")
    assert not store.holds(*named(b"other"))
    store.close()
    assert not store.holds(name, data)


def test_the_first_put_shares_the_lock_until_the_store_is_closed(open_store: Opener) -> None:
    name, data = named(b"locked")
    with open_store() as store, open_store() as another:
        store.put(name, data)
        another.put(name, data)
        store.flush()
        store.close()
        with pytest.raises(LockedError, match="process"), another.lock(LockKind.EXCLUSIVE, 0):
            pass
        another.close()
        with another.lock(LockKind.EXCLUSIVE, 0):
            pass


def test_alone_means_alone(open_store: Opener) -> None:
    name, data = named(b"waits")
    with open_store() as store, open_store(Locking(timeout=0)) as another:
        store.put(name, data)
        store.flush()
        store.close()
        with store.lock(LockKind.EXCLUSIVE, 0):
            with pytest.raises(LockedError):
                another.put(name, data)
            for kind in LockKind:
                with pytest.raises(LockedError), another.lock(kind, 0):
                    pass
            assert another.check(name).size == len(data)
            store.put(*named(b"under it"))
            store.flush()
        assert another.put(name, data) is Stored.REUSED


def test_a_store_whose_lock_somebody_else_holds_for_it(open_store: Opener) -> None:
    with open_store() as store, open_store(Locking(timeout=None)) as part, store.lock(LockKind.SHARED, 0):
        assert part.put(*named(b"part")) is Stored.NEW
        part.flush()
        part.close()
        with pytest.raises(LockedError), part.lock(LockKind.EXCLUSIVE, 0):
            pass


def test_leftovers_are_none(open_store: Opener) -> None:
    with open_store() as store:
        store.put(*named(b"whole"))
        store.flush()
        assert open_store().clean_up() == 0
        assert [file.stat.size for file in store.files()] == [5]
