"""Standard streams that are closed, full or torn."""

from __future__ import annotations

import gzip
import subprocess
from pathlib import Path

import pytest

from sessionkit.errors import ExitCode
from tests.system.sessions import PROGRAM, do, leftovers, png, session_of, write_session

pytestmark = pytest.mark.system

FULL = Path("/dev/full")
INLINE = session_of(png(number, 200_000) for number in range(5))
TORN = gzip.compress(INLINE)[:-100_000]


@pytest.fixture
def inline(tmp_path: Path) -> Path:
    return write_session(tmp_path / "inline" / "session.jsonl", INLINE)


@pytest.fixture
def spilled(tmp_path: Path, inline: Path) -> Path:
    do("migrate", inline, "--out", tmp_path / "spilled")
    return tmp_path / "spilled" / "session.jsonl"


def test_a_reader_that_goes_away_ends_the_run_quietly(spilled: Path) -> None:
    with subprocess.Popen([*PROGRAM, "restore", spilled, "-o", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.read(10) == INLINE[:10]
        process.stdout.close()
        stderr = process.stderr.read()
    assert (process.returncode, stderr) == (ExitCode.CLOSED_PIPE, b"")


@pytest.mark.parametrize("words", [("verify", "{spilled}"), ("restore", "{spilled}", "-o", "-"), ("migrate", "{inline}", "--out", "{out}")])
def test_a_full_standard_output_is_a_failure(tmp_path: Path, inline: Path, spilled: Path, words: tuple[str, ...]) -> None:
    out = tmp_path / "out"
    command = [word.format(spilled=spilled, inline=inline, out=out) for word in words]
    with FULL.open("wb") as full:
        ran = subprocess.run([*PROGRAM, *command], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == ExitCode.FAILED
    what, *_, hint = ran.stderr.splitlines()
    assert what == "error: standard output: cannot be written: no space left on device"
    assert hint.startswith("  next: ")
    assert ran.stderr.count("\n") <= 3  # a session that was on its way there is named
    assert leftovers(tmp_path) == []


def test_a_closed_standard_output_takes_nothing_of_the_session(tmp_path: Path, inline: Path) -> None:
    out = tmp_path / "out"
    script = f'{" ".join(PROGRAM)} migrate "{inline}" --out "{out}" >&- 2>&-'
    assert subprocess.run(["sh", "-c", script], check=False).returncode == ExitCode.FAILED  # the report is lost
    do("restore", out / "session.jsonl", "-o", tmp_path / "back.jsonl")
    assert (tmp_path / "back.jsonl").read_bytes() == INLINE


def test_a_torn_archive_leaves_nothing(tmp_path: Path) -> None:
    archive = tmp_path / "session.jsonl.gz"
    archive.write_bytes(TORN)
    ran = subprocess.run([*PROGRAM, "migrate", archive, "--out", tmp_path / "out"], capture_output=True, text=True, check=False)
    assert ran.returncode == ExitCode.FAILED
    assert ran.stderr.startswith(f"error: {archive}: the gzip archive is broken after ")
    assert not (tmp_path / "out" / "session.jsonl").exists()
    assert leftovers(tmp_path) == []


def test_a_torn_archive_on_standard_input_is_told(tmp_path: Path) -> None:
    """It has no name that tells an archive: its first bytes do."""
    words = [*PROGRAM, "migrate", "-", "--store", str(tmp_path / "images")]
    ran = subprocess.run(words, input=TORN, capture_output=True, check=False)
    assert ran.returncode == ExitCode.FAILED
    assert b"the gzip archive is broken after " in ran.stderr
