from __future__ import annotations

import gzip
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import zstandard

from sessionkit.ops.gc import Collected, Tidied, survey
from tests.ops.collecting import NAMED, NOW, OPTIONS, ORPHAN, REHEARSAL, asset, collect, kept, one_named_and_one_not, plan, session
from tests.ops.runs import die_writing, files, stamps

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.core.assets import AssetName


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return one_named_and_one_not(tmp_path / "sessions")


@pytest.fixture
def orphan(folder: Path) -> AssetName:
    return asset(folder, ORPHAN)


@pytest.fixture
def named(folder: Path) -> AssetName:
    return asset(folder, NAMED)


def test_an_orphan_goes_to_the_trash(folder: Path, named: AssetName, orphan: AssetName) -> None:
    (result,) = collect(folder)
    assert result.trash
    assert [file.name for file in result.trash.files] == [orphan]
    assert kept(folder) == {named}
    census = result.census
    assert (census.store, census.assets, census.size, census.named) == (str(folder / "images"), 2, 14, 1)
    assert ([file.name for file in census.orphans], census.orphan_size, census.young) == ([orphan], 7, ())


def test_a_rehearsal_writes_nothing(folder: Path, orphan: AssetName) -> None:
    before = stamps(folder)
    (result,) = collect(folder, options=REHEARSAL)
    assert [file.name for file in result.census.orphans] == [orphan]
    assert result.trash is None
    assert stamps(folder) == before


ROOTS: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("b.jsonl", bytes),
    ("b.JSONL", bytes),
    ("b.jsonl", bytes.upper),
    ("b.jsonl", lambda line: line[:-4]),
    ("b.jsonl", lambda line: b'{"broken": "\0\xff' + line),
    ("b.jsonl", lambda line: bytes((1 << 20) - 40) + line),
    ("b.jsonl", gzip.compress),
    ("deep/er/b.jsonl", bytes),
    ("b.jsonl.gz", gzip.compress),
    ("a.jsonl.gz", gzip.compress),
    ("b.gz", gzip.compress),
    ("b.jsonl.zst", zstandard.compress),
    ("b.tar.zst", zstandard.compress),
    ("b.jsonl.old", bytes),
    ("b.jsonl.gz.old", gzip.compress),
    ("b.jsonl~", bytes),
    ("a.jsonl.repair-20260901T100000Z.bak", bytes),
    ("a.jsonl.repair-20260901T100000Z.json", bytes),
    ("chat.json", bytes),
    ("images/b.jsonl", bytes),
    ("b.jsonl/b.jsonl", bytes),
]


@pytest.mark.parametrize(("name", "made"), ROOTS)
def test_what_a_root_names_stays(folder: Path, orphan: AssetName, name: str, made: Callable[[bytes], bytes]) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(made(orphan.digest.encode() + b".bin"))
    collect(folder)
    assert orphan in kept(folder)


