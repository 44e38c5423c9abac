"""What Gemini's interface says."""

from __future__ import annotations

from functools import partial
from typing import Final

from sessionkit.ops.locate.sayings.base import UNREADABLE, UNSPELLED, Saying, Scope, Subject, spelled

_Said = partial(Saying, vendor="google")

SAYINGS: Final[tuple[Saying, ...]] = (
    _Said(
        "each call of a tool must have one response, in the content behind it",
        spelled("number of function response parts is equal to the number of function call parts"),
        ("doubled-results", "unpaired-tool-call", "unpaired-tool-result"),
        scope=Scope.SESSION,
    ),
    _Said(
        "calls must stand behind a turn of the user, and responses behind their calls",
        spelled("function (?:call|response) turn comes immediately after"),
        ("doubled-results", "unpaired-tool-call", "unpaired-tool-result", "lost-parent"),
        scope=Scope.SESSION,
    ),
    _Said(
        "the first call of an answer must have the signature of the thought behind it",
        spelled(r"missing a thought_signature (?: .{0,400}? position (?P<position>\d+))?"),
        subject=Subject.CALL,
    ),
    _Said(
        "this model takes no image in the response of a tool: choose a newer model",
        spelled("Multimodal function responses are not supported for this model"),
        scope=Scope.OUTSIDE,
    ),
    _Said(
        "an image must be of a type that is taken",
        spelled(r"Unsupported MIME type: (?P<declared>[\w/+.-]*\w)"),
        ("unsupported-media-type", "wrong-media-type"),
    ),
    _Said("the data of an image must be base64", spelled(r"Base64 decoding failed for \"(?P<text>[^\"]*)"), UNSPELLED),
    _Said(
        "an image must be one that can be decoded, with its own media type",
        spelled("Unable to process input image | Provided image is not valid"),
        (*UNREADABLE, "unsupported-media-type", "wrong-media-type"),
    ),
    _Said("a document must be a whole PDF", spelled("The document has no pages"), ("bad-document",)),
    _Said(
        "no part may be empty",
        spelled("must have one initialized field | contents.parts must not be empty"),
        ("empty-text", "source-shape", "image-empty"),
    ),
    _Said(
        "a request may only have so many bytes",
        spelled("Request payload size exceeds the limit"),
        ("request-too-large",),
        scope=Scope.SESSION,
    ),
    _Said(
        "an image must be of a type that is taken, and stand where one may",
        spelled("Request contains an invalid argument"),
        (*UNREADABLE, "unsupported-media-type", "source-shape", "assistant-image"),
    ),
)
