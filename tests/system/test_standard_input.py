"""What a run that read standard input leaves behind when it is killed: nothing, or what the next one removes."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.system.sessions import PROGRAM, leftovers, png, session_of
from tests.system.test_full_disk import IN_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.system

INLINE = session_of([png(0, 3_000_000)])
COMMANDS = (
    ("estimate", "-"),
    ("messages", "-"),
    ("check", "-"),
    ("compact", "-"),
    ("restore", "-", "-o", "-"),
    ("rehydrate", "-", "--provider", "anthropic"),
)
WITHOUT_PROC = 'mount -t tmpfs none /proc && exec "$@"'


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@contextmanager
def killed(folder: Path, *command: str) -> Iterator[int]:
    """Start a run whose temporary files come into the folder, give it a session without an end, and kill it when the block ends."""
    environment = os.environ | {"TMPDIR": str(folder)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment) as process:
        assert process.stdin
        process.stdin.write(INLINE)
        process.stdin.flush()
        try:
            yield process.pid
        finally:
            process.kill()


def bytes_of_copy(pid: int, folder: Path) -> int:
    """Size of the file of the folder that a process has open, named or not."""
    for file in Path(f"/proc/{pid}/fd").iterdir():
        if file.readlink().is_relative_to(folder):
            return file.stat().st_size
    return 0


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_killed_run_leaves_nothing(tmp_path: Path, words: tuple[str, ...]) -> None:
    with killed(tmp_path, *PROGRAM, *words) as pid:
        wait_for(lambda: bytes_of_copy(pid, tmp_path) == len(INLINE))
    assert list(tmp_path.iterdir()) == []


def test_without_a_path_to_open_files_the_next_run_removes_what_one_left(tmp_path: Path) -> None:
    program = [*IN_NAMESPACE, "sh", "-c", WITHOUT_PROC, "sh", *PROGRAM, "estimate", "-"]
    with killed(tmp_path, *program):
        wait_for(lambda: [file.stat().st_size for file in leftovers(tmp_path)] == [len(INLINE)])
    assert len(leftovers(tmp_path)) == 1
    pipeline = f"printf '%s\\n' {shlex.quote('{}')} | {shlex.join(program)}"
    subprocess.run(["sh", "-c", pipeline], env=os.environ | {"TMPDIR": str(tmp_path)}, capture_output=True, check=False)
    assert list(tmp_path.iterdir()) == []
