"""What vendors and clients say when they refuse a request, and what each of it means."""

from __future__ import annotations

from typing import Final

from sessionkit.ops.locate.sayings import anthropic, clients, gemini, openai
from sessionkit.ops.locate.sayings.base import Saying, Scope, Subject

__all__ = ["SAYINGS", "Saying", "Scope", "Subject"]

SAYINGS: Final[tuple[Saying, ...]] = (*clients.SAYINGS, *anthropic.SAYINGS, *openai.SAYINGS, *gemini.SAYINGS)
"""The first that fits a text counts: those that say little stand last."""
