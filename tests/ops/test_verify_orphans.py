from __future__ import annotations

import gzip
import hashlib
import io
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessionkit.core.digests import digests_in
from sessionkit.ops.batch import Batch
from sessionkit.ops.findings import FindingKind
from sessionkit.ops.sources import Descent, find_sources
from sessionkit.ops.verify import Options, StoreVerified, Verified, verify

CONTENT = b"nobody's"
DIGEST = hashlib.sha256(CONTENT).hexdigest()
ASSET = f"{DIGEST}.bin"
REFERENCE = f'{{"type":"image","asset_path":"images/{ASSET}"}}\n'.encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One asset that the only session does not name."""
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / ASSET).write_bytes(CONTENT)
    (tmp_path / "session.jsonl").write_bytes(b"{}\n")
    return tmp_path


def stores(*paths: Path) -> list[StoreVerified]:
    results = verify(find_sources([str(path) for path in paths], Descent.RECURSIVE), Options(), Batch())
    return [result for result in results if isinstance(result, StoreVerified)]


def test_orphan(folder: Path) -> None:
    (store,) = stores(folder)
    (finding,) = store.findings.kept
    assert (finding.kind, finding.asset) == (FindingKind.ASSET_ORPHAN, f"images/{ASSET}")
    assert (store.assets, store.orphan_bytes) == (1, len(CONTENT))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("session.jsonl", REFERENCE),
        ("session.jsonl", REFERENCE[:-4]),
        ("session.jsonl", b"{}\n" + DIGEST.encode()),
        ("session.jsonl", b'{"text":"' + DIGEST.upper().encode() + b'"}\n'),
        ("session.jsonl", b"ab" + DIGEST.encode() + b"cd\n"),
        ("session.jsonl", bytes((1 << 20) - 30) + DIGEST.encode()),
        ("other.jsonl", REFERENCE),
        ("other.jsonl.gz", gzip.compress(REFERENCE)),
        ("session.jsonl.gz", gzip.compress(REFERENCE)),
        ("session.jsonl.old", REFERENCE),
        ("session.jsonl.repair-20260901T100000Z.bak", REFERENCE),
        ("session.jsonl.repair-20260901T100000Z.json", REFERENCE),
    ],
)
def test_named_anywhere_beside_the_store(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    (store,) = stores(folder)
    assert store.findings.kept == []


@pytest.mark.parametrize("name", ["notes.txt", "deeper/other.jsonl"])
def test_named_elsewhere_does_not_count(folder: Path, name: str) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(REFERENCE)
    assert stores(folder)[0].findings.counts == {FindingKind.ASSET_ORPHAN: 1}


@pytest.mark.parametrize("name", ["other.jsonl.gz", "session.jsonl.gz", "old.bak.gz.jsonl.zst"])
def test_what_cannot_be_read_may_name_all(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"torn")
    (store,) = stores(folder)
    assert store.findings.kept == []
    assert store.notes.counts == {FindingKind.ORPHANS_UNKNOWN: 1}


def test_pipe_among_the_sessions(folder: Path) -> None:
    os.mkfifo(folder / "pipe.jsonl")
    (store,) = stores(folder)
    assert store.findings.kept == []
    assert store.notes.counts == {FindingKind.ORPHANS_UNKNOWN: 1}


def test_folder_with_a_backups_name_is_not_one(folder: Path) -> None:
    (folder / "odd.bak").mkdir()
    assert stores(folder)[0].findings.counts == {FindingKind.ASSET_ORPHAN: 1}


def test_session_named_by_itself_says_nothing_of_orphans(folder: Path) -> None:
    results = list(verify(find_sources([str(folder / "session.jsonl")], Descent.RECURSIVE), Options(), Batch()))
    assert [type(result) for result in results] == [Verified]


def test_each_folder_has_its_own_store(folder: Path) -> None:
    deeper = folder / "deeper"
    (deeper / "images").mkdir(parents=True)
    (deeper / "images" / ASSET).write_bytes(CONTENT)
    (deeper / "session.jsonl").write_bytes(REFERENCE)
    assert {store.store: store.findings.counts.total() for store in stores(folder)} == {folder / "images": 1, deeper / "images": 0}


def test_strangers_are_a_note(folder: Path) -> None:
    (folder / "images" / "holiday.png").write_bytes(b"")
    (folder / "images" / ".lock").write_bytes(b"")
    (store,) = stores(folder)
    assert [(note.kind, Path(note.place.path).name) for note in store.notes.kept] == [(FindingKind.STRANGER, "holiday.png")]


@settings(deadline=None)
@given(
    st.lists(st.one_of(st.binary(max_size=100), st.text("0123456789abcdefABCDEF", min_size=50, max_size=150).map(str.encode)), max_size=8),
    st.data(),
)
def test_every_run_of_64_digits_is_found(pieces: list[bytes], data: st.DataObject) -> None:
    text = b"".join(pieces)
    windows = {text[start : start + 64] for start in range(len(text) - 63)}
    wanted = {window.decode().lower() for window in windows if all(byte in b"0123456789abcdefABCDEF" for byte in window)}
    absent = data.draw(st.text("0123456789abcdef", min_size=64, max_size=64))
    found = digests_in(_Stream(text), wanted | {absent}, lambda _size: None)
    assert found - {absent} == wanted - {absent}
    assert (absent in found) == (absent in wanted)


class _Stream(io.BytesIO):
    """Gives a few bytes at a time, as a pipe may."""

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        return super().readinto(buffer[:37])
