"""Requests that real agents sent, made whole again: the fixtures hold their messages only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.providers.strict.base import Loaded

_WIRES = Path(__file__).parents[2] / "fixtures" / "wires"
_REST: dict[str, Loaded] = {
    "anthropic": {"model": "claude-fable-5", "max_tokens": 4096},
    "openai-chat": {"model": "gpt-5.4"},
    "openai-responses": {"model": "gpt-5.4"},
    "gemini": {},
}
RECORDED = sorted(path.stem for path in _WIRES.glob("*.json"))


def recorded(name: str) -> tuple[str, Loaded]:
    """The interface, and the body."""
    interface = next(interface for interface in _REST if name.endswith(f"-{interface}"))
    body: Loaded = json.loads((_WIRES / f"{name}.json").read_text("utf-8"))
    return interface, {**_REST[interface], **body}
