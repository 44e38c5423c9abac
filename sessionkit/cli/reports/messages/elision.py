"""Base64 is never printed, not even where it stands in a text."""

from __future__ import annotations

import re

_LONG = 1000
"""Characters. Shorter runs may be anything: identifiers, paths, hashes."""

_run = re.compile(rf"[A-Za-z0-9+/_-]{{{_LONG},}}={{0,2}}")


def without_base64(text: str) -> str:
    """Put the length of every long run of base64 in its place."""
    return _run.sub(lambda found: f"[{len(found[0]):,} characters of base64]", text) if len(text) >= _LONG else text
