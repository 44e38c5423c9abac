"""What a store in a folder promises beyond what every store does: names on disk, links, modes, crashes, neighbours."""

from __future__ import annotations

import os
import resource
import socket
import stat
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.files import Durability, is_temporary
from sessionkit.core.sniff import JPEG, PNG
from sessionkit.core.stores import LocalStore, Stored
from sessionkit.errors import AssetCorruptError, UnwritableError

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = b"\x89PNG" * 5000
NAME = AssetName.of(DATA, PNG)
BOTH = pytest.mark.parametrize("durability", list(Durability))
MIB = 1 << 20


def names(folder: Path) -> list[str]:
    """All but the lock, which stands there while a store is open that was put into."""
    return sorted(path.name for path in folder.iterdir() if path.name != ".lock")


@pytest.fixture
def images(tmp_path: Path) -> Path:
    return tmp_path / "images"


@pytest.fixture
def stored(images: Path) -> Path:
    """Path of an asset that a store holds."""
    with LocalStore(images) as store:
        store.put(NAME, DATA)
        store.flush()
    return images / NAME.file_name


def test_the_file_is_named_by_what_sha256sum_says(stored: Path) -> None:
    said = subprocess.run(["sha256sum", stored], capture_output=True, text=True, check=True).stdout
    assert stored.name == f"{said.split()[0]}.png"


def test_nothing_has_its_name_before_the_flush(images: Path) -> None:
    with LocalStore(images) as store:
        store.put(NAME, DATA)
        assert [is_temporary(name) for name in names(images)] == [True]
        store.flush()
        assert names(images) == [NAME.file_name]


def test_not_synced_it_has_its_name_at_once(images: Path) -> None:
    with LocalStore(images, durability=Durability.NO_SYNC) as store:
        store.put(NAME, DATA)
        assert names(images) == [NAME.file_name]


def test_few_files_are_open_at_a_time(images: Path) -> None:
    with LocalStore(images) as store:
        for number in range(300):
            store.put(AssetName.of(b"%d" % number, PNG), b"%d" % number)
            assert sum(map(is_temporary, names(images))) <= 64


@BOTH
def test_what_was_not_flushed_is_given_up(images: Path, durability: Durability) -> None:
    with LocalStore(images, durability=durability) as store:
        store.put(NAME, DATA)
    assert not any(map(is_temporary, names(images)))


def test_after_a_failed_put_the_store_forgets_what_it_gave_up(images: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with LocalStore(images) as store:
        store.put(NAME, DATA)
        resource.setrlimit(resource.RLIMIT_FSIZE, (MIB, before[1]))
        try:
            with pytest.raises(UnwritableError, match="file too large"):
                store.put(AssetName.of(bytes(2 * MIB), PNG), bytes(2 * MIB))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert names(images) == []
        assert store.put(NAME, DATA) is Stored.NEW
        store.flush()
        assert names(images) == [NAME.file_name]


def torn(path: Path) -> None:
    path.write_bytes(DATA[:100])


def same_size(path: Path) -> None:
    path.write_bytes(DATA[:-1] + b"!")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def link(path: Path) -> None:
    path.unlink()
    (path.parent.parent / "secret").write_bytes(DATA)
    path.symlink_to("../secret")


def dangling(path: Path) -> None:
    path.unlink()
    path.symlink_to("../nowhere")


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def unix_socket(path: Path) -> None:
    path.unlink()
    here = Path.cwd()
    os.chdir(path.parent)  # a socket's path is limited to 108 bytes
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)
    os.chdir(here)


@BOTH
@pytest.mark.parametrize("damage", [torn, same_size, empty, link, dangling, pipe, unix_socket])
def test_what_is_not_the_asset_is_replaced(stored: Path, damage: Callable[[Path], None], durability: Durability) -> None:
    damage(stored)
    around = sorted(stored.parent.parent.iterdir())
    with LocalStore(stored.parent, durability=durability) as store:
        assert store.put(NAME, DATA) is Stored.REPAIRED
        store.flush()
    assert stat.S_ISREG(stored.lstat().st_mode)
    assert stored.read_bytes() == DATA
    assert sorted(stored.parent.parent.iterdir()) == around
    assert names(stored.parent) == [stored.name]


