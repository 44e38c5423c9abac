"""What a store in a bucket promises beyond what every store does: keys, damage, neighbours."""

from __future__ import annotations

import json
import os
import threading
import time
from contextlib import closing
from datetime import UTC, datetime
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import JPEG, PNG
from sessionkit.core.stores import LockKind, Stored
from sessionkit.core.stores.addresses import Bucket
from sessionkit.core.stores.s3.client import Client
from sessionkit.core.stores.s3.store import S3Store
from sessionkit.core.stores.trash import Run
from sessionkit.errors import AssetCorruptError, AssetMissingError, UnreachableError
from tests.buckets import QUICK, client, keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.core.stores.s3.client import ObjectStat

DATA = b"\x89PNG" * 5000
NAME = AssetName.of(DATA, PNG)
MIB = 1 << 20
LARGE = bytes(range(256)) * (9 * 4096)
LARGE_NAME = AssetName.of(LARGE, PNG)
STAMP = "20260901T100000Z"
RUN = Run.at(datetime(2026, 9, 1, 10, tzinfo=UTC))


@pytest.fixture
def raw(bucket: Bucket) -> Client:
    return client(bucket)


def key(bucket: Bucket, name: AssetName = NAME) -> str:
    return f"{bucket.prefix}/images/{name.file_name}"


def put(bucket: Bucket, data: bytes = DATA) -> Stored:
    with S3Store(bucket, None, QUICK) as store:
        found = store.put(AssetName.of(data, PNG), data)
        store.flush()
    return found


def test_names_of_objects(bucket: Bucket, raw: Client) -> None:
    put(bucket)
    assert [name for name, _ in raw.all_below(bucket.prefix)] == ["images/.lock", f"images/{NAME.file_name}"]
    assert bytes(raw.get(key(bucket)).whole()) == DATA


def test_without_a_prefix(bucket: Bucket) -> None:
    with S3Store(Bucket(bucket.name), None, QUICK) as store:
        store.put(NAME, DATA)
        store.flush()
        assert [file.name for file in store.files()] == [NAME]
        store.remove(NAME)
    assert (store.address, str(bucket)) == ("s3://assets", f"s3://assets/{bucket.prefix}")


@pytest.mark.parametrize("torn", [b"", DATA[:100], DATA[:-1] + b"!"])
def test_what_is_not_the_asset_is_replaced_and_never_handed_out(bucket: Bucket, raw: Client, torn: bytes) -> None:
    raw.put(key(bucket), torn)
    with S3Store(bucket, None, QUICK) as store:
        with pytest.raises(AssetCorruptError, match=AssetName.of(torn, PNG).digest) as caught:
            store.check(NAME)
        with pytest.raises(AssetCorruptError), store.open(NAME) as reader:
            next(reader.chunks())
    assert str(caught.value.place) == bucket.place(NAME.file_name)
    assert put(bucket) is Stored.REPAIRED
    assert bytes(raw.get(key(bucket)).whole()) == DATA
    assert put(bucket) is Stored.REUSED


def test_a_tag_that_is_no_hash_is_not_believed(bucket: Bucket, raw: Client) -> None:
    """An object that came in parts has such a tag, and so has one that the server encrypts."""
    raw._obstore.put(raw._store, key(bucket), DATA, use_multipart=True)
    assert "-" in raw.stat(key(bucket)).tag
    assert put(bucket) is Stored.REUSED
    raw._obstore.put(raw._store, key(bucket), DATA[:-1] + b"!", use_multipart=True)
    assert put(bucket) is Stored.REPAIRED


def test_a_reused_asset_is_as_young_as_a_new_one(bucket: Bucket) -> None:
    put(bucket)
    store = S3Store(bucket, None, QUICK)
    before = store.stat(NAME).mtime_ns
    while time.time_ns() <= before:
        time.sleep(0.01)
    assert put(bucket) is Stored.REUSED
    assert store.stat(NAME).mtime_ns > before
    assert {file.name: file.stat for file in store.files()} == {NAME: store.stat(NAME)}


