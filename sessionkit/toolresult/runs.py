"""Base64 among text, which nobody can use when a part of it is gone."""

from __future__ import annotations

import re
from typing import Final

_SHORTEST: Final = 64
"""Characters of a run that may be base64; what is shorter is a word."""
_LOOKED_AT: Final = 1 << 16
_STEP, _NAME = 20, 10
"""Characters between two slashes, and between two hyphens or underscores, on average: more in base64, fewer in paths and names."""
_SEEN: Final = 500
"""Characters behind a position within which it shows what is there: more than the head of a data URL."""

# A data URL, of base64 or of percent signs; or runs of a line or more, as `base64` prints them.
_RUN = re.compile(
    r"data:[^\s,;\"'<>]{0,80}+(?:;[^\s,;\"'<>]{0,80}+){0,3}?;base64,[A-Za-z0-9+/_=-]*+"
    r"|data:[a-z]++/[a-z0-9.+-]{1,80}+(?:;[^\s,;\"'<>]{0,80}+){0,3}+,[^\s\"'<>()]*+"
    rf"|(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{{{_SHORTEST},}}+(?:\r?\n[A-Za-z0-9+/_-]{{{_SHORTEST},}}+)*+(?:\r?\n[A-Za-z0-9+/_-]++)?={{0,2}}",
    re.IGNORECASE,
)
_is_mixed = re.compile(r"(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])", re.DOTALL).match


def is_run(text: str) -> bool:
    """Whether a text is one data URL or run of base64 and nothing else."""
    whole = _RUN.match(text)
    return whole is not None and whole.end() == len(text) and _is_base64(text)


def run_around(text: str, position: int) -> tuple[int, int] | None:
    """Find the data URL or run of base64 that a cut at the position would part; None if there is none."""
    at = 0
    while found := _RUN.search(text, at, position + _SEEN):  # what begins before the position can be told by then
        if found.start() >= position:
            return None
        whole = _RUN.match(text, found.start()) or found
        if position < whole.end() and _is_base64(whole[0]):
            return whole.span()
        at = whole.end()
    return None


def _is_base64(run: str) -> bool:
    """Whether a run is one. Letters of one case, such as rulers and hashes, are none, nor are paths and names of many parts."""
    if run[:5].lower() == "data:":
        return True
    names = run.count("-") + run.count("_") + 1
    is_mixed = _is_mixed(run[:_LOOKED_AT]) is not None
    return is_mixed and len(run) >= max(_STEP * (run.count("/") + 1), _NAME * names)
