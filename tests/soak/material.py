"""Sessions for a run under load, seeded, and what each of them is when it is spilled."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from sessionkit.cli.main import main
from tests.pictures import picture
from tests.system.sessions import session_of, write_session

if TYPE_CHECKING:
    from pathlib import Path

_PICTURES = 120
_LARGEST = 40_000
"""Bytes behind the end of a picture."""
_MOST = 6
"""Pictures of a session."""
_ASSET = re.compile(rb"images/([0-9a-f]{64}\.[a-z]+)")


@dataclass(frozen=True)
class Material:
    """A session: its file, its bytes, those of its spilled form, and the names of its assets."""

    path: Path
    inline: bytes
    spilled: bytes
    assets: tuple[str, ...]

    @classmethod
    def of(cls, path: Path, inline: bytes) -> Self:
        """Spill it once, undisturbed."""
        write_session(path, inline)
        target = path.parent.parent / "spilled" / path.name
        if main(["migrate", "-q", "--no-fsync", str(path), "-o", str(target)]):
            raise SystemExit("the material for the run cannot be made")
        text = target.read_bytes()
        return cls(path, inline, text, tuple(dict.fromkeys(name.decode() for name in _ASSET.findall(text))))


def make(folder: Path, seed: int, count: int) -> list[Material]:
    """Write sessions that share pictures."""
    rng = random.Random(seed)  # noqa: S311  the same numbers in every run are what is wanted
    pictures = [picture("PNG", size=(16 + number, 16)) + rng.randbytes(rng.randrange(_LARGEST)) for number in range(_PICTURES)]
    return [
        Material.of(folder / "inline" / f"{number:02}.jsonl", session_of(rng.choices(pictures, k=rng.randint(1, _MOST))))
        for number in range(count)
    ]
