"""The shelf of session formats: one book per agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.formats.base import Format
from sessionkit.formats.claude_code import ClaudeCode
from sessionkit.formats.codex import Codex
from sessionkit.formats.gemini_cli import GeminiCli
from sessionkit.formats.head import Head, read_head
from sessionkit.formats.holders import Use
from sessionkit.formats.ink import Ink
from sessionkit.formats.native import Native, NativeSpill
from sessionkit.formats.pi import Pi
from sessionkit.formats.pi_next import PiNext
from sessionkit.formats.plain import Plain
from sessionkit.formats.qwen_code import QwenCode
from sessionkit.formats.unknown import Unknown

if TYPE_CHECKING:
    from typing import Final

__all__ = ["FORMATS", "Format", "Head", "Use", "detect", "read_head"]

FORMATS: Final[tuple[Format, ...]] = (
    Pi(),
    PiNext(),
    Codex(),
    QwenCode(),  # before Claude Code, which has the same keys
    ClaudeCode(),
    GeminiCli(),
    NativeSpill(),  # before Native, which knows its header too
    Native(),
    Ink(),  # after Pi, which has the same entries
    Plain(),
    Unknown(),
)
"""In the order of recognition: the first that recognises a session is its format."""


def detect(head: Head) -> Format:
    """Name the format of a session: the first book that recognises it, the last of which recognises all."""
    return next(book for book in FORMATS if book.recognises(head))
