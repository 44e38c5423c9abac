"""How large a restored session may become, and how much memory that takes."""

from __future__ import annotations

import filecmp
import subprocess
import sys
from pathlib import Path

import pytest

from sessionkit.errors import TooLargeError, UnwritableError
from sessionkit.ops.restore import Options
from sessionkit.ops.sources import STDIN
from sessionkit.ops.targets import InPlace, Mirror, OneFile
from sessionkit.ops.writing import Effect, Writing
from tests.ops.runs import error_of, file_size_limit, large_bmp, message, migrate_one, png, restore_all, restore_one, stamps, text, write

ROOT = Path(__file__).parents[2]


@pytest.fixture
def spilled(session: Path, tmp_path: Path) -> Path:
    migrate_one(session, Mirror(tmp_path / "out"))
    return tmp_path / "out" / session.name


@pytest.fixture
def amplifier(tmp_path: Path) -> Path:
    """A small session that names one large asset a thousand times: 7 GB."""
    source = write(tmp_path / "home" / "bomb.jsonl", message(large_bmp()))
    migrate_one(source, Mirror(tmp_path / "out"))
    spilled = tmp_path / "out" / source.name
    return write(spilled, spilled.read_bytes() * 1000)


def test_the_bound_is_exact(spilled: Path, session: Path, tmp_path: Path) -> None:
    size = session.stat().st_size
    error = error_of(restore_all([spilled], OneFile(tmp_path / "back"), Options(most=size - 1)))
    assert isinstance(error, TooLargeError)
    assert f"{size:,}" in error.why
    assert "--max-output" in error.hint
    assert not (tmp_path / "back").exists()
    restore_one(spilled, OneFile(tmp_path / "back"), Options(most=size))


@pytest.mark.parametrize("target", ["back.jsonl", "-"])
@pytest.mark.parametrize("effect", list(Effect))
def test_amplification_is_stopped_before_the_first_byte(
    amplifier: Path, target: str, effect: Effect, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:  # fmt: skip
    before = stamps(amplifier.parent)
    path = STDIN if target == "-" else amplifier.parent / target
    error = error_of(restore_all([amplifier], OneFile(path), Options(most=1 << 30, writing=Writing(effect))))
    assert isinstance(error, TooLargeError)
    assert "6,9" in error.why
    assert stamps(amplifier.parent) == before
    assert capfdbinary.readouterr().out == b""


@pytest.mark.parametrize("is_in_place", [True, False])
def test_a_file_that_cannot_grow_leaves_everything_as_it_was(spilled: Path, session: Path, is_in_place: bool) -> None:
    before = stamps(spilled.parents[1])
    with file_size_limit(session.stat().st_size - 1):
        error = error_of(restore_all([spilled], InPlace() if is_in_place else Mirror(spilled.parents[1] / "back")))
    assert isinstance(error, UnwritableError)
    assert error.why == "file too large"
    assert stamps(spilled.parents[1]) == before


def test_free_space_is_looked_at_first(amplifier: Path, small_disk: Path) -> None:
    before = stamps(small_disk)
    error = error_of(restore_all([amplifier], Mirror(small_disk / "new" / "folder")))
    assert isinstance(error, TooLargeError)
    assert f"are free at {small_disk}" in error.why
    assert stamps(small_disk) == before
    assert not (small_disk / "new").exists()


PEAK = """
import sys
from pathlib import Path
from sessionkit.core.files import Durability
from sessionkit.ops import migrate, restore
from sessionkit.ops.targets import Mirror
from sessionkit.ops.writing import Writing
from tests.ops.runs import migrate_one, restore_one

def most():
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])  # rusage would count what the parent took

verb, path, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
writing = Writing(durability=Durability.NO_SYNC)
before = most()
if verb == "migrate":
    migrate_one(path, Mirror(out), migrate.Options(writing=writing))
else:
    restore_one(path, Mirror(out), restore.Options(writing=writing))
print(most() - before)
"""


def peak(verb: str, path: Path, out: Path) -> int:
    """Most MiB of memory that a process takes for the work."""
    command: list[str | Path] = [sys.executable, "-c", PEAK, verb, path, out]
    return int(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout) >> 10


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    source = tmp_path / "home" / "session.jsonl"
    write(source, (message(large_bmp()[: 1 << 20]) + message(png(0)) + text(100_000)) * 130)
    assert source.stat().st_size > 190e6
    assert peak("migrate", source, tmp_path / "out") < 16
    assert peak("restore", tmp_path / "out" / source.name, tmp_path / "back") < 16
    assert filecmp.cmp(source, tmp_path / "back" / source.name, shallow=False)


def test_memory_is_a_few_times_the_longest_line(tmp_path: Path) -> None:
    media = [b"BM" + bytes([number]) * (4 << 20) for number in range(9)]
    source = write(tmp_path / "home" / "session.jsonl", text(1000) + message(*media))
    size = source.stat().st_size >> 20
    assert size > 47
    assert peak("migrate", source, tmp_path / "out") < 4 * size
    assert peak("restore", tmp_path / "out" / source.name, tmp_path / "back") < 16
    assert filecmp.cmp(source, tmp_path / "back" / source.name, shallow=False)
