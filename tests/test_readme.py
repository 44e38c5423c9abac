"""Every console block of README.md is run, and shows what the commands really print."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
AGENTS = ("pi", "claude-code", "codex", "qwen-code", "gemini-cli")

pytestmark = pytest.mark.snapshot


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder like the one the README speaks of: copies of the real sessions, and nothing else."""
    for agent in AGENTS:
        for session in (ROOT / "fixtures" / agent).glob("*/session.jsonl"):
            if session.parent.name in {"session", "compacted"}:
                target = tmp_path / "sessions" / agent / f"{session.parent.name}.jsonl"
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(session, target)
    return tmp_path


def run(command: str, folder: Path) -> str:
    """Both outputs of a shell command, as in a plain terminal of 80 columns."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {"PATH": path, "HOME": str(folder), "COLUMNS": "80", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    output = subprocess.PIPE, subprocess.STDOUT
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=output[0], stderr=output[1], check=False)
    return done.stdout.decode()


def replay(block: str, folder: Path) -> str:
    """The block with the outputs of its commands as they are now."""
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"{command}\n{run(command[2:], folder)}" for command in commands)


def test_blocks_show_what_happens(folder: Path) -> None:
    text = README.read_text()
    real = BLOCK.sub(lambda block: replay(block[0], folder), text)
    if os.environ.get("UPDATE_SNAPSHOTS"):
        README.write_text(real)
    assert text == real


def test_there_are_blocks() -> None:
    assert len(BLOCK.findall(README.read_text())) >= 4
