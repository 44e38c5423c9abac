"""Restoring from a store that is not as it was: nothing is written, or everything but what is lost."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.media.references import Oddity
from sessionkit.core.sniff import BMP, PNG
from sessionkit.errors import AssetCorruptError, AssetMissingError, SessionkitError, UnreadableError
from sessionkit.ops.restore import Options
from sessionkit.ops.restore.options import Missing, Native
from sessionkit.ops.targets import Mirror, OneFile
from tests.ops.runs import error_of, files, large_bmp, message, migrate_one, native, png, restore_all, restore_one, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LEAVE = Options(missing=Missing.LEAVE)
FIRST = message(png(0))


@pytest.fixture
def back(tmp_path: Path) -> Path:
    return tmp_path / "back.jsonl"


@pytest.fixture
def spilled(tmp_path: Path) -> Path:
    """A small picture on line 1, a large one on line 2, and both on line 3."""
    source = write(tmp_path / "home" / "session.jsonl", FIRST + message(large_bmp()) + message(png(0), large_bmp()))
    migrate_one(source, Mirror(tmp_path / "out"))
    return tmp_path / "out" / source.name


def remove(path: Path) -> None:
    path.unlink()


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def lengthen(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"?")


def rename(path: Path) -> None:
    path.rename(path.with_suffix(".gif"))


def link(path: Path) -> None:
    shutil.move(path, path.parents[1] / "elsewhere")
    path.symlink_to("../elsewhere")


def fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


SPOILT: dict[Callable[[Path], None], type[SessionkitError]] = {
    **dict.fromkeys((remove, rename), AssetMissingError),
    **dict.fromkeys((flip, truncate, lengthen, link, fifo, folder), AssetCorruptError),
}
WAYS = pytest.mark.parametrize("spoil", SPOILT)
MEDIA = pytest.mark.parametrize("name", [AssetName.of(png(0), PNG), AssetName.of(large_bmp(), BMP)], ids=["small", "large"])


@WAYS
@MEDIA
def test_an_asset_that_cannot_be_used_stops_everything(spilled: Path, back: Path, name: AssetName, spoil: Callable[[Path], None]) -> None:
    spoil(spilled.parent / name.reference)
    error = error_of(restore_all([spilled], OneFile(back)))
    assert type(error) is SPOILT[spoil]
    assert name.digest in str(error)
    assert error.hint
    assert not [path for path in files(back.parent) if path == back.name or ".sessionkit" in path]


@WAYS
@MEDIA
def test_the_rest_is_restored_on_request(spilled: Path, back: Path, name: AssetName, spoil: Callable[[Path], None]) -> None:
    inline = (back.parent / "home" / spilled.name).read_bytes().splitlines(keepends=True)
    before = spilled.read_bytes().splitlines(keepends=True)
    lost, kept = (0, 1) if name.ext == "png" else (1, 0)
    spoil(spilled.parent / name.reference)
    ledger = restore_one(spilled, OneFile(back), LEAVE).ledger
    after = back.read_bytes().splitlines(keepends=True)
    assert (after[kept], after[lost]) == (inline[kept], before[lost])
    assert after[2].count(name.reference.encode()) == 1
    assert after[2].count(b'"data":"') == 1
    assert (ledger.references, ledger.left, ledger.written) == (2, 2, back.stat().st_size)
    assert [(note.line, note.pointer) for note in ledger.notes] == [(lost + 1, "/content/0"), (3, f"/content/{lost}")]
    assert {note.cause for note in ledger.notes} == {f"{name.reference} is missing or corrupt"}


@MEDIA
def test_when_it_is_found_again_the_rest_comes_back(spilled: Path, back: Path, name: AssetName) -> None:
    asset = spilled.parent / name.reference
    asset.rename(back.with_name("lost"))
    restore_one(spilled, OneFile(back), LEAVE)
    shutil.copytree(spilled.parent / "images", back.parent / "images")
    back.with_name("lost").rename(back.parent / name.reference)
    restore_one(back, OneFile(back.with_name("whole")))
    assert back.with_name("whole").read_bytes() == (back.parent / "home" / spilled.name).read_bytes()


def test_the_place_of_a_missing_asset_is_told(spilled: Path, back: Path) -> None:
    remove(spilled.parent / AssetName.of(large_bmp(), BMP).reference)
    assert str(error_of(restore_all([spilled], OneFile(back))).place) == f"{spilled}:2 at /content/0"


@pytest.mark.parametrize("options", [Options(), LEAVE])
def test_a_link_in_place_of_the_store_is_refused(spilled: Path, back: Path, options: Options) -> None:
    (spilled.parent / "images").rename(back.parent / "elsewhere")
    (spilled.parent / "images").symlink_to("../elsewhere")
    error = error_of(restore_all([spilled], OneFile(back), options))
    assert isinstance(error, UnreadableError)
    assert "it is a symbolic link, not a folder" in error.why
    assert not back.exists()


def test_a_store_that_is_not_there(spilled: Path, back: Path) -> None:
    shutil.rmtree(spilled.parent / "images")
    assert isinstance(error_of(restore_all([spilled], OneFile(back))), AssetMissingError)
    assert restore_one(spilled, OneFile(back), LEAVE).ledger.left == 4
    assert back.read_bytes() == spilled.read_bytes()


@pytest.mark.parametrize("missing", list(Missing))
def test_a_lost_asset_of_the_agents_own_references_matters_only_where_they_are_put_in(tmp_path: Path, back: Path, missing: Missing) -> None:
    session = write(tmp_path / "home" / "session.jsonl", native(AssetName("0" * 64, "png")))
    assert restore_one(session, OneFile(back), Options(Native.KEEP, missing)).ledger.left == 0
    [result] = restore_all([session], OneFile(back), Options(Native.INLINE, missing))
    if missing is Missing.STOP:
        assert isinstance(error_of([result]), AssetMissingError)
    assert back.read_bytes() == session.read_bytes()


RUN = b'{"type":"image","asset_path":"%b","width":1,"height":1,"asset_field":"data"}\n'
HASH = b"0" * 64


@pytest.mark.parametrize(
    "path",
    [
        *(b"/etc/passwd", b"../secret", b"images/../../secret", b"images/" + HASH, b"images/" + HASH + b".exe", b""),
        *(b"images/" + HASH.replace(b"0", b"A") + b".png", b"images//" + HASH + b".png", b"./images/" + HASH + b".png"),
        *(b"images/" + HASH + b".png/", b"images/" + HASH + rb".png\u0000", b"file:///etc/passwd", b"images\\\\" + HASH + b".png"),
    ],
)
def test_odd_paths_are_data(tmp_path: Path, back: Path, path: bytes) -> None:
    write(tmp_path / "secret", b"secret")
    session = write(tmp_path / "home" / "session.jsonl", b"{}\n{}\n" + RUN % path)
    ledger = restore_one(session, OneFile(back)).ledger
    assert back.read_bytes() == session.read_bytes()
    assert [(note.line, note.cause) for note in ledger.notes] == [(3, Oddity.PATH)]
    assert (ledger.references, ledger.left) == (0, 0)


def test_nothing_is_written_beside_the_output(spilled: Path, back: Path) -> None:
    before = files(spilled.parents[1])
    restore_one(spilled, OneFile(back))
    after = files(spilled.parents[1])
    assert after.pop(back.name)
    assert after == before


def test_a_reference_that_another_program_rewrote_is_left_and_told(tmp_path: Path, back: Path) -> None:
    spilled = migrate_one(write(tmp_path / "s.jsonl", FIRST), Mirror(tmp_path / "out")).transfer.target
    assert spilled is not None
    lines = [json.dumps(json.loads(line), sort_keys=True) for line in spilled.read_text().splitlines()]
    spilled.write_text("\n".join(lines))
    ledger = restore_one(spilled, OneFile(back), Options()).ledger
    assert (ledger.references, ledger.left) == (0, 1)
    assert [(note.line, note.cause) for note in ledger.notes] == [(1, Oddity.FORM)]
    assert back.read_bytes() == spilled.read_bytes()
