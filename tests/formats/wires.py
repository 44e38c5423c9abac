"""Request bodies that the real agents sent, and what of a conversation can be compared with them: its texts and its images."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sessionkit.core.model import Inline, Media, Role, Text, ToolResult
from sessionkit.core.slices import Slice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.model import Block, Conversation

FIXTURES = Path(__file__).parents[2] / "fixtures"
LEFT_OUT = "(client text left out)"
"""Stands in the fixtures for the agents' own prompts."""

Piece = tuple[str, str]
"""The role, and a text or `sha256:<hash of an image's bytes>`."""


def sent(name: str) -> list[Piece]:
    """Pieces of the body `fixtures/wires/<name>.json`, in their order, whichever of the four interfaces it was for."""
    body = json.loads((FIXTURES / "wires" / f"{name}.json").read_text())
    return pieces(body if isinstance(body, list) else next(body[key] for key in ("messages", "input", "contents") if key in body))


def pieces(turns: list[dict[str, Any]]) -> list[Piece]:
    """Pieces of the conversation in a body, in their order."""
    return [piece for turn in turns for piece in _pieces(turn, _role(turn))]


def held(conversation: Conversation) -> list[Piece]:
    """Pieces of a conversation; a summary is sent as the user's."""
    roles = {Role.COMPACTION: "user"}
    return [(roles.get(message.role, message.role.value), text) for message in conversation.messages for text in _held(message.content)]


def image_hash(block: Media) -> str:
    """`sha256:…` of an image that stands in a session."""
    match block.source:
        case Inline(text):
            return _hash(text)
        case Slice() as piece:
            return _hash(piece.read())
        case _:
            raise AssertionError(block.source)


def _held(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Text(text):
                yield text
            case Media():
                yield image_hash(block)
            case ToolResult(content=content):
                yield from _held(content)


def _role(turn: dict[str, Any]) -> str:
    role = "tool" if turn.get("type", "").endswith("_output") else turn.get("role", "assistant")
    return "assistant" if role == "model" else role


def _pieces(value: object, role: str) -> Iterator[Piece]:
    match value:
        case str():
            yield role, value
        case list():
            for item in value:
                yield from _pieces(item, role)
        case {"type": "tool_result", "content": content} | {"functionResponse": content}:
            yield from _pieces(content, "tool")
        case {"image_url": {"url": url}} | {"image_url": url}:
            yield role, _hash(url.partition(",")[2])
        case {"source": {"data": data}} | {"inlineData": {"data": data}}:
            yield role, _hash(data)
        case {"text": text}:
            yield role, text
        case {"response": {"output": text}, **rest}:
            yield role, text
            yield from _pieces(rest.get("parts", []), role)
        case {"content": inner} | {"parts": inner} | {"output": inner}:
            yield from _pieces(inner, role)


def _hash(text: str) -> str:
    return f"sha256:{hashlib.sha256(base64.b64decode(text, validate=True)).hexdigest()}"
