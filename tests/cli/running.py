"""What the fixtures of this folder are, and what they give."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import subprocess

FIXTURES = Path(__file__).parents[2] / "fixtures"
FOLDERS = [path for path in sorted(FIXTURES.iterdir()) if path.is_dir() and path.name != "faults"]
"""Sessions of every kind. Those of `faults` are the same few over and over, and weigh ten times as much as all others."""
PROGRAM = (sys.executable, "-m", "sessionkit")


@dataclass(frozen=True)
class Ran:
    """What a command line did."""

    code: int
    out: str
    err: str

    def records(self) -> list[dict[str, Any]]:
        """Lines of --json."""
        return [json.loads(line) for line in self.out.splitlines()]


Cli: TypeAlias = Callable[..., Ran]
Program: TypeAlias = Callable[..., "subprocess.CompletedProcess[bytes]"]
Copy: TypeAlias = Callable[..., Path]
