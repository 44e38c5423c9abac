"""The run under load (`make soak`), for some seconds; and it notices when something is lost."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.system


def start(*words: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.soak", "--seed", "7", *map(str, words)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_nothing_is_lost() -> None:
    with start("--seconds", "60", "--operations", "200") as process:
        out, err = process.communicate()
    assert (process.returncode, err) == (0, ""), out
    assert out.startswith("seed 7, ")
    assert "\n200 operations, " in out
    assert out.endswith("\nlosses: 0\n")


def test_what_somebody_else_takes_away_is_a_loss(tmp_path: Path) -> None:
    with start("--seconds", "60", "--folder", tmp_path / "soak") as process:
        while process.poll() is None:
            for asset in (tmp_path / "soak" / "shared" / "images").glob("*.png"):
                with suppress(FileNotFoundError):
                    asset.unlink()
        out, _ = process.communicate()
    assert process.returncode == 1
    assert ".png is missing\n" in out
