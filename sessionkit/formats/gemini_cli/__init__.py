"""Gemini CLI: JSON Lines, and the JSON documents of older versions and of `/chat save`."""

from __future__ import annotations

from sessionkit.formats.gemini_cli.book import GeminiCli

__all__ = ["GeminiCli"]
