"""Reasoning as items of OpenAI's Responses API, which sessions hold in two ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sessionkit.core.dialects.arguments import read_arguments
from sessionkit.core.dialects.codex import recorded

if TYPE_CHECKING:
    from sessionkit.core.model import Carried, Thinking


def item_of(thinking: Thinking) -> Carried:
    """Find the item that Codex recorded, or that Pi keeps as the signature; empty if there is none."""
    own, _ = read_arguments(thinking.signature)
    item = recorded(thinking.carried) or own
    return item if isinstance(item, Mapping) and isinstance(item.get("type"), str) else {}


def is_complete(item: Carried) -> bool:
    """Whether an item says all by itself. Nothing is stored for us, so an id alone leads nowhere."""
    encrypted = item.get("encrypted_content")
    return isinstance(encrypted, str) and bool(encrypted) and (item.get("type") != "reasoning" or isinstance(item.get("summary"), list))
