"""Sessions to read, and what becomes of them meanwhile."""

from __future__ import annotations

import gzip
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import zstandard

from sessionkit.core.jsonl import read_lines
from sessionkit.errors import ChangedError, UnreadableError, UnwritableError
from sessionkit.ops.sessions import open_session, require_unmoved, spooled
from sessionkit.ops.sources import STDIN, Source
from tests.ops.runs import age

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ops.conftest import Feed

STANDARD_INPUT = Source(STDIN, Path("stdin.jsonl"), is_stdin=True)


def lines(source: Source) -> list[bytes]:
    with open_session(source) as stream:
        return [line.raw for line in read_lines(stream)]


def test_a_file(session: Path) -> None:
    assert b"".join(lines(Source(session, Path(session.name)))) == session.read_bytes()


@pytest.mark.parametrize("name", ["gone.jsonl", "."])
def test_what_is_no_file_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnreadableError):
        lines(Source(tmp_path / name, Path(name)))


def test_standard_input_is_read_once(standard_input: Feed) -> None:
    with standard_input(b"a\nb"):
        assert lines(STANDARD_INPUT) == [b"a\n", b"b"]
        with open_session(STANDARD_INPUT) as stream:
            assert str(stream.path) == "standard input"
            require_unmoved(stream)


def test_spooled_standard_input_can_be_read_twice(standard_input: Feed) -> None:
    with standard_input(b"a\nb"), spooled(STANDARD_INPUT) as source:
        assert source.copy
        kept = source.copy
        assert [lines(source), lines(source)] == [[b"a\n", b"b"]] * 2
        assert kept.stat().st_mode & 0o077 == 0
        assert kept.stat().st_nlink == 0
        with open_session(source) as stream:
            assert str(stream.path) == "standard input"
    assert not kept.exists()


def test_a_file_needs_no_copy(session: Path) -> None:
    source = Source(session, Path(session.name))
    with spooled(source) as same:
        assert same is source


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"late\n")


def shorten(path: Path) -> None:
    os.truncate(path, 5)


@pytest.mark.parametrize("change", [append, shorten, age, os.utime])
def test_a_session_that_changed_is_told_from_one_that_did_not(session: Path, change: Callable[[Path], object]) -> None:
    age(session, 100)
    with open_session(Source(session, Path(session.name))) as stream:
        require_unmoved(stream)
        change(session)
        with pytest.raises(ChangedError, match="changed while it was read"):
            require_unmoved(stream)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_an_archive_on_standard_input_is_unpacked(standard_input: Feed, pack: Callable[[bytes], bytes]) -> None:
    with standard_input(pack(b"a\nb")):
        assert lines(STANDARD_INPUT) == [b"a\n", b"b"]
    with standard_input(pack(b"a\nb")), spooled(STANDARD_INPUT) as source:
        assert source.copy
        assert source.copy.read_bytes() == b"a\nb"


def test_a_torn_archive_on_standard_input(standard_input: Feed) -> None:
    with standard_input(gzip.compress(b"a\nb")[:-3]), pytest.raises(UnreadableError, match="standard input: the gzip archive is broken"):
        lines(STANDARD_INPUT)


def test_a_temporary_file_without_room_is_named(standard_input: Feed, small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk))
    with standard_input(gzip.compress(bytes(2 << 20))), pytest.raises(UnwritableError) as refused, spooled(STANDARD_INPUT):
        pass
    assert refused.value.what == "the temporary file cannot be written"
    assert str(refused.value.place) == str(small_disk)
    assert (refused.value.why, "TMPDIR" in refused.value.hint) == ("no space left on device", True)
    assert list(small_disk.iterdir()) == []


def test_no_folder_for_temporary_files(standard_input: Feed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with standard_input(b"a"), pytest.raises(UnwritableError, match="no temporary file can be made") as refused, spooled(STANDARD_INPUT):
        pass
    assert str(refused.value.place).startswith(str(tmp_path / "gone"))
    assert "TMPDIR" in refused.value.hint
