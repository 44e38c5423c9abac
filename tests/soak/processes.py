"""Commands as processes of their own, forked from this one, which has all modules loaded: a start takes milliseconds."""

from __future__ import annotations

import os
import resource
import signal
import tempfile
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from sessionkit.cli.main import main
from tests.soak.operations import Ended

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO


@dataclass
class Child:
    """A command at work; `deadline` is when it will be killed (monotonic seconds), if it will."""

    pid: int
    out: BinaryIO
    err: BinaryIO
    deadline: float | None
    is_killed: bool = False

    @classmethod
    def start(cls, words: list[str | Path], deadline: float | None, file_limit: int | None) -> Self:
        """Run a command; it may not make files larger than `file_limit` bytes."""
        out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115  `end` closes them
        pid = os.fork()
        if pid == 0:
            _become(words, out, err, file_limit)
        return cls(pid, out, err, deadline)

    def poll(self) -> Ended | None:
        """Look whether it has ended; kill it if its time has come."""
        if self.deadline is not None and not self.is_killed and time.monotonic() >= self.deadline:
            os.kill(self.pid, signal.SIGKILL)
            self.is_killed = True
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid == 0:
            return None
        code = os.waitstatus_to_exitcode(status)
        with self.out, self.err:
            return Ended(code, _text(self.out), _text(self.err), code == -signal.SIGKILL)


def _text(file: BinaryIO) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def _become(words: list[str | Path], out: BinaryIO, err: BinaryIO, file_limit: int | None) -> None:
    code = 70
    try:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        if file_limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))
        code = main(list(map(str, words)))
    finally:
        os._exit(code)
