"""qwen-code: Claude Code's chain of records with the Gemini API's messages in it."""

from __future__ import annotations

from sessionkit.formats.qwen_code.book import QwenCode

__all__ = ["QwenCode"]
