"""Base64 in other spellings, with something else in it, or something else in its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sessionkit.core.base64 import encode
from tests.faults.media_bases import (
    JPEG,
    alone,
    briefly_read,
    first_of,
    in_history,
    of_codex,
    of_gemini,
    of_native,
    of_pi,
    of_qwen,
    pasted,
    plain,
    queued,
    served,
)
from tests.faults.recipe import Recipe

if TYPE_CHECKING:
    from tests.faults.workshop import Session

ODD = "noncanonical-base64"
DAMAGED = "not-base64"
PLACEHOLDER = "placeholder-in-data"
EMPTY = "image-empty"

UNPADDED = encode(JPEG + bytes(-len(JPEG) % 3 + 2)).decode()
"""The picture with bytes behind its end, so that its base64 has padding."""
REMARK = "[image removed to save space]"
BLOB = f"blob:sha256:{'a1' * 32}"


def broken(session: Session, number: int) -> str:
    return "\n".join(re.findall(".{1,76}", first_of(session, number).text))


def url_safe(session: Session, number: int) -> str:
    return first_of(session, number).text.replace("+", "-").replace("/", "_")


def cut(session: Session, number: int) -> str:
    text = first_of(session, number).text
    return f"{text[:400]}... 1,200 characters left out ...{text[1600:]}"


def bare(session: Session, number: int) -> Session:
    """Take the prefix of a data URL away."""
    one = first_of(session, number)
    assert one.value is not None
    return session.with_value(one.line, one.value, one.text)


def changed(session: Session, number: int, change: object) -> Session:
    assert callable(change)
    return session.with_text(number, change(session, number))


RECIPES = [
    Recipe("claude-code", ODD, lambda: changed(briefly_read(), 1, broken), "line-breaks"),
    Recipe("claude-code", ODD, lambda: changed(pasted(), 1, url_safe), "url-safe-pasted"),
    Recipe("claude-code", ODD, lambda: queued().with_text(2, UNPADDED.rstrip("=")).with_label(2, "image/jpeg"), "unpadded-queued"),
    Recipe("claude-code", ODD, lambda: changed(served(), 1, lambda s, n: f"data:image/jpeg;base64,{first_of(s, n).text}"), "data-url-mcp"),
    Recipe("pi", ODD, lambda: changed(changed(of_pi(), 0, broken), 5, url_safe)),
    Recipe("codex", ODD, lambda: bare(bare(of_codex(), 1), 4), "no-url"),
    Recipe("gemini-cli", ODD, lambda: changed(of_gemini(), 2, url_safe)),
    Recipe("native", ODD, lambda: changed(of_native(), 1, broken)),
    Recipe("plain", ODD, lambda: changed(plain(), 2, broken)),
    Recipe("claude-code", DAMAGED, lambda: changed(briefly_read(), 1, cut)),
    Recipe("claude-code", DAMAGED, lambda: changed(pasted(), 1, cut), "pasted"),
    Recipe("claude-code", DAMAGED, lambda: alone(briefly_read(), 1, cut(briefly_read(), 1)), "healthy-twin"),
    Recipe("claude-code", DAMAGED, lambda: changed(briefly_read(), 1, lambda s, n: first_of(s, n).text[:-3]), "length"),
    Recipe("pi", DAMAGED, lambda: changed(of_pi(), 3, cut)),
    Recipe("codex", DAMAGED, lambda: changed(of_codex(), 3, cut)),
    Recipe("codex", DAMAGED, lambda: changed(of_codex(), 3, cut), "asked", frozenset({DAMAGED})),
    Recipe("codex", DAMAGED, lambda: changed(bare(bare(of_codex(), 0), 3), 0, cut).with_text(3, cut(of_codex(), 3)), "no-url"),
    Recipe("qwen-code", DAMAGED, lambda: changed(of_qwen(), 2, cut)),
    Recipe("gemini-cli", DAMAGED, lambda: changed(of_gemini(), 2, cut)),
    Recipe("plain", DAMAGED, lambda: plain().with_text(2, "iVBORw0KGgo=...")),
    Recipe("claude-code", PLACEHOLDER, lambda: briefly_read().with_text(1, REMARK)),
    Recipe("claude-code", PLACEHOLDER, lambda: alone(briefly_read(), 1, BLOB), "healthy-twin"),
    Recipe("claude-code", PLACEHOLDER, lambda: pasted().with_text(0, "/home/user/project/login.png"), "path-pasted"),
    Recipe("pi", PLACEHOLDER, lambda: of_pi().with_text(1, BLOB).with_text(4, REMARK)),
    Recipe("codex", PLACEHOLDER, lambda: bare(bare(of_codex(), 0), 3).with_text(0, BLOB).with_text(3, REMARK)),
    Recipe("codex", PLACEHOLDER, lambda: in_history(REMARK), "in-history"),
    Recipe("qwen-code", PLACEHOLDER, lambda: of_qwen().with_text(0, REMARK).with_text(2, "attachment://0123456789abcdef0123456789abcdef")),
    Recipe("gemini-cli", PLACEHOLDER, lambda: of_gemini().with_text(2, REMARK)),
    Recipe("native", PLACEHOLDER, lambda: of_native().with_text(1, f"images/{'b2' * 32}.gif")),
    Recipe("claude-code", EMPTY, lambda: briefly_read().with_text(1, "")),
    Recipe("claude-code", EMPTY, lambda: pasted().with_text(0, ""), "pasted"),
    Recipe("claude-code", EMPTY, lambda: alone(briefly_read(), 1, ""), "healthy-twin"),
    Recipe("pi", EMPTY, lambda: of_pi().with_text(0, "").with_text(3, "")),
    Recipe("codex", EMPTY, lambda: bare(of_codex(), 3).with_text(3, "")),
    Recipe("codex", EMPTY, lambda: in_history(""), "in-history"),
    Recipe("codex", EMPTY, lambda: of_codex().with_text(3, ""), "url-asked", frozenset({EMPTY})),
    Recipe("qwen-code", EMPTY, lambda: of_qwen().with_text(2, ""), "asked", frozenset({EMPTY})),
    Recipe("gemini-cli", EMPTY, lambda: of_gemini().with_text(2, "")),
    Recipe("native", EMPTY, lambda: of_native().with_text(1, "")),
]
