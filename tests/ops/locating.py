"""Locate what a refusal means, as the command does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.ops.locate import Located, Options, locate
from sessionkit.ops.sources import find_one

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Spot
    from sessionkit.ops.locate import Hit
    from tests.faults.workshop import Session


LABEL = "The image was specified using the {} media type, but the image appears to be a {} image"


def found(folder: Path, session: Session | bytes, text: str, options: Options | None = None) -> Located:
    path = folder / "a.jsonl"
    path.write_bytes(session if isinstance(session, bytes) else session.content)
    return locate(find_one(str(path)), text, options or Options())


def spots(hits: tuple[Hit, ...]) -> list[Spot]:
    return [hit.spot for hit in hits]


def spot(session: Session, number: int) -> Spot:
    return session.picture(number)[0].spot
