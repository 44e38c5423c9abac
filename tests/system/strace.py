"""Runs under strace: which system calls change the disk, and what happens when one of them fails or is the last one."""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.system.sessions import PROGRAM

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_OF_DESCRIPTORS = ("write", "writev", "fsync", "fdatasync", "ftruncate", "fchmod", "fchown", "utimensat")
_OF_PATHS = ("rename", "unlink", "mkdir", "chmod")
_OF_FOLDERS = ("openat", "renameat", "renameat2", "linkat", "unlinkat", "mkdirat", "fchmodat")
_TRACED = ",".join((*_OF_DESCRIPTORS, *_OF_FOLDERS, *(f"?{name}" for name in _OF_PATHS)))  # newer architectures lack those of paths

_LINE = re.compile(r"\d+ +(?P<name>\w+)\((?P<operands>.*)")
_DESCRIPTOR = re.compile(r"\d+<([^>]*)>")
_PATH = re.compile(r'"([^"]*)"')
_IN_FOLDER = re.compile(r'(?:\d+|AT_FDCWD)<([^>]*)>, "([^"]*)"')
_TEMPORARY = re.compile(r"\.sessionkit-[\w-]+")
_STAMP = re.compile(r"\d{8}T\d{6}Z")
_DIGEST = re.compile(r"([0-9a-f]{6})[0-9a-f]{58}")


@dataclass(frozen=True)
class Call:
    """A system call on a file of ours: the `turn`-th on its target, and the `when`-th of its name in the run.

    Python opens hundreds of files, not always the same number. So of `openat` only those are counted that open the
    `folder` or a name in it by its descriptor; of other names it is empty.
    """

    name: str
    target: str
    turn: int
    when: int
    folder: str = ""

    def __str__(self) -> str:
        again = f" again ({self.turn})" if self.turn > 1 else ""
        return f"{self.name} {self.target}{again}"


@dataclass(frozen=True)
class Ran:
    """How a traced run ended: its exit code (negative for a signal), what it said, and its calls."""

    code: int
    stderr: str
    calls: list[Call]


def run_traced(command: Sequence[str | Path], root: Path, *options: str) -> Ran:
    """Run the program with more options of strace; only calls that change something below the root are told of."""
    log = root.with_name(f"{root.name}.strace")
    strace = ["strace", "-f", "-y", "-s", "0", "-o", str(log), "-e", f"trace={_TRACED}", *options]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run([*strace, *PROGRAM, *command], capture_output=True, text=True, check=False, env=environment)
    return Ran(ran.returncode, ran.stderr, list(_read(log, root)))


def _read(log: Path, root: Path) -> Iterator[Call]:
    counts: Counter[tuple[str, str]] = Counter()
    turns: Counter[tuple[str, str]] = Counter()
    for found in filter(None, map(_LINE.match, log.read_text().splitlines())):
        name, operands = found["name"], found["operands"]
        path = _target(name, operands)
        folder = _relative(_opened(operands), root) if name == "openat" else ""
        counts[name, folder] += 1
        if path.is_relative_to(root) and (name != "openat" or "O_CREAT" in operands):
            target = _DIGEST.sub(r"\1", _STAMP.sub("TIME", _TEMPORARY.sub(".temporary", _relative(path, root))))
            turns[name, target] += 1
            yield Call(name, target, turns[name, target], counts[name, folder], folder)


def _opened(operands: str) -> Path:
    """The folder of a relative path, or an absolute path: what strace's option -P goes by."""
    folder, name = _IN_FOLDER.findall(operands)[0]
    return Path(name if name.startswith("/") else folder)


def _relative(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


def _target(name: str, operands: str) -> Path:
    """The path that a call changes; of a renaming the new one."""
    if name in _OF_PATHS:
        return Path(_PATH.findall(operands)[-1])
    if name in _OF_FOLDERS:
        return Path(*_IN_FOLDER.findall(operands)[-1])
    found = _DESCRIPTOR.search(operands)
    return Path(found[1] if found else "")
