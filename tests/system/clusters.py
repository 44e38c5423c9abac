"""A dask.distributed cluster on the loopback: a scheduler, and workers that can be killed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
_DASK = "import sys; sys.argv[0] = 'dask'; from dask.__main__ import main; {}; main()"
_ALONE = ("--host", "127.0.0.1", "--no-dashboard")
WITHOUT = "sys.modules['sessionkit'] = None"
OTHER = "import sessionkit; sessionkit.__version__ = '0.0.1'"


@dataclass
class Cluster:
    """Processes, and the file by which they find each other; each is stopped when the stack is left."""

    folder: Path
    stack: ExitStack
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    scheduler: subprocess.Popen[bytes] = field(init=False)

    @property
    def _file(self) -> Path:
        return self.folder / "scheduler.json"

    @property
    def address(self) -> str:
        return str(json.loads(self._file.read_text())["address"])

    def start(self) -> None:
        self.scheduler = self._run("scheduler", "--port", "0", "--scheduler-file", str(self._file))
        until(self._file.exists)

    def add(self, count: int = 1, before: str = "pass") -> None:
        """Add workers, which run a statement before they begin, and wait for them."""
        fleet = [self._worker(before) for _ in range(count)]
        until(lambda: all("Registered to" in log.read_text() for log in fleet))

    def _worker(self, before: str) -> Path:
        words = ("--scheduler-file", str(self._file), "--no-nanny", "--nthreads", "1", "--local-directory", str(self.folder / "scratch"))
        log = self.folder / f"worker{len(self.workers)}.log"
        self.workers.append(self._run("worker", *words, before=before, log=log))
        return log

    def _run(self, *words: str, before: str = "pass", log: Path | None = None) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", _DASK.format(before), *words, *_ALONE]
        output = self.stack.enter_context((log or self.folder / "scheduler.log").open("wb"))
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output)
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        return process


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[Cluster]:
    """Start a scheduler and its workers; all end with the block."""
    folder.mkdir()
    with ExitStack() as stack:
        started = Cluster(folder, stack)
        started.start()
        if workers:
            started.add(workers)
        yield started


def until(condition: object, seconds: float = 60) -> None:
    """Wait for something to come true."""
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)
