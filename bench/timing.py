"""Run commands in turn, and measure what each of them takes."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ASIDE = ".aside"
"""Folder beside `Command.out` that keeps what earlier commands wrote there, with all files emptied."""

_OURS = ("PYTHON", "SESSIONKIT_")
"""Heads of variables that change what is measured: PYTHONDONTWRITEBYTECODE, for one, slows every start."""


@dataclass(frozen=True, slots=True)
class Usage:
    """CPU and wall-clock time in seconds, the CPU of the children included; `peak` in bytes, of the largest single process."""

    cpu: float
    wall: float
    peak: int


@dataclass(frozen=True, slots=True)
class Command:
    """A program with its arguments, and the folder that must not be there when it starts."""

    words: tuple[str, ...]
    out: Path


def time_in_turn(commands: Sequence[Command], turns: int) -> list[Usage]:
    """Run A B C A B C …, once to warm up and then as often as told. Returns the medians of each command, and its highest peak."""
    rounds = [[run(command) for command in commands] for _ in range(turns + 1)]
    return [_summary(usages) for usages in zip(*rounds[1:], strict=True)]


def _summary(usages: Sequence[Usage]) -> Usage:
    return Usage(
        median(usage.cpu for usage in usages),
        median(usage.wall for usage in usages),
        max(usage.peak for usage in usages),
    )


def run(command: Command) -> Usage:
    """Run a command. Exits with what it said if it fails."""
    _set_aside(command.out)
    os.sync()  # or it would wait for what others wrote
    with tempfile.TemporaryFile() as talk:
        start = time.perf_counter()
        process = _spawn(command.words, talk.fileno())
        _, status, usage = os.wait4(process, 0)
        wall = time.perf_counter() - start
        if status:
            talk.seek(0)
            sys.exit(f"{' '.join(command.words)[:500]}\nended with {os.waitstatus_to_exitcode(status)}:\n{talk.read().decode()[-2000:]}")
    # ru_maxrss is the highest of the process, the children that it waited for, and this one, which therefore has to stay small.
    return Usage(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024)


def _set_aside(out: Path) -> None:
    """Empty the files of an earlier run, and keep them.

    For minutes ext4 gives no deleted file's inode to another, and steps over all of them again for every file that is created:
    after 2,000 were deleted, that takes as long as all else that a command does.
    """
    if not out.exists():
        return
    for path in out.rglob("*"):
        if path.is_file():
            os.truncate(path, 0)
    aside = out.parent / ASIDE
    aside.mkdir(exist_ok=True)
    out.rename(aside / str(sum(1 for _ in aside.iterdir())))


def _spawn(words: tuple[str, ...], talk: int) -> int:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    streams = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_DUP2, talk, 2)]
    return os.posix_spawnp(words[0], words, environment, file_actions=streams)
