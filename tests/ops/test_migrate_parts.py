"""A large session in ranges, by several processes: the same as by one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.files import Durability
from sessionkit.core.sniff import PNG
from sessionkit.errors import ChangedError, RefusedError, StoppedError, UnwritableError
from sessionkit.ops import segments
from sessionkit.ops.batch import Batch, OnFailure
from sessionkit.ops.failed import Failed
from sessionkit.ops.guards import Liveness
from sessionkit.ops.migrate import Options, Plan, parts
from sessionkit.ops.migrate.custody import Custody
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.sources import STDIN
from sessionkit.ops.targets import InPlace, Mirror, OneFile
from sessionkit.ops.writing import Effect, Writing
from tests.ops.runs import error_of, files, message, migrate_all, migrate_one, mode, png, text, transfers, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sessionkit.ops.ledger import Ledger

QUICK = Options(writing=Writing(durability=Durability.NO_SYNC))
STEP = 1 << 20
SPOILT = message(png(0)).replace(b"iVBOR", rb"iVB\nOR")
TWO = Batch(jobs=2, least=0)


@pytest.fixture(scope="module", autouse=True)
def _short_ranges() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segments, "LEAST", STEP)
        yield


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session of four ranges: pictures and a note near the begin of three, and a last line without an end."""
    folder = tmp_path_factory.mktemp("large")
    ranges = [message(png(3 * part), png(3 * part + 1)) + SPOILT + text(STEP) for part in range(3)]
    return write(folder / "large.jsonl", b"".join(ranges) + message(png(9)) + b'{"torn":', 0o640)


@pytest.fixture(scope="module")
def by_one(large: Path) -> tuple[dict[str, bytes], Ledger]:
    """What a single process makes of it."""
    result = migrate_one(large, Mirror(large.parent / "one"), QUICK)
    return files(large.parent / "one"), result.ledger


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def test_two_processes_write_the_same_and_tell_the_same(large: Path, out: Path, by_one: tuple[dict[str, bytes], Ledger]) -> None:
    result = migrate_one(large, Mirror(out), QUICK, TWO)
    spilled, ledger = by_one
    assert files(out) == spilled
    assert result.ledger == ledger
    assert [note.line for note in ledger.notes][:2] == [2, 2 + text(STEP).count(b"\n") + 2]
    assert (mode(out / large.name), (out / large.name).stat().st_mtime_ns) == (0o640, large.stat().st_mtime_ns)
    assert migrate_one(large, Mirror(out), QUICK, TWO).outcome is Outcome.UNCHANGED


def test_a_part_may_be_done_again(large: Path, out: Path, by_one: tuple[dict[str, bytes], Ledger]) -> None:
    """By another worker of a cluster, when the first one was lost in the middle of it."""
    [transfer] = transfers([large], Mirror(out))
    with Custody() as custody:
        cut = parts.split(transfer, QUICK, 2, custody)
        for part in cut:
            part.text.write_bytes(b"of a session that was longer then" + bytes(part.range.stop))
        parts.join_parts(cut, [parts.migrate_part(part, lambda _size: None) for part in cut])
    assert files(out) == by_one[0]


def test_a_rehearsal_tells_the_same(large: Path, out: Path, by_one: tuple[dict[str, bytes], Ledger]) -> None:
    result = migrate_one(large, Mirror(out), Options(writing=Writing(Effect.REHEARSE)), TWO)
    assert result.ledger == by_one[1]
    assert not out.exists()


def ranges_of(path: Path, options: Options = QUICK, *, in_place: bool = False, stdout: bool = False) -> list[tuple[int, int]]:
    destination = InPlace() if in_place else OneFile(STDIN if stdout else path.with_name("new.jsonl"))
    with Custody() as custody:
        return [(part.range.start, part.range.stop) for part in parts.split(transfers([path], destination)[0], options, 2, custody)]


