"""Sessions for estimates."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from tests.pictures import picture

PICTURE = f"data:image/png;base64,{base64.b64encode(picture('PNG', size=(29, 40))).decode()}"


def chat(name: str, *messages: dict[str, object]) -> Path:
    """Write plain messages."""
    path = Path(name)
    path.write_text("".join(json.dumps(message) + "\n" for message in messages))
    return path


def user(content: object) -> dict[str, object]:
    return {"role": "user", "content": content}


def picture_of(url: str) -> dict[str, object]:
    return {"type": "image_url", "image_url": {"url": url}}


def answer(content: str, tokens: int) -> dict[str, object]:
    """A message of Pi that its provider has billed."""
    usage = {"input": tokens, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": tokens}
    return {"role": "assistant", "content": [{"type": "text", "text": content}], "usage": usage, "stopReason": "stop"}


def pi(name: str, *messages: dict[str, object]) -> Path:
    """Write a session of Pi."""
    entries: list[object] = [{"type": "session", "version": 3, "id": "s", "cwd": "/"}]
    for number, message in enumerate(messages):
        entries.append({"type": "message", "id": str(number), "parentId": str(number - 1) if number else None, "message": message})
    path = Path(name)
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return path