@pytest.mark.parametrize("name", ["notes.md", "images/notes.md", "images/.trash/20260901T100000Z/manifest.json"])
def test_what_is_no_root_keeps_nothing(folder: Path, orphan: AssetName, name: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(orphan.reference)
    collect(folder)
    assert orphan not in kept(folder)


def test_what_is_named_only_in_part_is_an_orphan(folder: Path, orphan: AssetName) -> None:
    (folder / "b.jsonl").write_text(orphan.digest[:-1])
    collect(folder)
    assert orphan not in kept(folder)


@pytest.mark.parametrize("name", ["notes.md", "more/deep/notes.md", "more/x.jsonl.gz"])
def test_roots_elsewhere(folder: Path, tmp_path: Path, orphan: AssetName, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(orphan.digest.encode()) if path.suffix == ".gz" else orphan.digest.encode())
    collect(folder, options=replace(OPTIONS, roots=(tmp_path / Path(name).parts[0],)))
    assert orphan in kept(folder)


def test_a_session_in_one_folder_keeps_an_asset_of_another(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    name = asset(one, 0)
    session(one / "a.jsonl")
    session(other / "b.jsonl", name)
    collect(one, other)
    assert kept(one) == {name}
    collect(one)
    assert kept(one) == set()


def test_roots_behind_links_count_and_their_stores_are_left_alone(folder: Path, tmp_path: Path, orphan: AssetName) -> None:
    elsewhere = tmp_path / "elsewhere"
    session(elsewhere / "b.jsonl", orphan)
    spare = asset(elsewhere, 3)
    (folder / "link").symlink_to(elsewhere)
    (folder / "circle").symlink_to(folder)
    (folder / "itself").symlink_to("itself")
    collect(folder)
    assert orphan in kept(folder)
    assert kept(elsewhere) == {spare}


def test_a_store_behind_a_link_is_told_of_and_left_alone(folder: Path, tmp_path: Path) -> None:
    (folder / "images").rename(tmp_path / "shared")
    (folder / "images").symlink_to(tmp_path / "shared")
    before = stamps(tmp_path / "shared")
    found = plan(folder)
    assert list(found.run()) == []
    assert (found.sights.linked, found.sights.lonely) == ((folder / "images",), ())
    assert stamps(tmp_path / "shared") == before


def test_a_store_with_no_session_beside_it_is_told_of_and_left_alone(folder: Path, tmp_path: Path) -> None:
    name = asset(tmp_path / "sessions/lonely", 4)
    found = plan(folder)
    assert len(list(found.run())) == 1
    assert found.sights.lonely == (folder / "lonely/images",)
    assert kept(folder / "lonely") == {name}


def test_a_store_that_is_named(folder: Path, tmp_path: Path, named: AssetName, orphan: AssetName) -> None:
    (folder / "images").rename(tmp_path / "assets")
    (result,) = collect(folder, options=replace(OPTIONS, store=tmp_path / "assets"))
    assert result.trash
    assert [file.name for file in result.trash.files] == [orphan]
    assert (tmp_path / "assets" / named.file_name).exists()


@pytest.mark.parametrize(
    ("age", "grace", "stays"),
    [
        (timedelta(days=14, seconds=1), timedelta(days=14), False),
        (timedelta(days=14), timedelta(days=14), False),
        (timedelta(days=13, hours=23), timedelta(days=14), True),
        (timedelta(0), timedelta(0), False),
        (timedelta(days=-1), timedelta(0), True),
        (timedelta(days=400), timedelta(days=500), True),
    ],
)
def test_grace(folder: Path, age: timedelta, grace: timedelta, stays: bool) -> None:
    name = asset(folder, ORPHAN, age)
    (result,) = collect(folder, options=replace(OPTIONS, grace=grace))
    assert (name in kept(folder)) is stays
    assert [file.name for file in result.census.young] == [name] * stays


def test_a_root_elsewhere_is_a_root(tmp_path: Path) -> None:
    name = asset(tmp_path / "gone", 0)
    spare = asset(tmp_path / "gone", 1)
    list_of_names = session(tmp_path / "names.txt", name)
    collect(tmp_path / "gone", options=replace(OPTIONS, roots=(list_of_names,), store=tmp_path / "gone/images"))
    assert kept(tmp_path / "gone") == {name} != {spare}


def test_overlapping_folders_are_one(folder: Path) -> None:
    deeper = folder / "deeper"
    session(deeper / "b.jsonl")
    asset(deeper, 5)
    results = collect(folder, deeper, folder / "deeper/../deeper")
    assert [result.census.store for result in results] == [str(folder / "images"), str(deeper / "images")]


def test_strangers_are_told_of_and_stay(folder: Path) -> None:
    (folder / "images/holiday.png").write_bytes(b"mine")
    (folder / "images" / f"{'0' * 64}.png").mkdir()
    (result,) = collect(folder)
    assert result.census.strangers == (f"{'0' * 64}.png", "holiday.png")
    assert (folder / "images/holiday.png").exists()


def test_leftovers_of_killed_runs_are_removed(folder: Path) -> None:
    die_writing(folder, folder / "images")
    assert [result for result in plan(folder, options=REHEARSAL).run() if not isinstance(result, Collected)] == []
    assert len([name for name in files(folder) if ".sessionkit-" in name]) == 2
    collected, tidied = plan(folder).run()
    assert isinstance(collected, Collected)
    assert (collected.leftovers, tidied) == (1, Tidied(str(folder), 1))
    assert [name for name in files(folder) if ".sessionkit-" in name] == []


def test_figures_of_what_is_read(folder: Path) -> None:
    (folder / "b.jsonl.gz").write_bytes(packed := gzip.compress(b"{}\n" * 5000))
    ticks: list[int] = []
    found = survey([folder], OPTIONS)
    made = found.plan(ticks.append)
    assert found.size() == made.marker.size == (folder / "a.jsonl").stat().st_size + len(packed)
    assert made.marker.count == 2
    assert sum(ticks) == (folder / "a.jsonl").stat().st_size + 15_000


def test_the_trash_is_named_by_the_clock(folder: Path) -> None:
    (result,) = collect(folder)
    assert result.trash
    assert result.trash.stamp == NOW.strftime("%Y%m%dT%H%M%SZ")
