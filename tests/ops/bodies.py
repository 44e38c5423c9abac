"""Rehydrate sessions as the command does."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sessionkit.core.base64 import encode
from sessionkit.ops.rehydrate import Options, Rehydrated, Unsendable, rehydrate
from sessionkit.ops.sources import find_one
from sessionkit.providers import provider_of
from tests.ops.runs import write

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.providers.layouts import Shift


@dataclass(frozen=True)
class Made:
    """A body that was written."""

    raw: bytes
    result: Rehydrated

    @property
    def parsed(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.raw)
        return value

    @property
    def messages(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.parsed[self.result.provider.list_name]
        return found

    @property
    def shifts(self) -> tuple[Shift, ...]:
        assert self.result.shifts is not None
        return self.result.shifts


def make(path: Path | str, provider: str = "anthropic", **options: Any) -> Made:  # noqa: ANN401  whatever the options take
    """Rehydrate a session that can be sent."""
    with rehydrate(find_one(str(path)), Options(provider_of(*provider.split("/")), **options)) as result:
        assert isinstance(result, Rehydrated), result
        return Made(b"".join(result.pieces()), result)


def refuse(path: Path | str, provider: str = "anthropic", **options: Any) -> Unsendable:  # noqa: ANN401
    """Rehydrate a session that cannot be sent."""
    with rehydrate(find_one(str(path)), Options(provider_of(provider), **options)) as result:
        assert isinstance(result, Unsendable), result
        return result


def image(data: bytes, media_type: str = "image/png") -> dict[str, object]:
    """An image as Pi writes it."""
    return {"type": "image", "data": encode(data).decode(), "mimeType": media_type}


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def pi(folder: Path, *messages: dict[str, object]) -> Path:
    """Write a session of Pi, whose entries are called a, b, c …"""
    names = "abcdefghijklmnopqrstuvwxyz"
    entries: list[object] = [{"type": "session", "version": 3, "id": "s", "cwd": "/"}]
    for name, parent, message in zip(names, (None, *names), messages, strict=False):
        entries.append({"type": "message", "id": name, "parentId": parent, "message": message})
    return write(folder / "session.jsonl", "".join(json.dumps(entry) + "\n" for entry in entries).encode())
