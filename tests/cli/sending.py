"""Small sessions to send, and the bodies that they should become."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.ops.rehydrate import Options, rehydrate
from sessionkit.ops.sources import find_one
from sessionkit.providers import provider_of
from tests.pictures import picture

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDE, BMP, PNG = picture("PNG", size=(9001, 120)), picture("BMP"), picture("PNG", size=(29, 40))
ANTHROPIC = ("--provider", "anthropic")


def image(data: bytes, media_type: str = "image/png") -> dict[str, object]:
    return {"type": "image", "data": base64.b64encode(data).decode(), "mimeType": media_type}


def pi(name: str, *content: object) -> Path:
    """Write a session of Pi with one message of the user, and an answer."""
    return written(
        name,
        {"role": "user", "content": [{"type": "text", "text": "Look:"}, *content]},
        {"role": "assistant", "content": [{"type": "text", "text": "I see."}], "provider": "p", "api": "anthropic-messages", "model": "m"},
    )


def written(name: str, *messages: Mapping[str, object]) -> Path:
    """Write a session of Pi with these messages, from line 2 on."""
    entries: list[object] = [{"type": "session", "version": 3, "id": "s", "cwd": "/"}]
    entries += [
        {"type": "message", "id": f"entry{at}", "parentId": f"entry{at - 1}" if at else None, "message": message}
        for at, message in enumerate(messages)
    ]
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return path


def body_of(path: Path, provider: str = "anthropic") -> bytes:
    with rehydrate(find_one(str(path)), Options(provider_of(provider))) as result:
        assert hasattr(result, "pieces")
        return b"".join(result.pieces())
