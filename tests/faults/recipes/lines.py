"""Fixtures of lines that are torn or glued, or hold bytes that should not be there."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tests.faults.recipe import Recipe
from tests.faults.structure_bases import chain, cut, doubled, glued, of_codex, of_gemini, of_pi, of_qwen, slow_chain, stubbed, with_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.faults.workshop import Session

STUB = 2500
"""Bytes of a record that was torn."""
NULS = b"\0" * 300


def torn_before(make: Callable[[], Session], at: int) -> Session:
    return stubbed(make(), at, STUB)


def torn_tail(make: Callable[[], Session], at: int) -> Session:
    return cut(make(), at, STUB)


def torn_middle(make: Callable[[], Session], at: int) -> Session:
    session = make()
    return session.with_line(at, session.lines[at - 1][:STUB] + b"\n")


def two_glued(make: Callable[[], Session], at: int) -> Session:
    return glued(make(), at)


def with_nuls(make: Callable[[], Session], at: int) -> Session:
    session = make()
    return session.with_line(at, NULS + session.lines[at - 1])


def with_line_of_nuls(make: Callable[[], Session], at: int) -> Session:
    session = make()
    return session.with_line(at, NULS + b"\n" + session.lines[at - 1])


def with_mark(make: Callable[[], Session]) -> Session:
    session = make()
    return session.with_line(1, b"\xef\xbb\xbf" + session.lines[0])


def with_word(make: Callable[[], Session], at: int, word: bytes) -> Session:
    session = make()
    before = b"Compare the two" if session.lines[at - 1].count(b"Compare the two") == 1 else b"Content from"
    return with_bytes(session, at, before, word + b" " + before)


def with_tab(make: Callable[[], Session], at: int) -> Session:
    """Put a tab into the last string of a line."""
    session = make()
    raw = session.lines[at - 1]
    end = raw.rindex(b'"')
    return session.with_line(at, raw[:end] + b"\t" + raw[end:])


def unended(make: Callable[[], Session]) -> Session:
    session = make()
    return replace(session, lines=(*session.lines[:-1], session.lines[-1].rstrip(b"\n")))


def unended_with_nuls() -> Session:
    return unended(partial(with_nuls, chain, 9))


PROMPTS = {"claude-code": (chain, 3), "pi": (of_pi, 7), "codex": (of_codex, 8), "qwen-code": (of_qwen, 2), "gemini-cli": (of_gemini, 3)}
WORDS = {
    "bad-utf8": b"\xc3\x28 \xff\xfe",
    "lone-surrogate": rb"\ud83d \ude00 \ud83d\ude00",
    "nul-escape": rb"\u0000 \\u0000",
}

RECIPES = [
    Recipe("claude-code", "glued-lines", partial(two_glued, slow_chain, 7)),
    Recipe("claude-code", "glued-lines", lambda: glued(slow_chain(), 7, 3), "three"),
    Recipe("pi", "glued-lines", partial(two_glued, of_pi, 9)),
    Recipe("codex", "glued-lines", partial(two_glued, of_codex, 13)),
    Recipe("qwen-code", "glued-lines", partial(two_glued, of_qwen, 7)),
    Recipe("gemini-cli", "glued-lines", partial(two_glued, of_gemini, 7)),
    Recipe("claude-code", "torn-line", partial(torn_before, slow_chain, 7), "before-a-record"),
    Recipe("pi", "torn-line", partial(torn_before, of_pi, 9), "before-a-record"),
    Recipe("codex", "torn-line", partial(torn_before, of_codex, 13), "before-a-record"),
    Recipe("qwen-code", "torn-line", partial(torn_before, of_qwen, 7), "before-a-record"),
    Recipe("gemini-cli", "torn-line", partial(torn_before, of_gemini, 7), "before-a-record"),
    Recipe("claude-code", "torn-line", partial(torn_tail, chain, 11), "at-the-end"),
    Recipe("pi", "torn-line", partial(torn_tail, of_pi, 11), "at-the-end"),
    Recipe("qwen-code", "torn-line", partial(torn_tail, of_qwen, 11), "at-the-end"),
    Recipe("gemini-cli", "torn-line", partial(torn_tail, of_gemini, 12), "at-the-end"),
    Recipe("claude-code", "torn-line", partial(torn_middle, slow_chain, 7), "in-the-middle"),
    Recipe("gemini-cli", "torn-line", partial(torn_middle, of_gemini, 8), "in-the-middle"),
    Recipe("claude-code", "nul-run", partial(with_nuls, slow_chain, 7)),
    Recipe("pi", "nul-run", partial(with_nuls, of_pi, 9)),
    Recipe("codex", "nul-run", partial(with_nuls, of_codex, 13)),
    Recipe("qwen-code", "nul-run", partial(with_nuls, of_qwen, 7)),
    Recipe("claude-code", "nul-run", partial(with_line_of_nuls, chain, 7), "alone"),
    Recipe("claude-code", "control-character", partial(with_tab, slow_chain, 7)),
    *(Recipe(format_, "control-character", partial(with_tab, *PROMPTS[format_])) for format_ in ("pi", "codex", "qwen-code", "gemini-cli")),
    Recipe("claude-code", "no-final-newline", partial(unended, chain)),
    Recipe("claude-code", "no-final-newline", unended_with_nuls, "beside-another"),
    Recipe("codex", "no-final-newline", partial(unended, of_codex)),
    *(Recipe(format_, "bom", partial(with_mark, make)) for format_, (make, _) in PROMPTS.items()),
    *(
        Recipe(format_, fault, partial(with_word, make, at, word))
        for fault, word in WORDS.items()
        for format_, (make, at) in PROMPTS.items()
    ),
    Recipe("claude-code", "nul-escape", partial(with_word, chain, 3, WORDS["nul-escape"]), "asked", frozenset({"nul-escape"})),
    Recipe("codex", "duplicate-lines", lambda: doubled(of_codex())),
    Recipe("claude-code", "duplicate-lines", lambda: doubled(chain()), options=frozenset({"dedupe"})),
    Recipe("pi", "duplicate-lines", lambda: doubled(of_pi()), options=frozenset({"dedupe"})),
    Recipe("qwen-code", "duplicate-lines", lambda: doubled(of_qwen()), options=frozenset({"dedupe"})),
]
