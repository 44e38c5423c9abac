"""What Anthropic's refusals look like, and how they name a place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.providers.strict.base import Loaded, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Limits:
    """What is taken at most; `image_chars` of base64. More than `many` images lower the longest side."""

    image_chars: int = 10 * 2**20
    side: int = 8000
    many: int = 20
    many_side: int = 2000
    media: int = 100
    request_bytes: int = 32_000_000
    wrong_label: str = (
        "{place}.source.base64: The image was specified using the {label} media type, but the image appears to be a {mime} image"
    )


NOW = Limits()
"""Since the middle of 2026."""
EARLIER = Limits(image_chars=5 * 2**20, wrong_label="{place}.source.base64.data: Image does not match the provided media type {label}")
"""Before, and where other clouds serve the models."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a message, or of a result in it (`holder`); `place` is how messages name it, `path` how `paths` do."""

    place: str
    path: str
    message: int
    role: str
    value: Loaded
    holder: Loaded | None = None


def refuse(message: str, *, status: int = 400, **details: object) -> Refusal:
    kind = "request_too_large" if status == 413 else "invalid_request_error"
    more: Loaded = {"details": details} if details else {}
    return Refusal(status, {"type": "error", "error": {"type": kind, "message": message, **more}, "request_id": "req_1"})


def blocks(body: Loaded) -> Iterator[Block]:
    """Every block, the blocks of a result behind it."""
    for number, message in enumerate(body["messages"]):
        for place, value in enumerate(content(message)):
            name = f"messages.{number}.content.{place}"
            yield Block(name, name, number, message["role"], value)
            if value["type"] == "tool_result":
                for inner, part in enumerate(content(value)):
                    yield Block(
                        f"{name}.tool_result.content.{inner}", f"{name}.content.{inner}", number, message["role"], part, holder=value
                    )


def content(holder: Loaded) -> list[Loaded]:
    """A string is a block of text, unless it is empty."""
    value = holder.get("content") or []
    return [{"type": "text", "text": value}] if isinstance(value, str) else value
