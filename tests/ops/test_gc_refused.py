"""What stops a collection: nothing is freed where anything that may name an asset is not read."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import zstandard

from sessionkit.errors import ExitCode, RefusedError, SessionkitError, UnreadableError, UnwritableError, UsageError
from sessionkit.ops.gc import StoreFailed
from tests.ops.collecting import OPTIONS, collect, kept, one_named_and_one_not, plan, session
from tests.ops.runs import stamps
from tests.rights import unprivileged

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return one_named_and_one_not(tmp_path / "sessions")


def unreadable(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


WHOLE = gzip.compress(b"{}\n" * 5000)
UNREADABLE: dict[str, Callable[[Path], object]] = {
    "torn gzip": lambda folder: unreadable(folder, "b.jsonl.gz", WHOLE[:-9]),
    "no gzip": lambda folder: unreadable(folder, "b.jsonl.gz", b"{}\n"),
    "empty gzip": lambda folder: unreadable(folder, "b.jsonl.gz", b""),
    "torn gzip by another name": lambda folder: unreadable(folder, "b.jsonl.bak", WHOLE[:-9]),
    "torn zstd": lambda folder: unreadable(folder, "b.jsonl.zst", zstandard.compress(b"{}\n" * 5000)[:-3]),
    "bzip2": lambda folder: unreadable(folder, "b.jsonl.bz2", bz2.compress(b"{}\n")),
    "xz": lambda folder: unreadable(folder, "deep/b.jsonl.xz", lzma.compress(b"{}\n")),
    "brotli": lambda folder: unreadable(folder, "b.jsonl.br", b"\x0b\x01\x80{}\n\x03"),
    "pipe": lambda folder: os.mkfifo(folder / "b.jsonl"),
    "dead link": lambda folder: (folder / "b.jsonl").symlink_to("nowhere"),
    "link to itself": lambda folder: (folder / "b.jsonl").symlink_to("b.jsonl"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_read_stops_it(folder: Path, case: str) -> None:
    UNREADABLE[case](folder)
    before = stamps(folder)
    with pytest.raises(UnreadableError, match=r"b\.jsonl") as caught:
        collect(folder)
    assert "nothing is freed" in caught.value.hint
    assert caught.value.exit_code is ExitCode.FAILED
    assert stamps(folder) == before


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_read_elsewhere_stops_it_too(folder: Path, tmp_path: Path, case: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    UNREADABLE[case](elsewhere)
    with pytest.raises(UnreadableError):
        collect(folder, options=replace(OPTIONS, roots=(elsewhere,)))
    assert len(kept(folder)) == 2


@unprivileged
def test_what_may_not_be_read_stops_it(folder: Path) -> None:
    for closed in (session(folder / "closed.jsonl"), folder / "closed", folder / "images/.trash"):
        if closed.suffix != ".jsonl":
            closed.mkdir()
        closed.chmod(0)
        with pytest.raises(UnreadableError, match=closed.name):
            collect(folder)
        closed.chmod(0o700)
    assert len(kept(folder)) == 2


@unprivileged
def test_a_store_that_may_not_be_written_to_stays_as_it_is(folder: Path) -> None:
    (folder / "images").chmod(0o500)
    (result,) = plan(folder).run()
    (folder / "images").chmod(0o700)
    assert isinstance(result, StoreFailed)
    assert isinstance(result.error, UnwritableError)
    assert len(kept(folder)) == 2


@pytest.mark.parametrize(
    ("named", "error"),
    [
        (("nowhere", "", ""), UnreadableError),
        (("sessions/a.jsonl", "", ""), UsageError),
        (("sessions", "nowhere", ""), UnreadableError),
        (("sessions", "", "nowhere"), UnreadableError),
        (("empty", "", ""), RefusedError),
        (("empty", "", "sessions/images"), RefusedError),
        (("empty", "empty", "sessions/images"), RefusedError),
        (("sessions/images", "", ""), RefusedError),
    ],
)
def test_refusals(folder: Path, workplace: Path, named: tuple[str, str, str], error: type[SessionkitError]) -> None:
    (workplace / "empty").mkdir()
    place, root, store = named
    with pytest.raises(error) as caught:
        collect(Path(place), options=replace(OPTIONS, roots=(Path(root),) if root else (), store=Path(store) if store else None))
    assert caught.value.hint
    assert len(kept(folder)) == 2
