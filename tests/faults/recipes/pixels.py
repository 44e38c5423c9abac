"""Images with too many pixels, and too many images."""

from __future__ import annotations

from tests.faults.media_bases import briefly_read, of_native, of_pi, pasted, plain, queued, read, served
from tests.faults.recipe import Recipe
from tests.pictures import picture

MANY = "many-image-pixels"
TOO_MANY = "image-too-many-pixels"
COUNT = "too-many-images"

WIDE = picture("PNG", "L", size=(2600, 300))
WIDER = picture("PNG", "L", size=(2600, 40))
WIDEST = picture("PNG", "L", size=(9000, 60))

RECIPES = [
    Recipe("claude-code", MANY, lambda: read().with_image(2, WIDE).grown(0, 16)),
    Recipe("claude-code", MANY, lambda: pasted().with_image(1, WIDER).grown(0, 19), "pasted"),
    Recipe("claude-code", MANY, lambda: served().with_image(1, WIDER).grown(0, 20), "mcp"),
    Recipe("claude-code", MANY, lambda: briefly_read().with_image(1, WIDER).with_image(2, WIDEST).grown(0, 20), "two-rules"),
    Recipe("pi", MANY, lambda: of_pi().with_image(2, WIDER).grown(0, 14)),
    Recipe("claude-code", TOO_MANY, lambda: briefly_read().with_image(1, WIDEST)),
    Recipe("claude-code", TOO_MANY, lambda: queued().with_image(2, WIDEST), "queued"),
    Recipe("pi", TOO_MANY, lambda: of_pi().with_image(2, WIDEST)),
    Recipe("native", TOO_MANY, lambda: of_native().with_image(1, WIDEST), "asked", frozenset({TOO_MANY})),
    Recipe("plain", TOO_MANY, lambda: plain().with_image(2, WIDEST), "asked", frozenset({TOO_MANY})),
    Recipe("pi", COUNT, lambda: of_pi().grown(0, 96)),
    Recipe("claude-code", COUNT, lambda: read().grown(0, 98)),
    Recipe("claude-code", COUNT, lambda: read().grown(6, 98), "asked", frozenset({COUNT})),
]
