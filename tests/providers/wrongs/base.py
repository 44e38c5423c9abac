"""What the tables of wrong bodies are made of."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from tests.pictures import picture
from tests.providers.bodies import PNG, Planted, encoded

Wrong: TypeAlias = tuple[Planted, *tuple[str, ...]]
"""What is planted in the good body, and every refusal that it brings, the first one first."""

JPEG, GIF, BMP = picture("JPEG"), picture("GIF", "P"), picture("BMP")
PDF = b"%PDF-1.7 small\n%%EOF"
BROKEN = PNG[: len(PNG) // 2]
UNPADDED = encoded(PNG + bytes(1 - len(PNG) % 3 + 3)).rstrip("=")
WRAPPED = f"{encoded(PNG)[:40]}\n{encoded(PNG)[40:]}"
STRAY_BITS = f"{encoded(b'ab')[:-2]}J="
PATH = f"images/{'0' * 64}.png"
LONG = "x" * 86


@cache
def black(width: int, height: int) -> bytes:
    """A large picture of few bytes."""
    return picture("PNG", "1", (width, height))
