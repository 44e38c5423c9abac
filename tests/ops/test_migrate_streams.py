"""Migrating what is no plain file: archives, standard input, standard output."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import zstandard

from sessionkit.errors import UnreadableError
from sessionkit.ops.batch import Batch
from sessionkit.ops.migrate import Options
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.sources import STDIN
from sessionkit.ops.targets import Mirror, OneFile
from tests.ops.runs import error_of, files, message, migrate_all, migrate_one, png, restore_one, text, write

if TYPE_CHECKING:
    from tests.ops.conftest import Feed


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


ARCHIVES = {"gz": gzip.compress, "zst": zstandard.ZstdCompressor(write_content_size=False).compress}


@pytest.mark.parametrize("kind", ARCHIVES)
def test_archives_are_read_and_come_out_plain(session: Path, out: Path, tmp_path: Path, kind: str) -> None:
    plain = session.read_bytes()
    migrate_one(session, Mirror(out))
    packed = write(tmp_path / f"session.jsonl.{kind}", ARCHIVES[kind](plain))
    result = migrate_one(packed, Mirror(tmp_path / "unpacked"))
    assert files(tmp_path / "unpacked") == files(out)
    assert (result.ledger.read, result.outcome) == (len(plain), Outcome.WRITTEN)
    spilled = write(out / f"session.jsonl.{kind}", ARCHIVES[kind]((out / session.name).read_bytes()))
    restore_one(spilled, Mirror(tmp_path / "back"))
    assert files(tmp_path / "back") == {session.name: plain}


def test_of_a_session_and_its_archive_the_session_counts(session: Path, out: Path) -> None:
    write(session.with_name("session.jsonl.gz"), gzip.compress(b'{"older":true}\n'))
    assert len(migrate_all([session.parent], Mirror(out))) == 1
    assert (out / session.name).read_bytes().startswith(b'{"role"')


def test_a_torn_archive_leaves_no_session(session: Path, out: Path) -> None:
    packed = write(session.with_name("torn.jsonl.gz"), gzip.compress(session.read_bytes())[:-10])
    error = error_of(migrate_all([packed], Mirror(out)))
    assert isinstance(error, UnreadableError)
    assert [name for name in files(out) if "images/" not in name] == []


def test_standard_input_to_standard_output(
    session: Path, workplace: Path, standard_input: Feed, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:  # fmt: skip
    migrate_one(session, Mirror(workplace / "out"))
    for options, images in ((Options(), "images"), (Options(store=Path("store")), "store")):
        with standard_input(session.read_bytes()):
            result = migrate_one(STDIN, OneFile(STDIN), options)
        assert capfdbinary.readouterr().out == (workplace / "out" / session.name).read_bytes()
        assert files(workplace / images) == files(workplace / "out" / "images")
        assert result.store == Path(images)


def test_what_leaves_through_a_pipe_has_its_assets(workplace: Path) -> None:
    """Whoever reads the first reference finds the asset, though the end is not in sight."""
    session = write(workplace / "session.jsonl", message(png(0)) + text(3 << 20) + message(png(1)))
    seen: list[int] = []

    def look(_size: int) -> None:
        seen.append(len(list((workplace / "images").glob("*.png"))))

    kept, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    try:
        migrate_one(session, OneFile(STDIN), batch=Batch(progress=look))
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(null)
    assert seen[0] == 1
    assert seen[-1] == 2
