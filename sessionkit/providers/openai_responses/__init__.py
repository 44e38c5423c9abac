"""The Responses API of OpenAI, and the one that Codex talks to."""

from __future__ import annotations

from sessionkit.providers.openai_responses.book import CodexResponses, OpenAIResponses

__all__ = ["CodexResponses", "OpenAIResponses"]
