"""Names that agents have for settings of theirs: they are taken for the options that mean the same, but not shown in the help."""

from __future__ import annotations

_ALIASES = {
    "--image-tokens": "--imageTokenEstimate",
    "--keep-recent": "--toolResultsNumToKeep",
    "--keep-recent-tokens": "--keepRecentTokens",
    "--reserve": "--reserveTokens",
    "--watermark": "--contextPercentageThreshold",
}
"""Of Pi and qwen-code, by our long names."""

alias_of = _ALIASES.get


def in_capitals(name: str) -> str:
    """Write the name of an option as a variable is written: KEEP_RECENT_TOKENS."""
    humps = (f"_{char}" if char.isupper() else char for char in name.removeprefix("--"))
    return "".join(humps).replace("-", "_").upper()