def test_several_writers_of_the_same_asset(bucket: Bucket) -> None:
    found: list[Stored] = []
    threads = [threading.Thread(target=lambda: found.append(put(bucket))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(stored.name for stored in found) == ["NEW", "REUSED", "REUSED", "REUSED"]
    assert S3Store(bucket, None, QUICK).check(NAME).size == len(DATA)


class Raced(Client):
    """Another writes something after every look."""

    def stat(self, key: str) -> ObjectStat:
        try:
            return super().stat(key)
        finally:
            self.put(key, DATA[:10])


def test_one_is_faster_between_look_and_write(bucket: Bucket, raw: Client) -> None:
    with S3Store(bucket, None, QUICK) as store:
        store._client = Raced(bucket, QUICK)
        assert store.put(NAME, DATA) is Stored.REPAIRED
    assert bytes(raw.get(key(bucket)).whole()) == DATA


@pytest.mark.parametrize("place", [0, len(LARGE) - 1])
def test_a_large_asset_is_checked_before_its_first_byte_is_used(bucket: Bucket, raw: Client, place: int) -> None:
    put(bucket, LARGE)
    torn = bytearray(LARGE)
    torn[place] ^= 1
    raw.put(key(bucket, LARGE_NAME), torn)
    with S3Store(bucket, None, QUICK).open(LARGE_NAME) as reader, pytest.raises(AssetCorruptError):
        next(reader.chunks())


def test_a_large_asset_that_is_replaced_while_it_is_read(bucket: Bucket, raw: Client) -> None:
    put(bucket, LARGE)
    with S3Store(bucket, None, QUICK).open(LARGE_NAME) as reader:
        raw.put(key(bucket, LARGE_NAME), LARGE[1:])
        with pytest.raises(AssetCorruptError, match="changed while it was read"):
            next(reader.chunks())


def test_a_look_reads_no_more_than_the_beginning(bucket: Bucket) -> None:
    put(bucket, LARGE)
    check = S3Store(bucket, None, QUICK).glance(LARGE_NAME)
    assert (check.size, check.head) == (len(LARGE), LARGE[: 1 << 16])


def test_assets_and_strangers(bucket: Bucket, raw: Client) -> None:
    put(bucket)
    jpeg = AssetName.of(b"jpeg", JPEG)
    for name in (jpeg.file_name, "notes.txt", "0" * 64, "folder/a.png", f".trash/{STAMP}/{NAME.file_name}"):
        raw.put(f"{bucket.folder}/{name}", b"jpeg")
    store = S3Store(bucket, None, QUICK)
    assert {file.name for file in store.files()} == {NAME, jpeg}
    assert set(store.inventory().strangers) == {"images/notes.txt", f"images/{'0' * 64}", "images/folder"}
    assert [(trash.stamp, len(trash.files)) for trash in store.trashes()] == [(STAMP, 1)]


def put_raw(url: str, key: str) -> None:
    """Write an object whose key the library refuses."""
    with closing(HTTPConnection(url.removeprefix("http://"))) as server:
        server.request("PUT", f"/{key}", b"")
        server.getresponse()


def test_objects_that_stand_for_folders(bucket: Bucket, bucket_server: str) -> None:
    """Other programs write some, so that a folder is there without anything in it."""
    put_raw(bucket_server, f"{bucket.name}/{bucket.folder}/")
    put_raw(bucket_server, f"{bucket.name}/{bucket.folder}/.trash/")
    put(bucket)
    store = S3Store(bucket, None, QUICK)
    assert ([file.name for file in store.files()], list(store.inventory().strangers), store.trashes()) == ([NAME], [], [])


def test_a_key_that_cannot_be_asked_for(bucket: Bucket, bucket_server: str) -> None:
    put(bucket)
    put_raw(bucket_server, f"{bucket.name}/{bucket.folder}/.trash//x")
    store = S3Store(bucket, None, QUICK)
    assert [file.name for file in store.files()] == [NAME]
    with pytest.raises(UnreachableError, match="a part of its key is empty"):
        store.trashes()


def test_manifest(bucket: Bucket, raw: Client) -> None:
    put(bucket)
    with S3Store(bucket, None, QUICK) as store, store.lock(LockKind.EXCLUSIVE, 0):
        files = list(store.files())
        store.discard(files, RUN)
    assert keys(bucket) == [f".trash/{STAMP}/{NAME.file_name}", f".trash/{STAMP}/manifest.json"]
    assert json.loads(bytes(raw.get(f"{bucket.folder}/.trash/{STAMP}/manifest.json").whole())) == {
        "schema": "sessionkit.trash/1",
        "time": STAMP,
        "run": RUN.name,
        "assets": [{"asset": NAME.reference, "bytes": len(DATA), "mtime_ns": files[0].stat.mtime_ns}],
    }


def test_a_run_that_is_killed_between_copying_and_deleting_loses_nothing(bucket: Bucket, raw: Client) -> None:
    put(bucket)
    raw.put(f"{bucket.folder}/.trash/{STAMP}/manifest.json", b"{}")
    raw.copy(key(bucket), f"{bucket.folder}/.trash/{STAMP}/{NAME.file_name}")
    with S3Store(bucket, None, QUICK) as store, store.lock(LockKind.EXCLUSIVE, 0):
        assert store.put_back(store.trashes()[0]) == []
    assert keys(bucket) == [NAME.file_name]


def test_a_trash_in_which_nothing_came_is_removed_unless_somebody_is_at_work(bucket: Bucket, raw: Client) -> None:
    put(bucket)
    raw.put(f"{bucket.folder}/.trash/{STAMP}/manifest.json", b"{}")
    with S3Store(bucket, None, QUICK) as store, store.lock(LockKind.SHARED, 0):
        S3Store(bucket, None, QUICK).clean_up()
        assert len(keys(bucket)) == 2
    store.clean_up()
    assert keys(bucket) == [NAME.file_name]


class Interrupted(Client):
    """The first removal of several objects stops after one."""

    is_done = False

    def delete(self, keys: Sequence[str]) -> None:
        if self.is_done or len(keys) == 1:
            super().delete(keys)
            return
        super().delete(keys[:1])
        self.is_done = True
        raise KeyboardInterrupt


def test_what_cannot_be_moved_stays_with_all_the_others(bucket: Bucket) -> None:
    for data in (DATA, b"one", b"two"):
        put(bucket, data)
    before = keys(bucket)
    with S3Store(bucket, None, QUICK) as store, store.lock(LockKind.EXCLUSIVE, 0):
        store._client = Interrupted(bucket, QUICK)
        with pytest.raises(KeyboardInterrupt):
            store.discard(list(store.files()), RUN)
    assert keys(bucket) == before
    assert all(S3Store(bucket, None, QUICK).is_whole(AssetName.of(data, PNG)) for data in (DATA, b"one", b"two"))


def test_what_is_missing_is_told_from_a_bucket_that_is(bucket: Bucket) -> None:
    store = S3Store(bucket, None, QUICK)
    with pytest.raises(AssetMissingError) as caught:
        store.stat(NAME)
    assert str(caught.value.place) == bucket.place(NAME.file_name)
    nowhere = S3Store(Bucket("nowhere", "x"), None, QUICK)
    for look in (nowhere.stat, nowhere.open, nowhere.check):
        with pytest.raises(UnreachableError, match="NoSuchBucket"):
            look(NAME)


def test_a_forked_process_is_refused_and_does_not_hang(bucket: Bucket) -> None:
    put(bucket)
    child = os.fork()
    if not child:
        try:
            put(bucket)
        except Exception as error:  # noqa: BLE001  the child says what it is
            os._exit(7 if "forked" in str(error) and "-j 1" in str(error) else 8)
        os._exit(9)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
