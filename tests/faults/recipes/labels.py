"""Labels that are not those of the bytes, or that nobody takes."""

from __future__ import annotations

from tests.faults.media_bases import (
    BMP,
    HTML,
    JPEG,
    PNG,
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

WRONG = "wrong-media-type"
UNSUPPORTED = "unsupported-media-type"

RECIPES = [
    Recipe("claude-code", WRONG, lambda: read().with_label(1, "image/png")),
    Recipe("claude-code", WRONG, lambda: pasted().with_label(1, "image/png"), "pasted"),
    Recipe("claude-code", WRONG, lambda: queued().with_label(2, "image/webp"), "queued"),
    Recipe("claude-code", WRONG, lambda: served().with_label(1, "image/png"), "mcp"),
    Recipe("claude-code", WRONG, lambda: read().with_image(0, JPEG, "image/png").with_image(6, JPEG, "image/png"), "twice"),
    Recipe("pi", WRONG, lambda: of_pi().with_label(1, "image/png").with_label(6, "image/png")),
    Recipe("codex", WRONG, lambda: of_codex().with_label(3, "image/webp"), "asked", frozenset({WRONG})),
    Recipe("qwen-code", WRONG, of_qwen, "asked", frozenset({WRONG})),
    Recipe("gemini-cli", WRONG, of_gemini, "asked", frozenset({WRONG})),
    Recipe("gemini-cli", WRONG, resumed, "resumed"),
    Recipe("native", WRONG, lambda: of_native().with_label(1, "image/png")),
    Recipe("plain", WRONG, lambda: plain().with_label(2, "image/webp")),
    Recipe("claude-code", UNSUPPORTED, lambda: briefly_read().with_image(1, BMP)),
    Recipe("claude-code", UNSUPPORTED, lambda: briefly_read().with_image(1, PNG, "application/octet-stream"), "label"),
    Recipe("claude-code", UNSUPPORTED, lambda: briefly_read().with_image(1, HTML, "text/html"), "html"),
    Recipe("pi", UNSUPPORTED, lambda: of_pi().with_image(3, PNG, "application/octet-stream"), "label"),
    Recipe("pi", UNSUPPORTED, lambda: of_pi().with_image(3, BMP)),
    Recipe("qwen-code", UNSUPPORTED, lambda: of_qwen().with_image(2, BMP)),
    Recipe("gemini-cli", UNSUPPORTED, lambda: of_gemini().with_image(1, BMP)),
    Recipe("plain", UNSUPPORTED, lambda: Session.recorded("plain/chat").with_label(0, "image"), "url-without-subtype"),
]
