"""A session that its agent goes on writing to while it is changed in place: no line may be lost."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import ExitCode
from tests.system.sessions import SPILLED, do, image_line, leftovers, png, start, write_session

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.system

APPEND_AND_CLOSE = """
import os, random, sys, time
path, delay, lines = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
time.sleep(delay)
for number in range(lines):
    file = os.open(path, os.O_WRONLY | os.O_APPEND)
    os.write(file, b'{"late":%d}\\n' % number)
    os.close(file)
    time.sleep(random.random() * 0.02)
"""
KEEP_OPEN = """
import os, random, sys, time
path, delay, lines = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
time.sleep(delay)
file = os.open(path, os.O_WRONLY | os.O_APPEND)
for number in range(lines):
    time.sleep(random.random() * 0.02)
    os.write(file, b'{"late":%d}\\n' % number)
"""
WRITERS = {"each line opens the file": APPEND_AND_CLOSE, "the file stays open": KEEP_OPEN}
MOMENTS = (0, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 1)
"""When the writer begins, as a share of the time that an undisturbed run takes."""
LINES = (1, 30)

INLINE = (SPILLED / "session.jsonl").read_bytes() + b"".join(image_line(png(number, 200_000), number) for number in range(40))


@dataclass(frozen=True)
class Appending:
    """How the agent writes, when it begins, and how many lines it appends."""

    writer: str
    moment: float
    lines: int

    def __str__(self) -> str:
        return f"{self.lines} from {self.moment}, {self.writer}"

    def start(self, session: Path, duration: float) -> subprocess.Popen[bytes]:
        words = (str(session), str(self.moment * duration), str(self.lines))
        return subprocess.Popen([sys.executable, "-c", WRITERS[self.writer], *words])

    @property
    def text(self) -> bytes:
        return b"".join(b'{"late":%d}\n' % number for number in range(self.lines))


@dataclass(frozen=True)
class Job:
    """A command, a session to be changed in place, and the seconds that an undisturbed run takes."""

    command: str
    session: Path
    duration: float


@pytest.fixture(scope="module", params=["migrate", "restore"])
def job(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Job:
    folder = tmp_path_factory.mktemp("original")
    shutil.copytree(SPILLED / "images", folder / "images")
    session = write_session(folder / "session.jsonl", INLINE)
    if request.param == "restore":
        do("migrate", session, "--in-place")
    timed = copy_of(session, tmp_path_factory.mktemp("timed"))
    begin = time.monotonic()
    with start(request.param, timed, "--in-place", "--live"):
        pass
    return Job(request.param, session, time.monotonic() - begin)


def copy_of(session: Path, folder: Path) -> Path:
    shutil.copytree(session.parent, folder, dirs_exist_ok=True)
    return folder / session.name


@pytest.mark.parametrize("appending", [Appending(*case) for case in product(WRITERS, MOMENTS, LINES)], ids=str)
def test_no_appended_line_is_lost(tmp_path: Path, job: Job, appending: Appending) -> None:
    session = copy_of(job.session, tmp_path)
    with appending.start(session, job.duration) as writing, start(job.command, session, "--in-place", "--live") as running:
        _, stderr = running.communicate()
    assert writing.returncode == 0
    assert running.returncode in {ExitCode.OK, ExitCode.FAILED}, stderr
    if running.returncode == ExitCode.FAILED:
        assert b"changed while it was being worked on" in stderr or b"changed while it was read" in stderr
    assert session.read_bytes().endswith(b"\n" + appending.text)
    assert leftovers(tmp_path) == []
    do("restore", session, "-o", tmp_path / "back.jsonl")
    assert (tmp_path / "back.jsonl").read_bytes() == INLINE + appending.text
