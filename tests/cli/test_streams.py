"""Standard input and output: data there, talk elsewhere, and ends of pipes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import ExitCode
from tests.cli.running import FIXTURES, PROGRAM

if TYPE_CHECKING:
    from tests.cli.running import Cli, Copy, Program

SESSION = (FIXTURES / "claude-code/compacted/session.jsonl").read_bytes()


@pytest.mark.parametrize("output", [(), ("-o", "-")])
def test_round_trip_through_pipes(program: Program, output: tuple[str, ...]) -> None:
    spilled = program("migrate", "-", *output, stdin=SESSION)
    assert (spilled.returncode, b"1 session: 109 kB before" in spilled.stderr) == (0, True)
    assert len(spilled.stdout) < len(SESSION) / 3
    assert list(Path("images").iterdir())
    restored = program("restore", "-", *output, stdin=spilled.stdout)
    assert (restored.returncode, restored.stdout) == (0, SESSION)


def test_store_of_a_stream(program: Program) -> None:
    spilled = program("migrate", "-", "--store", "assets", "-q", stdin=SESSION)
    assert spilled.stderr == b""
    assert not Path("images").exists()
    assert program("verify", "-", "--store", "assets", stdin=spilled.stdout).returncode == 0
    assert program("verify", "-", stdin=spilled.stdout).returncode == ExitCode.FINDINGS


def test_json_gives_way_to_data(program: Program) -> None:
    spilled = program("migrate", "-", "--json", stdin=SESSION)
    assert b"sessionkit.migrate" not in spilled.stdout
    assert spilled.stderr.count(b'"schema":"sessionkit.migrate/1"') == 2


def test_list_from_a_pipe(program: Program, session: Copy) -> None:
    listed = [str(session(f"{'x' * 200}{number}.jsonl", "plain/chat")) for number in range(400)]  # more than a pipe holds
    ran = program("scan", "--files-from", "-", "--json", stdin="\n".join(listed).encode())
    assert ran.stdout.count(b'"type":"session"') == len(listed)


@pytest.mark.parametrize(
    "words",
    [
        ("--version",),
        ("--help",),
        ("scan", "--help"),
        ("scan", "a.jsonl"),
        ("scan", "a.jsonl", "--json"),
        ("restore", "a.jsonl", "-o", "-"),
    ],
)
class TestUnwillingOutput:
    """Nobody reads, or the disk is full."""

    def test_closed_pipe(self, program: Program, session: Copy, words: tuple[str, ...]) -> None:
        session("a.jsonl")
        reading, writing = os.pipe()
        os.close(reading)
        ran = program(*words, stdout=writing)
        os.close(writing)
        assert (ran.returncode, ran.stderr) == (ExitCode.CLOSED_PIPE, b"")

    def test_full_disk(self, program: Program, session: Copy, words: tuple[str, ...]) -> None:
        session("a.jsonl")
        with Path("/dev/full").open("wb") as full:
            ran = program(*words, stdout=full.fileno())
        assert ran.returncode == ExitCode.FAILED
        assert b"standard output: cannot be written: no space left on device" in ran.stderr


def test_head(session: Copy) -> None:
    session("big.jsonl", "claude-code/compacted")
    command = f"{' '.join(PROGRAM)} restore big.jsonl -o - | head -c 1; echo ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, check=True)
    assert (ran.stdout, ran.stderr) == (b"{141\n", b"")


def test_closed_standard_streams(session: Copy) -> None:
    source = session("a.jsonl")
    command = f"{' '.join(PROGRAM)} migrate {source} -o b.jsonl <&- >&- 2>&-"
    assert subprocess.run(["bash", "-c", command], check=False).returncode == ExitCode.FAILED  # the report is lost, the work is not
    assert Path("b.jsonl").read_bytes().startswith(b'{"')
    assert b"saved" not in Path("b.jsonl").read_bytes()
    command = f"{' '.join(PROGRAM)} rehydrate {source} --provider anthropic >&-"
    ran = subprocess.run(["bash", "-c", command], check=False, capture_output=True)
    assert ran.returncode == ExitCode.FAILED
    assert b"standard output: cannot be written: bad file descriptor" in ran.stderr


def test_equal_source_and_restored(cli: Cli, spilled: Path) -> None:
    assert cli("restore", spilled, "-o", "back.jsonl").code == 0
    assert Path("back.jsonl").read_bytes() == Path("inline/a.jsonl").read_bytes()
