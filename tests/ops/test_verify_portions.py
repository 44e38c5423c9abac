"""Assets are examined in portions by several processes, and each store is listed once: what comes out is the same."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import BIN
from sessionkit.core.stores.local import LocalStore
from sessionkit.ops.batch import Batch
from sessionkit.ops.sources import Descent, find_sources
from sessionkit.ops.verify import Options, Reading, StoreVerified, Verified, verify
from sessionkit.ops.verify.portions import Portioner
from sessionkit.ops.verify.sweep import take_stock
from tests.ops.runs import native

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sessionkit.ops.sources import Source

CONTENTS = [bytes([number]) * (1000 << number % 13) for number in range(1, 40)]
NAMES = [AssetName.of(content, BIN) for content in CONTENTS]
UNKNOWN = AssetName(hashlib.sha256(b"unknown").hexdigest(), "bin")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two sessions of forty assets, of which one is missing."""
    folder = tmp_path / "spilled"
    (folder / "images").mkdir(parents=True)
    for name, content in zip(NAMES, CONTENTS, strict=True):
        (folder / "images" / name.file_name).write_bytes(content)
    lines = [native(name) for name in (*NAMES, UNKNOWN)]
    (folder / "a.jsonl").write_bytes(b"".join(lines[:30]))
    (folder / "b.jsonl").write_bytes(b"".join(lines[10:]))
    return folder


def nothing(_images: Path) -> None:
    pass


def torn(images: Path) -> None:
    os.truncate(images / NAMES[14].file_name, 5)


def link(images: Path) -> None:
    (images / NAMES[14].file_name).rename(images.parent / "away")
    (images / NAMES[14].file_name).symlink_to("../away")


def folder_for_an_asset(images: Path) -> None:
    (images / NAMES[14].file_name).unlink()
    (images / NAMES[14].file_name).mkdir()


def orphans(images: Path) -> None:
    (images / AssetName.of(b"nobody's", BIN).file_name).write_bytes(b"nobody's")
    (images / "notes.txt").write_bytes(b"a stranger")


def link_for_the_store(images: Path) -> None:
    images.symlink_to(images.rename(images.with_name("elsewhere")))


def file_for_the_store(images: Path) -> None:
    images.rename(images.with_name("elsewhere"))
    images.write_bytes(b"")


def no_store(images: Path) -> None:
    images.rename(images.with_name("elsewhere"))


def unread(images: Path) -> None:
    (images.parent / "b.jsonl").rename(images.parent / "b.jsonl.gz")


DAMAGES = [nothing, torn, link, folder_for_an_asset, orphans, link_for_the_store, file_for_the_store, no_store, unread]


def sources_in(*paths: Path) -> list[Source]:
    return find_sources([str(path) for path in paths], Descent.RECURSIVE)


@pytest.mark.parametrize("reading", Reading)
@pytest.mark.parametrize("damage", DAMAGES)
def test_several_processes_tell_the_same(folder: Path, damage: Callable[[Path], None], reading: Reading) -> None:
    damage(folder / "images")
    for sources in (sources_in(folder), sources_in(folder / "a.jsonl"), sources_in(folder / "a.jsonl", folder)):
        one, several = (list(map(str, verify(sources, Options(reading), Batch(jobs, least=1)))) for jobs in (1, 3))
        assert one == several


@pytest.mark.parametrize("reading", Reading)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_list_of_the_store_tells_what_its_assets_weigh(folder: Path, damage: Callable[[Path], None], reading: Reading) -> None:
    damage(folder / "images")
    portioner = Portioner(Options(reading), 2, {})
    asked = list(portioner.exams(folder / "images", [*NAMES, UNKNOWN]))
    stocks = take_stock(sources_in(folder))
    assert list(Portioner(Options(reading), 2, stocks).exams(folder / "images", [*NAMES, UNKNOWN])) == asked


def test_the_largest_are_examined_first_and_the_last_portions_are_small(folder: Path) -> None:
    exams = list(Portioner(Options(), 2, take_stock(sources_in(folder))).exams(folder / "images", NAMES))
    examined = [len(CONTENTS[NAMES.index(name)]) for exam in exams for name in exam.task.assets]
    assert examined == sorted(map(len, CONTENTS), reverse=True)
    assert [exam.size for exam in exams] == sorted((exam.size for exam in exams), reverse=True)
    assert sum(exam.size for exam in exams) == sum(map(len, CONTENTS))
    assert len(exams) > 4


def test_each_store_is_listed_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def list_it(store: LocalStore) -> object:
        listed.append(store.folder)
        return inventory(store)

    listed: list[Path] = []
    inventory = LocalStore.inventory
    monkeypatch.setattr(LocalStore, "inventory", list_it)
    for jobs in (1, 2):
        listed.clear()
        (store,) = (result for result in verify(sources_in(folder), Options(), Batch(jobs)) if isinstance(result, StoreVerified))
        assert listed == [folder / "images"]
        assert store.assets == len(NAMES)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_store_that_is_not_swept_is_not_listed(folder: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    """It may be a foreign one, of millions of assets."""
    monkeypatch.setattr(LocalStore, "inventory", lambda _store: pytest.fail("it is listed"))
    batch = Batch(jobs, least=1)
    assert [type(result) for result in verify(sources_in(folder / "a.jsonl"), Options(), batch)] == [Verified]
    assert [type(result) for result in verify(sources_in(folder), Options(store=folder / "images"), batch)] == [Verified] * 2
