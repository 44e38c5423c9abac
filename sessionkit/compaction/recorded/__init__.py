"""The compactions that agents have made themselves, as their sessions tell of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.recorded import claude_code, codex, gemini_cli, qwen_code, trees
from sessionkit.compaction.recorded.base import Kind, Recorded
from sessionkit.core.entries import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sessionkit.core.entries import Defect
    from sessionkit.formats import Format

__all__ = ["Kind", "Recorded", "find_recorded"]


def find_recorded(book: Format, entries: Iterable[Entry | Defect], path: str) -> tuple[Recorded, ...]:
    """Find all compactions of a session, in the order of its lines, be they on the newest branch or on another; `path` stands in origins.

    Raises what `book.conversation` raises.
    """
    return tuple(_find(book, [entry for entry in entries if isinstance(entry, Entry)], path))


def _find(book: Format, entries: Sequence[Entry], path: str) -> Iterator[Recorded]:
    match book.id:
        case "pi" | "ink":
            yield from trees.find(book, entries, path)
        case "native":
            yield from trees.find_native(book, entries, path)
        case "claude-code":
            yield from claude_code.find(book, entries, path)
        case "qwen-code":
            yield from qwen_code.find(book, entries, path)
        case "codex":
            yield from codex.find(entries, path)
        case "gemini-cli":
            yield from gemini_cli.find(entries, path)
