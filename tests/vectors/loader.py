"""Vectors of estimates and compaction: messages in a neutral notation, what is asked of them, and what must come out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from sessionkit.core.assets import AssetName
from sessionkit.core.model import (
    Block,
    Inline,
    Media,
    MediaKind,
    MediaSource,
    Message,
    Role,
    Shell,
    StopReason,
    Stored,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Uri,
    Usage,
    UserKind,
)
from sessionkit.core.pixels import Size

_FOLDER = Path(__file__).parent

Loaded: TypeAlias = dict[str, Any]
"""An object of a vector, as JSON gave it."""


@dataclass(frozen=True, slots=True)
class Vector:
    """One case; `expected` has the keys of reports."""

    name: str
    strategy: str
    options: Loaded
    messages: tuple[Message, ...]
    expected: Loaded

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ImageVector:
    """Tokens of an image; a size of None is any size."""

    model: str
    detail: str | None
    size: Size | None
    tokens: int
    source: str

    def __repr__(self) -> str:
        return f"{self.model} {self.detail} {self.size}"


def vectors(*strategies: str) -> list[Vector]:
    """Vectors of these strategies; of all without one."""
    return [vector for vector in _vectors() if not strategies or vector.strategy in strategies]


def image_vectors() -> list[ImageVector]:
    return [_image_vector(**raw) for raw in json.loads((_FOLDER / "image_tokens.json").read_text("utf-8"))]


def message_of(raw: Loaded) -> Message:
    content, plain = _content(raw.get("content"))
    return Message(
        role=Role(raw["role"]),
        content=content,
        plain=plain,
        kind=UserKind(raw.get("kind", "prompt")),
        usage=Usage(**raw["usage"]) if raw.get("usage") else None,
        stop_reason=StopReason(raw["stop_reason"]) if raw.get("stop_reason") else None,
        kept=raw.get("kept", 0),
        tokens_before=raw.get("tokens_before"),
    )


@cache
def _vectors() -> tuple[Vector, ...]:
    return tuple(
        Vector(raw["name"], raw["strategy"], raw["options"], tuple(map(message_of, raw["messages"])), raw["expected"])
        for raw in json.loads((_FOLDER / "compaction_vectors.json").read_text("utf-8"), object_hook=_join)
    )


def _join(value: Loaded) -> Loaded | str:
    """Put together a string that is written as its parts, some of them many times."""
    if value.keys() != {"$join"}:
        return value
    return "".join(part if isinstance(part, str) else part[0] * part[1] for part in value["$join"])


def _content(raw: str | list[Loaded] | None) -> tuple[tuple[Block, ...], bool]:
    match raw:
        case str():
            return (Text(raw),), True
        case list():
            return tuple(map(_block, raw)), False
        case None:
            return (), False


def _block(raw: Loaded) -> Block:
    match raw:
        case {"type": "text"}:
            return Text(raw["text"])
        case {"type": "thinking"}:
            return Thinking(raw.get("text", ""), raw.get("signature", ""), redacted=raw.get("redacted", False))
        case {"type": "image" | "document"}:
            return _media(raw)
        case {"type": "tool_call"}:
            return ToolCall(raw["id"], raw["name"], raw["arguments"])
        case {"type": "tool_result"}:
            return _result(raw)
        case {"type": "shell"}:
            return Shell(raw["command"], raw["output"], raw.get("exit_code"), excluded=raw.get("excluded", False))
        case _:
            raise ValueError(raw)


def _media(raw: Loaded) -> Media:
    size = Size(raw["width"], raw["height"]) if "width" in raw else None
    return Media(MediaKind(raw["type"]), _source(raw), raw.get("media_type"), size, raw.get("name", ""))


def _source(raw: Loaded) -> MediaSource:
    match raw:
        case {"data": str(data)}:
            return Inline(data)
        case {"asset_path": str(path)}:
            return Stored(AssetName.parse(path))
        case _:
            return Uri(raw.get("uri", ""))


def _result(raw: Loaded) -> ToolResult:
    content, plain = _content(raw.get("content"))
    shown = tuple(block for block in content if isinstance(block, Text | Media))
    assert len(shown) == len(content), raw
    return ToolResult(raw["call_id"], raw["name"], shown, is_error=raw.get("is_error", False), plain=plain)


def _image_vector(**raw: Any) -> ImageVector:  # noqa: ANN401
    size = None if raw["width"] is None else Size(raw["width"], raw["height"])
    return ImageVector(raw["model"], raw["detail"], size, raw["tokens"], raw["source"])