def test_only_large_plain_files_that_go_to_a_file_are_cut(large: Path) -> None:
    size = large.stat().st_size
    ranges = ranges_of(large)
    assert len(ranges) == 3 + 1
    assert [start for start, _ in ranges[1:]] == [stop for _, stop in ranges[:-1]]
    assert (ranges[0][0], ranges[-1][1]) == (0, size)
    packed = large.with_name("packed.jsonl.gz")
    os.link(large, packed)
    small = write(large.with_name("small.jsonl"), b"")
    os.truncate(small, 2 * STEP - 1)
    assert ranges_of(large, in_place=True) == ranges_of(large, stdout=True) == ranges_of(packed) == ranges_of(small) == []
    assert ranges_of(large, Options(writing=Writing(Effect.REHEARSE))) == []
    assert not [name for name in os.listdir(large.parent) if name.startswith(".")]  # noqa: PTH208  names are enough
    packed.unlink()


def replace_file(path: Path) -> None:
    path.with_name("new").write_bytes(text(STEP) * 9)
    path.with_name("new").rename(path)


def cut_short(path: Path) -> None:
    os.truncate(path, STEP)


def test_a_source_that_changes_between_the_parts_is_not_published(large: Path, out: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    os.link(large, copy)
    results = Plan(transfers([copy], Mirror(out)), QUICK).run(Batch(jobs=2, least=0, progress=lambda _size: os.utime(copy)))
    before = large.stat()
    try:
        assert isinstance(error_of(list(results)), ChangedError)
    finally:
        os.utime(large, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [name for name in files(out) if "images/" not in name] == []


@pytest.mark.parametrize("liveness", Liveness)
@pytest.mark.parametrize("spoil", [replace_file, cut_short])
def test_ranges_of_two_files_are_never_joined(tmp_path: Path, out: Path, liveness: Liveness, spoil: Callable[[Path], None]) -> None:
    """Not even of a session that may be in use."""
    source = write(tmp_path / "s.jsonl", (message(png(0)) + text(STEP)) * 3)
    [transfer] = transfers([source], Mirror(out))
    options = Options(writing=Writing(liveness=liveness, durability=Durability.NO_SYNC))
    with Custody() as custody:
        cut = parts.split(transfer, options, 2, custody)
        parts.migrate_part(cut[0], lambda _size: None)
        spoil(source)
        for part in cut[1:]:
            with pytest.raises(ChangedError):
                parts.migrate_part(part, lambda _size: None)
    assert not (out / source.name).exists()


def test_what_is_appended_to_a_session_in_use_does_not_stop_its_ranges(tmp_path: Path, out: Path) -> None:
    source = write(tmp_path / "s.jsonl", (message(png(0)) + text(STEP)) * 3)
    before = source.read_bytes()
    [transfer] = transfers([source], Mirror(out))
    options = Options(writing=Writing(liveness=Liveness.ACCEPT, durability=Durability.NO_SYNC))
    with Custody() as custody:
        cut = parts.split(transfer, options, 2, custody)
        with source.open("ab") as file:
            file.write(text(STEP))
        parts.join_parts(cut, [parts.migrate_part(part, lambda _size: None) for part in cut])
    write(tmp_path / "whole" / source.name, before)
    migrate_one(tmp_path / "whole" / source.name, Mirror(tmp_path / "once"), QUICK)
    assert files(out) == files(tmp_path / "once")


def test_a_failing_part_leaves_no_parts(large: Path, out: Path) -> None:
    (out / "images" / AssetName.of(png(3), PNG).file_name).mkdir(parents=True)
    [result] = migrate_all([large], Mirror(out), QUICK, Batch(jobs=2, least=0, on_failure=OnFailure.FAIL_FAST))
    assert isinstance(result, Failed)
    assert isinstance(result.error, (UnwritableError, StoppedError))
    assert [path for path in files(out) if "images/" not in path or ".sessionkit" in path] == []


def test_another_file_at_the_target_is_kept(large: Path, out: Path) -> None:
    write(out / large.name, b"another\n")
    assert isinstance(error_of(migrate_all([large], Mirror(out), QUICK, TWO)), RefusedError)
    assert [path for path in files(out) if "images/" not in path] == [large.name]
    assert (out / large.name).read_bytes() == b"another\n"
