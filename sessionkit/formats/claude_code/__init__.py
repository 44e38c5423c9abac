"""Claude Code, with the files of its subagents."""

from __future__ import annotations

from sessionkit.formats.claude_code.book import ClaudeCode

__all__ = ["ClaudeCode"]
