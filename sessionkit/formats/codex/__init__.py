"""Codex rollouts, of both generations."""

from __future__ import annotations

from sessionkit.formats.codex.book import Codex

__all__ = ["Codex"]
