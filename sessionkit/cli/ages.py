"""Spans of time as people write them."""

from __future__ import annotations

import re

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_LONGEST = 36_500 * _SECONDS["d"]
_AGE = r"([0-9]{1,9})\s*([smhdw])|0"


def parse_age(text: str) -> int:
    """Seconds of `14d`, `12h`, `30m`, `2w` or `0`. Raises ValueError, also for more than a hundred years."""
    found = re.fullmatch(_AGE, text.strip().lower())
    if found is None:
        raise ValueError(f"{text!r} is no span of time, such as 14d, 12h or 0")
    seconds = int(found[1]) * _SECONDS[found[2]] if found[1] else 0
    if seconds > _LONGEST:
        raise ValueError(f"{text!r} is too long")
    return seconds


def age(seconds: int) -> str:
    """Seconds in the largest unit that fits: 14d, 90m, 0."""
    unit = next((unit for unit in "dhms" if seconds and seconds % _SECONDS[unit] == 0), "")
    return f"{seconds // _SECONDS[unit]}{unit}" if unit else "0"
