"""Ways to run command lines: in this process, which is fast, or as a program."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.cli.main import main
from tests.cli.running import FIXTURES, PROGRAM, Ran

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.running import Cli, Copy, Program


@pytest.fixture(autouse=True)
def _quiet_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work in an empty folder, with no settings of whoever runs the tests."""
    for name in [name for name in os.environ if name.startswith("SESSIONKIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("PYTHONPATH", str(FIXTURES.parent))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    handler = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, handler)


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str]) -> Cli:
    """Run a command line in this process."""

    def run(*words: str | Path) -> Ran:
        code = main([str(word) for word in words])
        out, err = capfd.readouterr()
        return Ran(code, out, err)

    return run


@pytest.fixture
def program() -> Program:
    """Run a command line as a program; `stdin` are the bytes that it reads, `stdout` the descriptor that it writes to."""

    def run(*words: str | Path, stdin: bytes = b"", stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([*PROGRAM, *map(str, words)], input=stdin, stdout=stdout, stderr=subprocess.PIPE, check=False)

    return run


@pytest.fixture
def session() -> Copy:
    """Copy a fixture to a name in the working folder."""

    def copy(name: str, case: str = "pi/session") -> Path:
        target = Path(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(FIXTURES / case / "session.jsonl", target)
        os.utime(target, (1, 1))  # not written a moment ago
        return target

    return copy


@pytest.fixture
def spilled(cli: Cli, session: Copy) -> Path:
    """A spilled session with its assets."""
    source = session("inline/a.jsonl")
    assert cli("migrate", source, "-o", "spilled/a.jsonl", "--no-fsync").code == 0
    return Path("spilled/a.jsonl")