@BOTH
def test_a_folder_of_an_assets_name_is_an_error(stored: Path, durability: Durability) -> None:
    stored.unlink()
    stored.mkdir()
    with LocalStore(stored.parent, durability=durability) as store, pytest.raises(UnwritableError, match="it is a folder") as caught:
        store.put(NAME, DATA)
    assert str(caught.value.place) == str(stored)
    assert names(stored.parent) == [stored.name]


@pytest.mark.parametrize("damage", [torn, same_size, empty, link, dangling, pipe, unix_socket])
def test_what_is_not_the_asset_is_never_handed_out(stored: Path, damage: Callable[[Path], None]) -> None:
    damage(stored)
    with LocalStore(stored.parent) as store:
        with pytest.raises(AssetCorruptError) as caught:
            store.check(NAME)
        with pytest.raises(AssetCorruptError), store.open(NAME) as reader:
            next(reader.chunks())
    assert str(caught.value.place) == str(stored)
    assert caught.value.why
    assert caught.value.hint


@pytest.mark.parametrize("damage", [link, dangling, pipe, unix_socket])
def test_a_look_without_reading_sees_that_it_is_no_file(stored: Path, damage: Callable[[Path], None]) -> None:
    damage(stored)
    with LocalStore(stored.parent) as store:
        with pytest.raises(AssetCorruptError, match="not a regular file"):
            store.stat(NAME)
        assert list(store.files()) == []
        assert list(store.inventory().strangers) == [stored.name]


def test_the_error_names_both_digests(stored: Path) -> None:
    torn(stored)
    with LocalStore(stored.parent) as store, pytest.raises(AssetCorruptError) as caught:
        store.check(NAME)
    assert NAME.digest in str(caught.value)
    assert AssetName.of(DATA[:100], PNG).digest in str(caught.value)


@pytest.mark.parametrize("place", [0, 5 * MIB])
def test_a_large_asset_is_checked_before_its_first_byte_is_used(images: Path, place: int) -> None:
    data = bytearray(6 * MIB)
    name = AssetName.of(data, PNG)
    with LocalStore(images) as store:
        store.put(name, data)
        store.flush()
        with (images / name.file_name).open("r+b") as file:
            file.seek(place)
            file.write(b"x")
        with store.open(name) as reader, pytest.raises(AssetCorruptError):
            next(reader.chunks())


def test_a_large_asset_that_changes_while_it_is_read(images: Path) -> None:
    data = bytes(6 * MIB)
    name = AssetName.of(data, PNG)
    with LocalStore(images) as store:
        store.put(name, data)
        store.flush()
        with store.open(name) as reader:
            chunks = reader.chunks()
            next(chunks)
            (images / name.file_name).write_bytes(data)
            with pytest.raises(AssetCorruptError, match="changed while it was read"):
                list(chunks)


@BOTH
def test_a_reused_asset_is_as_young_as_a_new_one(stored: Path, durability: Durability) -> None:
    os.utime(stored, (0, 0))
    with LocalStore(stored.parent, durability=durability) as store:
        assert store.put(NAME, DATA) is Stored.REUSED
        store.flush()
    assert stored.stat().st_mtime > 1.7e9


def test_a_repeated_put_costs_no_system_call(images: Path) -> None:
    with LocalStore(images) as store:
        store.put(NAME, DATA)
        store.flush()
        (images / NAME.file_name).unlink()
        assert store.put(NAME, DATA) is Stored.KNOWN
        assert names(images) == []


def test_assets_and_strangers(stored: Path) -> None:
    jpeg = AssetName.of(b"jpeg", JPEG)
    images = stored.parent
    strangers = {"notes.txt", "A" * 64 + ".png", "0" * 64, "0" * 64 + ".exe", "0" * 64 + ".png.bak", ".sessionkit", "folder"}
    for name in strangers - {"folder"} | {".lock", f".sessionkit-{os.getppid()}-0123456789abcdef", jpeg.file_name}:
        (images / name).write_bytes(b"jpeg")
    (images / "folder").mkdir()
    (images / ".trash").mkdir()
    with LocalStore(images) as store:
        assert {file.name for file in store.files()} == {NAME, jpeg}
        assert set(store.inventory().strangers) == strangers
        assert {file.name: file.stat for file in store.files()}[NAME] == store.stat(NAME)
