"""Images that are none."""

from __future__ import annotations

from sessionkit.core.base64 import encode
from tests.faults.media_bases import (
    BMP,
    HTML,
    SVG,
    alone,
    briefly_read,
    of_codex,
    of_gemini,
    of_native,
    of_pi,
    of_qwen,
    pasted,
    plain,
    queued,
    read,
    resumed,
    served,
)
from tests.faults.recipe import Recipe
from tests.faults.workshop import Session
from tests.pictures import heic, picture

UNDECODABLE = "undecodable-image"
CUT = picture("PNG", size=(300, 300))[:5000]


def html(session: Session, number: int, mime: str = "image/png") -> Session:
    return session.with_image(number, HTML, mime)


RECIPES = [
    Recipe("claude-code", UNDECODABLE, lambda: read().with_image(5, CUT, "image/png"), "truncated"),
    Recipe("claude-code", UNDECODABLE, lambda: html(briefly_read(), 1, "image/jpeg"), "html"),
    Recipe("claude-code", UNDECODABLE, lambda: briefly_read().with_image(1, SVG, "image/png"), "svg"),
    Recipe("claude-code", UNDECODABLE, lambda: briefly_read().with_image(1, BMP, "image/png"), "bmp"),
    Recipe("claude-code", UNDECODABLE, lambda: briefly_read().with_image(1, heic((40, 30)), "image/jpeg"), "heic"),
    Recipe("claude-code", UNDECODABLE, lambda: alone(briefly_read(), 1, encode(HTML).decode()), "healthy-twin"),
    Recipe("claude-code", UNDECODABLE, lambda: html(pasted(), 0), "pasted"),
    Recipe("claude-code", UNDECODABLE, lambda: html(queued(), 2), "queued"),
    Recipe("claude-code", UNDECODABLE, lambda: html(served(), 1, "image/jpeg"), "mcp"),
    Recipe("claude-code", UNDECODABLE, lambda: html(html(briefly_read(), 0), 2), "twice"),
    Recipe("pi", UNDECODABLE, lambda: of_pi().with_image(7, CUT, "image/png"), "truncated"),
    Recipe("pi", UNDECODABLE, lambda: html(html(of_pi(), 1), 4), "twice"),
    Recipe("codex", UNDECODABLE, lambda: html(html(of_codex(), 0), 3)),
    Recipe("codex", UNDECODABLE, lambda: html(html(of_codex(), 0), 3), "asked", frozenset({UNDECODABLE})),
    Recipe("claude-code", UNDECODABLE, lambda: Session.recorded("claude-code/compacted").with_image(1, HTML, "image/jpeg"), "asleep"),
    Recipe("qwen-code", UNDECODABLE, lambda: html(of_qwen(), 0)),
    Recipe("qwen-code", UNDECODABLE, lambda: html(of_qwen(), 2), "nested"),
    Recipe("gemini-cli", UNDECODABLE, lambda: html(of_gemini(), 0)),
    Recipe("gemini-cli", UNDECODABLE, lambda: html(of_gemini(), 2), "read"),
    Recipe("gemini-cli", UNDECODABLE, lambda: html(resumed(), 2), "resumed"),
    Recipe("native", UNDECODABLE, lambda: html(of_native(), 1)),
    Recipe("plain", UNDECODABLE, lambda: html(plain(), 2)),
]
