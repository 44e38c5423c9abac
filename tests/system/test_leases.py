"""Kernels and sandboxes in which nobody can ask who writes to a file: a session is changed in place all the same."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import ExitCode
from tests.system.sessions import PROGRAM, SPILLED, image_line, png, write_session

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.system

QUESTIONS = ("F_SETSIG", "F_SETLEASE, F_RDLCK", "F_SETLEASE, F_UNLCK")


def migrate(folder: Path, *options: str) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Migrate a session in place under strace: how it ended, and its calls of fcntl."""
    shutil.copytree(SPILLED / "images", folder / "images")
    session = write_session(folder / "session.jsonl", (SPILLED / "session.jsonl").read_bytes() + image_line(png(0)))
    log = folder.with_name(f"{folder.name}.strace")
    strace = ("strace", "-f", "-o", str(log), "-e", "trace=fcntl", *options)
    command = (*strace, *PROGRAM, "migrate", str(session), "--in-place", "-j", "1")
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    return ran, [line for line in log.read_text().splitlines() if "fcntl(" in line]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("error", ["EINVAL", "EPERM", "ENOSYS"])
def test_what_cannot_be_asked_stops_nothing(tmp_path: Path, question: str, error: str) -> None:
    _, calls = migrate(tmp_path / "asking")
    when = next(number for number, call in enumerate(calls, 1) if question in call)
    ran, calls = migrate(tmp_path / "refused", "-e", f"inject=fcntl:error={error}:when={when}")
    assert question in calls[when - 1]
    assert f"{error} " in calls[when - 1]
    assert "INJECTED" in calls[when - 1]
    assert ran.returncode == ExitCode.OK, ran.stderr
    assert (tmp_path / "refused/session.jsonl").read_bytes() == (tmp_path / "asking/session.jsonl").read_bytes()
