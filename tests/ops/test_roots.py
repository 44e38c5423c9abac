"""What may name an asset is the same to `gc`, which takes away what nothing names, and to `verify`, which tells of it."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
from enum import Enum, auto
from typing import TYPE_CHECKING

import pytest
import zstandard

from sessionkit.errors import UnreadableError
from sessionkit.ops.batch import Batch
from sessionkit.ops.findings import FindingKind
from sessionkit.ops.sources import Descent, find_sources
from sessionkit.ops.verify import Options, StoreVerified, verify
from tests.ops.collecting import REHEARSAL, asset, plan, session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Verdict(Enum):
    NAMED = auto()
    ORPHAN = auto()
    UNKNOWN = auto()


def holding(name: str, pack: Callable[[bytes], bytes] = bytes) -> Callable[[Path, bytes], object]:
    """Write a file of that name, with what names an asset in it."""
    return lambda folder, reference: (folder / name).write_bytes(pack(b'{"asset_path":"%b"}\n' % reference))


def torn(data: bytes) -> bytes:
    return gzip.compress(data)[:-9]


def link(name: str, target: str) -> Callable[[Path, bytes], object]:
    return lambda folder, _reference: (folder / name).symlink_to(target)


NAMED = {
    "session": holding("b.jsonl"),
    "session in capitals": holding("B.JSONL"),
    "with an end": holding("b.jsonl.old"),
    "gzip": holding("b.jsonl.gz", gzip.compress),
    "gzip in capitals": holding("OLD.JSONL.GZ", gzip.compress),
    "gzip of any name": holding("old.gz", gzip.compress),
    "gzip of another name": holding("b.jsonl.bak", gzip.compress),
    "zstd": holding("b.jsonl.zst", zstandard.compress),
    "zstd of any name": holding("old.zst", zstandard.compress),
    "zstd of another name": holding("b.jsonl.1", zstandard.compress),
    "backup": holding("b.bak"),
    "backup in capitals": holding("B.BAK"),
    "document": holding("b.json"),
    "link": lambda folder, reference: (holding("notes.md")(folder, reference), link("b.jsonl", "notes.md")(folder, reference)),
}
ORPHAN = {
    "notes": holding("notes.md"),
    "archive of no kind": holding("old.tar", gzip.compress),
    "folder": lambda folder, _reference: (folder / "b.jsonl").mkdir(),
    "folder of an archive": lambda folder, _reference: (folder / "b.gz").mkdir(),
    "link that leads nowhere": link("notes.md", "nowhere"),
    "link to itself": link("itself", "itself"),
}
UNKNOWN = {
    "torn": holding("b.jsonl.gz", torn),
    "torn gzip of any name": holding("old.gz", torn),
    "torn gzip of another name": holding("b.jsonl.bak", torn),
    "no gzip": holding("old.gz"),
    "bzip2": holding("b.jsonl.bz2", bz2.compress),
    "xz": holding("b.jsonl.xz", lzma.compress),
    "pipe": lambda folder, _reference: os.mkfifo(folder / "b.json"),
    "session that leads nowhere": link("b.jsonl", "nowhere"),
    "session that leads to itself": link("b.jsonl", "b.jsonl"),
}
CASES = [(verdict, case, make) for verdict, made in zip(Verdict, (NAMED, ORPHAN, UNKNOWN), strict=True) for case, make in made.items()]


def verdict_of_gc(folder: Path) -> Verdict:
    try:
        (census,) = plan(folder, options=REHEARSAL).censuses
    except UnreadableError:
        return Verdict.UNKNOWN
    return Verdict.ORPHAN if census.orphans else Verdict.NAMED


def verdict_of_verify(folder: Path) -> Verdict:
    found = verify(find_sources([str(folder)], Descent.RECURSIVE), Options(), Batch())
    (store,) = [result for result in found if isinstance(result, StoreVerified)]
    if FindingKind.ORPHANS_UNKNOWN in store.notes.counts:
        return Verdict.UNKNOWN
    return Verdict.ORPHAN if FindingKind.ASSET_ORPHAN in store.findings.counts else Verdict.NAMED


@pytest.mark.parametrize(("verdict", "make"), [(verdict, make) for verdict, _, make in CASES], ids=[case for _, case, _ in CASES])
def test_both_say_the_same(tmp_path: Path, verdict: Verdict, make: Callable[[Path, bytes], object]) -> None:
    session(tmp_path / "a.jsonl")
    make(tmp_path, asset(tmp_path, 0).reference.encode())
    assert (verdict_of_gc(tmp_path), verdict_of_verify(tmp_path)) == (verdict, verdict)
