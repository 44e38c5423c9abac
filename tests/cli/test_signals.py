"""Ctrl-C and SIGTERM in the middle of the work."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from sessionkit.errors import ExitCode
from tests.cli.running import PROGRAM


@pytest.mark.parametrize(
    ("number", "code", "word"),
    [(signal.SIGINT, ExitCode.INTERRUPTED, b"interrupted"), (signal.SIGTERM, ExitCode.TERMINATED, b"terminated")],
)
def test_stop(number: signal.Signals, code: ExitCode, word: bytes) -> None:
    Path("out").mkdir()
    words = [*PROGRAM, "migrate", "-", "-o", "out/a.jsonl"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.write(b'{"type":')
        process.stdin.flush()
        _wait_for_file(Path("out"))
        os.kill(process.pid, number)
        _, said = process.communicate()
    assert process.returncode == code
    assert said.startswith(word)
    assert b"Traceback" not in said
    assert list(Path("out").iterdir()) == []


def _wait_for_file(folder: Path) -> None:
    """Wait until the work has begun: a temporary file stands in the folder."""
    end = time.monotonic() + 20
    while not list(folder.iterdir()):
        assert time.monotonic() < end
        time.sleep(0.01)
