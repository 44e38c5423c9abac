"""What pyproject.toml says of the package."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def pyproject() -> dict[str, Any]:
    """All of it."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def requirement_of(extra: str) -> str:
    """The one requirement of an extra."""
    (requirement,) = pyproject()["project"]["optional-dependencies"][extra]
    return str(requirement)
