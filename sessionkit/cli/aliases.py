"""Names that agents have for settings of theirs: they are taken for the options that mean the same, but not shown in the help."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typer.core import TyperOption

_ALIASES = {
    "image-tokens": "imageTokenEstimate",
    "keep-recent": "toolResultsNumToKeep",
    "keep-recent-tokens": "keepRecentTokens",
    "reserve": "reserveTokens",
    "watermark": "contextPercentageThreshold",
}
"""Of Pi and qwen-code, by our long names without dashes."""

_humps = re.compile("(?=[A-Z])").sub


def alias_of(option: TyperOption) -> str | None:
    """Find the agents' name of an option; None if no agent has it."""
    return next((alias for name, alias in _ALIASES.items() if f"--{name}" in option.opts), None)


def in_capitals(alias: str) -> str:
    """Write a name as a variable is written: KEEP_RECENT_TOKENS."""
    return _humps("_", alias).upper()
