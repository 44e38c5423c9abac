"""Recorded sessions as requests: what we send of them, and what their agents sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias

from sessionkit.core.pictures import Pictures
from sessionkit.core.stores.local import LocalStore
from sessionkit.providers.base import PLAIN
from sessionkit.providers.body import write
from sessionkit.providers.replay import Choices, replay
from tests.formats.outlines import read
from tests.formats.wires import FIXTURES

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.model import Conversation
    from sessionkit.providers.base import Provider, Style, Target

Items: TypeAlias = list[dict[str, Any]]


def wire(name: str) -> Items:
    """The conversation in the body `fixtures/wires/<name>.json`."""
    body = json.loads((FIXTURES / "wires" / f"{name}.json").read_text("utf-8"))
    items: Items = next(body[key] for key in ("messages", "input", "contents") if key in body)
    return items


def replayed(conversation: Conversation, provider: Provider, target: Target, style: Style = PLAIN) -> Items:
    """The conversation in our body."""
    pictures = Pictures(LocalStore(FIXTURES / "none"))
    found = replay(conversation, provider, target, Choices(), pictures)
    assert not found.faults
    text = b"".join(write(provider.body(found.prompt, target, style), pictures.base64))
    items: Items = json.loads(text)[provider.list_name]
    return items


def first_lines(path: Path, lines: int, folder: Path) -> Conversation:
    """The conversation as it stood when so many lines were written."""
    session = folder / "session.jsonl"
    session.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:lines]))
    return read(session, name=str(session))
