"""The trash of a folder: what stands on the disk, and what links and killed runs do to it."""

from __future__ import annotations

import json
import os
import stat
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import PNG
from sessionkit.core.stores import LocalStore, LockKind
from sessionkit.core.stores.trash import Run
from sessionkit.errors import UnreadableError, UnwritableError
from tests.holding import holding

if TYPE_CHECKING:
    from pathlib import Path

RUN = Run.at(datetime(2026, 9, 1, 10, tzinfo=UTC))
STAMP = "20260901T100000Z"
DATA = b"picture"
NAME = AssetName.of(DATA, PNG)


@pytest.fixture
def images(tmp_path: Path) -> Path:
    images = tmp_path / "images"
    images.mkdir()
    (images / NAME.file_name).write_bytes(DATA)
    return images


def discard(images: Path) -> None:
    with LocalStore(images) as store:
        store.discard(list(store.files()), RUN)


def put_back(images: Path) -> int:
    with LocalStore(images) as store:
        (trash,) = store.trashes()
        return len(store.put_back(trash))


def below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_names_on_disk(images: Path) -> None:
    inode = (images / NAME.file_name).stat().st_ino
    discard(images)
    trash = images / ".trash" / STAMP
    assert below(images) == [".trash", f".trash/{STAMP}", f".trash/{STAMP}/{NAME.file_name}", f".trash/{STAMP}/manifest.json"]
    assert (trash / NAME.file_name).stat().st_ino == inode
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (trash, trash.parent)] == [0o700, 0o700]
    put_back(images)
    assert below(images) == [NAME.file_name]


def test_manifest(images: Path) -> None:
    mtime_ns = (images / NAME.file_name).stat().st_mtime_ns
    discard(images)
    assert json.loads((images / ".trash" / STAMP / "manifest.json").read_text()) == {
        "schema": "sessionkit.trash/1",
        "time": STAMP,
        "run": RUN.name,
        "assets": [{"asset": NAME.reference, "bytes": len(DATA), "mtime_ns": mtime_ns}],
    }


@pytest.mark.parametrize("kind", ["link", "pipe", "nothing"])
def test_what_is_no_manifest_tells_no_run(images: Path, tmp_path: Path, kind: str) -> None:
    discard(images)
    manifest = images / ".trash" / STAMP / "manifest.json"
    elsewhere = manifest.rename(tmp_path / "manifest.json")
    if kind == "link":
        manifest.symlink_to(elsewhere)
    elif kind == "pipe":
        os.mkfifo(manifest)
    with LocalStore(images) as store:
        assert [(trash.stamp, trash.run) for trash in store.trashes()] == [(STAMP, STAMP)]
    if kind != "nothing":
        manifest.unlink()
    assert put_back(images) == 1


def test_manifest_does_not_name_what_stayed(images: Path) -> None:
    other = AssetName.of(b"other", PNG)
    (images / other.file_name).write_bytes(b"other")
    with LocalStore(images) as store:
        seen = list(store.files())
        os.utime(images / other.file_name, (1, 1))
        store.discard(seen, RUN)
    manifest = json.loads((images / ".trash" / STAMP / "manifest.json").read_text())
    assert [asset["asset"] for asset in manifest["assets"]] == [NAME.reference]


@pytest.mark.parametrize("torn", [b"", b"PICTURE"])
def test_what_is_there_again_but_not_whole_is_replaced(images: Path, torn: bytes) -> None:
    discard(images)
    (images / NAME.file_name).write_bytes(torn)
    assert put_back(images) == 1
    assert (images / NAME.file_name).read_bytes() == DATA


@pytest.mark.parametrize("killed_before", ["the manifest", "the first move"])
def test_a_trash_in_which_nothing_came_is_passed_over(images: Path, killed_before: str) -> None:
    (images / ".trash" / STAMP).mkdir(parents=True)
    if killed_before == "the first move":
        (images / ".trash" / STAMP / "manifest.json").write_text("{}")
    with LocalStore(images) as store:
        assert store.trashes() == []
        assert store.discard(list(store.files()), RUN).stamp == "20260901T100001Z"
        assert [path.name for path in (images / ".trash").iterdir()] == ["20260901T100001Z"]


def test_a_trash_in_which_nothing_came_is_removed(images: Path) -> None:
    (images / ".trash" / STAMP).mkdir(parents=True)
    with LocalStore(images) as store:
        store.clean_up()
    assert below(images) == [NAME.file_name]


def test_one_that_somebody_is_about_to_fill_stays(images: Path) -> None:
    (images / ".trash" / STAMP).mkdir(parents=True)
    with holding(images, LockKind.EXCLUSIVE), LocalStore(images) as store:
        store.clean_up()
    assert (images / ".trash" / STAMP).is_dir()


def test_what_somebody_put_into_the_trash_stays(images: Path) -> None:
    discard(images)
    note = images / ".trash" / STAMP / "note.txt"
    note.write_text("mine")
    put_back(images)
    assert below(images / ".trash") == [STAMP, f"{STAMP}/note.txt"]
    assert (images / NAME.file_name).exists()


@pytest.mark.parametrize("link", [".trash", f".trash/{STAMP}"])
def test_links_are_not_followed(images: Path, tmp_path: Path, link: str) -> None:
    elsewhere = tmp_path / "elsewhere" / STAMP
    elsewhere.mkdir(parents=True)
    (elsewhere / NAME.file_name).write_bytes(DATA)
    (images / link).parent.mkdir(exist_ok=True)
    (images / link).symlink_to(elsewhere.parent if link == ".trash" else elsewhere)
    with LocalStore(images) as store, pytest.raises(UnreadableError, match=r"\.trash"):
        store.trashes()
    if link == ".trash":
        with LocalStore(images) as store, pytest.raises(UnwritableError, match=r"\.trash"):
            store.discard(list(store.files()), RUN)
    assert below(elsewhere) == [NAME.file_name]
    assert (images / NAME.file_name).exists()


def test_a_trash_that_vanishes_hides_no_other(images: Path) -> None:
    discard(images)
    vanishing = images / ".trash/20990101T000000Z"
    is_over = threading.Event()

    def come_and_go() -> None:
        while not is_over.is_set():
            vanishing.mkdir()
            vanishing.rmdir()

    thread = threading.Thread(target=come_and_go)
    thread.start()
    try:
        with LocalStore(images) as store:
            assert {tuple(trash.stamp for trash in store.trashes()) for _ in range(3000)} == {(STAMP,)}
    finally:
        is_over.set()
        thread.join()


def test_links_in_the_trash_are_no_assets(images: Path, tmp_path: Path) -> None:
    discard(images)
    secret = tmp_path / "secret"
    secret.write_bytes(b"other")
    (images / ".trash" / STAMP / AssetName.of(b"other", PNG).file_name).symlink_to(secret)
    assert put_back(images) == 1
    assert [path.name for path in images.iterdir() if path.is_file()] == [NAME.file_name]
