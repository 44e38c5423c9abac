"""Options that take one of several words, whose enum is slow to import."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def among(*words: str) -> Callable[[str], str]:
    """Make a parser that takes one of these words, and raises ValueError for any other."""

    def parse(text: str) -> str:
        if text not in words:
            raise ValueError(f"{text!r} is not one of {', '.join(words)}")
        return text

    return parse
