"""`make demo` shows what it promises: every session of every agent comes back."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DEMO = Path(__file__).parent / "demo.py"


def test_the_demo_runs_and_shows_a_row_for_every_session() -> None:
    output = subprocess.run([sys.executable, DEMO], check=True, stdout=subprocess.PIPE, text=True).stdout
    table = output.split("ref.\n")[1].split("\n\n")[0].splitlines()
    assert len(table) == 8
    assert all(len(line) <= 80 for line in table)
    assert "8 sessions came back byte for byte." in output
