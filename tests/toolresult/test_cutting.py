"""Texts that are cut: where, and what is said of it."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from sessionkit.toolresult import LIMITS, Keep, Limits, cut_text

if TYPE_CHECKING:
    from collections.abc import Callable

LINES = "".join(f"line {number}\n" for number in range(1, 5001))
LONG = "x" * 60_000
RUN = base64.b64encode(bytes(range(256)) * 4).decode()
WRAPPED = "\n".join(RUN[at : at + 76] for at in range(0, len(RUN), 76))
BROKEN = "\\n".join(RUN[at : at + 76] for at in range(0, len(RUN), 76))

FITS = ["", "\n", LINES[:1000], "x" * (50 << 10), "\n" * 2000, "line\n" * 1999 + "line", "é" * (25 << 10)]


@pytest.mark.parametrize("keep", Keep)
@pytest.mark.parametrize("text", FITS, ids=range(len(FITS)))
def test_what_is_within_the_limits_stays(text: str, keep: Keep) -> None:
    assert cut_text(text, Limits(keep=keep)) is text


CUT: dict[str, tuple[str, Limits, str]] = {
    "lines, head": (
        LINES,
        LIMITS,
        LINES.partition("line 2000\n")[0] + "[Truncated: the last 30,010 of 48,893 bytes (3,001 of 5,000 lines) are left out.]",
    ),
    "lines, tail": (
        LINES,
        Limits(keep=Keep.TAIL),
        "[Truncated: the first 28,903 of 48,893 bytes (3,001 of 5,000 lines) are left out.]\nline 3002\n"
        + LINES.partition("line 3002\n")[2],
    ),
    "one line, head": (LONG, LIMITS, "x" * 51_040 + "\n[Truncated: the last 8,960 of 60,000 bytes are left out.]"),
    "one line, tail": (LONG, Limits(keep=Keep.TAIL), "[Truncated: the first 8,960 of 60,000 bytes are left out.]\n" + "x" * 51_040),
    "whole lines, if they are most of it": (
        "x" * 70 + "\n" + "y" * 900,
        Limits(256),
        "x" * 70 + "\n[Truncated: the last 900 of 971 bytes (1 of 2 lines) are left out.]",
    ),
    "a part of a line, if it is most of it": (
        "x\n" + "y" * 900,
        Limits(256),
        "x\n" + "y" * 94 + "\n[Truncated: the last 806 of 902 bytes are left out.]",
    ),
    "whole lines at the end": (
        "y" * 900 + "\n" + "x" * 70,
        Limits(256, keep=Keep.TAIL),
        "[Truncated: the first 901 of 971 bytes (1 of 2 lines) are left out.]\n" + "x" * 70,
    ),
    "whole characters": ("x" + "é" * 400, Limits(256), "x" + "é" * 47 + "\n[Truncated: the last 706 of 801 bytes are left out.]"),
    "whole characters at the end": (
        "é" * 400 + "x",
        Limits(256, keep=Keep.TAIL),
        "[Truncated: the first 706 of 801 bytes are left out.]\n" + "é" * 47 + "x",
    ),
    "four bytes a character": ("🖼" * 200, Limits(256), "🖼" * 24 + "\n[Truncated: the last 704 of 800 bytes are left out.]"),
    "escape sequences are whole": (
        "x" * 90 + "\x1b[31;1m" + "y" * 200,
        Limits(256),
        "x" * 90 + "\n[Truncated: the last 207 of 297 bytes are left out.]",
    ),
    "escape sequences are whole at the end": (
        "y" * 200 + "\x1b]0;title\x1b\\" + "x" * 90,
        Limits(256, keep=Keep.TAIL),
        "[Truncated: the first 211 of 301 bytes are left out.]\n" + "x" * 90,
    ),
    "no colour goes on": (
        "\x1b[31m" + "y" * 900,
        Limits(256),
        "\x1b[31m" + "y" * 91 + "\x1b[0m\n[Truncated: the last 809 of 905 bytes are left out.]",
    ),
    "no line fits": ("\n" * 9, Limits(lines=2), "\n[Truncated: the last 8 of 9 bytes (8 of 9 lines) are left out.]"),
}


@pytest.mark.parametrize("name", CUT)
def test_cuts(name: str) -> None:
    text, limits, expected = CUT[name]
    assert cut_text(text, limits) == expected


SPELLINGS: dict[str, Callable[[str], str]] = {
    "bare": lambda run: run,
    "data URL": lambda run: f"data:image/png;base64,{run}",
    "data URL of one letter": lambda run: f"data:image/png;charset=x;base64,{'A' * len(run)}",
    "data URL with percent signs": lambda run: f"data:image/svg+xml,%3Csvg{'%20x' * (len(run) // 4)}",
    "in lines": lambda run: WRAPPED if run is RUN else run,
    "URL-safe": lambda run: run.replace("+", "-").replace("/", "_"),
}


@pytest.mark.parametrize("keep", Keep)
@pytest.mark.parametrize("name", SPELLINGS)
@pytest.mark.parametrize("before", [0, 50, 200])
def test_base64_is_whole_or_gone(name: str, keep: Keep, before: int) -> None:
    run = SPELLINGS[name](RUN)
    words, more = "word " * (before // 5), " word" * (before // 5)
    text = f'{words}"{run}"{more}'
    for size in range(256, len(text), 37):
        cut = cut_text(text, Limits(size, keep=keep))
        assert run in cut or run[:20] not in cut
        assert run in cut or run[-20:] not in cut
        assert len(cut) <= size
        assert "[Truncated: the " in cut


NO_BASE64 = {
    "ruler": "=" * 900,
    "line": "-" * 900,
    "hash": "0123456789abcdef" * 60,
    "letters": "ABCDEFGH" * 200,
    "paths": "/Users/Someone/Projects2026/packages/frontend/src/components/Page1\n" * 20,
    "names": "/Some-long-Names/of-Many-parts_and-2-Numbers/all-in-one-Line-of-words\n" * 20,
}


@pytest.mark.parametrize("text", NO_BASE64.values(), ids=NO_BASE64)
def test_rulers_hashes_and_paths_are_no_base64(text: str) -> None:
    assert cut_text(text, Limits(256)).startswith(text[:60])


@pytest.mark.parametrize(("size", "lines"), [(255, 2000), (50_000, 1), (0, 0)])
def test_limits_without_room_for_the_note(size: int, lines: int) -> None:
    with pytest.raises(ValueError, match="no room"):
        Limits(size, lines)
