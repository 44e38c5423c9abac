"""Text like that of coding sessions."""

from __future__ import annotations

from random import Random

_PLAIN = (
    "the function returns a list of tokens when parse error at line import os sys def class return self if else for "
    "while try except raise value None True config path file session image tool result user assistant message content "
    "schema test assert expected actual build deploy server"
)
_ODD = 'über naïve 日本語 → ✓ 😀 "quoted" \\path\\to <div> [1, 2, 3] 0x7fff'

PLAIN_WORDS = _PLAIN.split()
"""Words that every font can draw."""

_WORDS = (*PLAIN_WORDS, *_ODD.split())


def seeded(seed: int) -> Random:
    """Return the generator of this seed."""
    return Random(seed)  # noqa: S311  the same numbers in every run are what is wanted


def prose(rng: Random, size: int) -> str:
    """Write indented lines of at least `size` characters in all."""
    lines: list[str] = []
    length = 0
    while length < size:
        lines.append(" " * rng.choice((0, 0, 4, 8)) + " ".join(rng.choices(_WORDS, k=rng.randint(4, 14))))
        length += len(lines[-1]) + 1
    return "\n".join(lines)
