"""Migrating into a store where something stands already: what is torn is replaced, and nothing outside is touched."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import PNG
from sessionkit.core.stores.base import Stored
from sessionkit.errors import SessionkitError, UnreadableError, UnwritableError
from sessionkit.ops.batch import Batch
from sessionkit.ops.migrate import Options
from sessionkit.ops.targets import Mirror
from sessionkit.ops.writing import Effect, Writing
from tests.ops.runs import (
    die_writing,
    error_of,
    file_size_limit,
    files,
    large_bmp,
    message,
    migrate_all,
    migrate_one,
    mode,
    png,
    stamps,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Callable

NAME = AssetName.of(png(0), PNG).file_name
REHEARSAL = Options(writing=Writing(effect=Effect.REHEARSE))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def asset(out: Path) -> Path:
    """Where the first picture will be stored."""
    (out / "images").mkdir(parents=True)
    return out / "images" / NAME


def whole(path: Path) -> None:
    path.write_bytes(png(0))


def torn(path: Path) -> None:
    path.write_bytes(png(0)[:-1])


def flipped(path: Path) -> None:
    path.write_bytes(png(0)[:-1] + b"?")


def too_long(path: Path) -> None:
    path.write_bytes(png(0) + b"?")


def secret(path: Path) -> None:
    path.write_bytes(b"")
    path.chmod(0)


def link_to_the_same(path: Path) -> None:
    (path.parents[2] / "elsewhere").write_bytes(png(0))
    path.symlink_to("../../elsewhere")


def link_to_another(path: Path) -> None:
    (path.parents[2] / "elsewhere").write_bytes(b"precious")
    path.symlink_to("../../elsewhere")


def dangling_link(path: Path) -> None:
    path.symlink_to("../../elsewhere")


def fifo(path: Path) -> None:
    os.mkfifo(path)


def unix_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        before = Path.cwd()
        os.chdir(path.parent)  # the path of a socket is short
        server.bind(path.name)
        os.chdir(before)


@pytest.mark.parametrize(
    ("make", "stored"),
    [
        (whole, Stored.REUSED),
        *(
            (make, Stored.REPAIRED)
            for make in (torn, flipped, too_long, secret, link_to_the_same, link_to_another, dangling_link, fifo, unix_socket)
        ),
    ],
)
def test_an_asset_is_not_trusted_by_its_name(session: Path, out: Path, asset: Path, make: Callable[[Path], None], stored: Stored) -> None:  # noqa: PLR0913, PLR0917
    make(asset)
    elsewhere = out.parent / "elsewhere"
    before = elsewhere.read_bytes() if elsewhere.exists() else None
    ledger = migrate_one(session, Mirror(out)).ledger
    assert (asset.read_bytes(), asset.is_symlink(), mode(asset)) == (png(0), False, 0o600 if stored is Stored.REPAIRED else 0o644)
    assert ledger.stock.counts == {stored: 1, Stored.NEW: 1, Stored.KNOWN: 1}
    assert (elsewhere.read_bytes() if elsewhere.exists() else None) == before


def test_a_folder_of_an_assets_name_stops_the_session(session: Path, out: Path, asset: Path) -> None:
    (asset / "kept").mkdir(parents=True)
    error = error_of(migrate_all([session], Mirror(out)))
    assert isinstance(error, UnwritableError)
    assert NAME in str(error.place)
    assert files(out) == {}


@pytest.mark.parametrize("options", [Options(), REHEARSAL])
@pytest.mark.parametrize("is_full", [True, False])
def test_a_link_in_place_of_the_store_is_refused(session: Path, out: Path, options: Options, is_full: bool) -> None:
    elsewhere = out.parent / "elsewhere"
    elsewhere.mkdir()
    if is_full:
        write(elsewhere / NAME, png(0)[:-1])
        die_writing(elsewhere)
    out.mkdir()
    (out / "images").symlink_to(elsewhere)
    before = stamps(elsewhere)
    error = error_of(migrate_all([session], Mirror(out), options))
    assert isinstance(error, (UnreadableError, UnwritableError))
    assert "it is a symbolic link, not a folder" in error.why
    assert stamps(elsewhere) == before
    assert os.listdir(out) == ["images"]  # noqa: PTH208  names are enough


@pytest.mark.parametrize("kind", ["a file", "a pipe"])
def test_what_is_no_folder_is_no_store(session: Path, out: Path, kind: str) -> None:
    out.mkdir()
    write(out / "images", b"precious") if kind == "a file" else os.mkfifo(out / "images")
    assert isinstance(error_of(migrate_all([session], Mirror(out))), UnwritableError)
    assert os.listdir(out) == ["images"]  # noqa: PTH208  names are enough


def test_a_store_of_another_name_is_shared(session: Path, out: Path, tmp_path: Path) -> None:
    other = write(session.with_name("other.jsonl"), message(png(1), png(2)))
    options = Options(store=tmp_path / "store")
    first, second = (migrate_one(path, Mirror(out), options) for path in (session, other))
    assert (first.ledger.stock.counts[Stored.NEW], second.ledger.stock.counts) == (2, {Stored.REUSED: 1, Stored.NEW: 1})
    assert set(files(tmp_path / "store").values()) == {png(0), png(1), png(2)}
    assert sorted(files(out)) == ["other.jsonl", "session.jsonl"]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("limit", "left"), [(1 << 20, 0), (1 << 15, 0)])
def test_a_store_that_cannot_grow_leaves_everything_as_it_was(tmp_path: Path, out: Path, jobs: int, limit: int, left: int) -> None:  # noqa: PLR0913, PLR0917
    session = write(tmp_path / "session.jsonl", message(png(0), large_bmp()))
    before = stamps(tmp_path)
    with file_size_limit(limit):
        error = error_of(migrate_all([session], Mirror(out), batch=Batch(jobs, least=0)))
    assert isinstance(error, UnwritableError)
    assert (error.why, "ulimit -f" in error.hint) == ("file too large", True)
    assert len(files(out)) == left
    assert before.items() <= stamps(tmp_path).items()


@pytest.mark.parametrize("media", [large_bmp(), b"%PDF" + bytes(400_000)])
def test_a_full_disk_leaves_everything_as_it_was(tmp_path: Path, small_disk: Path, media: bytes) -> None:
    session = write(tmp_path / "session.jsonl", message(media) + message(png(0)) + b'{"content":"%b"}\n' % (b"x" * 700_000))
    error = error_of(migrate_all([session], Mirror(small_disk)))
    assert isinstance(error, SessionkitError)
    assert error.why == "no space left on device"
    assert not [name for name in files(small_disk) if not name.startswith("images/")]
    assert not [name for name in files(small_disk) if ".sessionkit" in name]
