"""What Anthropic's interface says, on its own host and on others."""

from __future__ import annotations

from functools import partial
from typing import Final

from sessionkit.ops.locate.sayings.base import UNREADABLE, UNSPELLED, Saying, Scope, Subject, spelled

_Said = partial(Saying, vendor="anthropic")

SAYINGS: Final[tuple[Saying, ...]] = (
    _Said(
        "an image may only take so many characters of base64",
        spelled(r"image exceeds [\d.]+ MB maximum(?:: (?P<measured>NUMBER) bytes > (?P<length>NUMBER) bytes)?"),
        ("image-too-large",),
    ),
    _Said(
        "among more than 20 images none may have a side of more pixels than that",
        spelled(r"max allowed size for many-image requests: (?P<many_side>NUMBER) pixels"),
        ("many-image-pixels", "image-too-many-pixels"),
    ),
    _Said(
        "no image may have a side of more pixels than that",
        spelled(r"max allowed size: (?P<side>NUMBER) pixels"),
        ("image-too-many-pixels",),
    ),
    _Said(
        "no image may have a side of too many pixels",
        spelled("image_dimensions_too_large"),
        ("many-image-pixels", "image-too-many-pixels"),
    ),
    _Said(
        "the media type of an image must be that of its bytes",
        spelled(
            r"image was specified using the (?P<declared>[\w/+.-]{1,100}?) media type, "
            r"but the image appears to be an? (?P<detected>[\w/+.-]{1,100}?) image"
        ),
        ("wrong-media-type",),
    ),
    _Said(
        "an image must be one that can be decoded",
        spelled(r"image was specified using the (?P<declared>[\w/+.-]{1,100}?) media type, but (?:the image )?does not appear to be an?"),
        UNREADABLE,
    ),
    _Said(
        "the media type of an image must be that of its bytes",
        spelled(r"Image does not match the provided media type (?P<declared>image/(?:png|jpeg|gif|webp))"),
        ("wrong-media-type",),
    ),
    _Said(
        "the media type of an image must be image/jpeg, image/png, image/gif or image/webp",
        spelled(r"Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"),
        ("unsupported-media-type",),
    ),
    _Said(
        "the source of an image must be of a known type, with its data and media type",
        spelled(r"source(?:\.\w{1,40}){0,4} : Field required | Input tag '[^']*' found using 'type'"),
        ("source-shape",),
    ),
    _Said("an image must not be empty", spelled("image cannot be empty"), ("image-empty",)),
    _Said("the data of an image must be base64", spelled("invalid base64 data"), UNSPELLED),
    _Said("an image must be one that can be decoded", spelled("Could not process image"), UNREADABLE),
    _Said(
        "a request may only hold so many images and pages of documents",
        spelled(
            r"Too much media: NUMBER document pages \+ NUMBER images > (?P<media>NUMBER)"
            r"| too many images and documents: NUMBER \+ NUMBER > (?P<media_>NUMBER)"
        ),
        ("too-many-images",),
        scope=Scope.SESSION,
    ),
    _Said(
        "each call of a tool must have its result in the message behind it",
        spelled(r"tool_use` ids were found without `tool_result` blocks immediately after: (?P<ids>ID(?:, ID)*)"),
        ("unpaired-tool-call", "lost-parent"),
    ),
    _Said(
        "each result of a tool must have its call in the message before it",
        spelled(r"unexpected `tool_use_id` found in `tool_result` blocks: (?P<ids>ID)"),
        ("unpaired-tool-result", "lost-parent"),
    ),
    _Said(
        "the conversation must begin with a message of the user: its beginning is lost",
        spelled('first message must use the "user" role'),
        ("lost-parent", "unpaired-tool-call", "unpaired-tool-result", "torn-line", "glued-lines", "nul-run", "control-character"),
    ),
    _Said(
        "each call of a tool must have a single result",
        spelled(r"each tool_use must have a single result. Found multiple `tool_result` blocks with id: (?P<ids>ID)"),
        ("unpaired-tool-result", "doubled-results", "duplicate-lines"),
    ),
    _Said(
        "ids of calls may hold letters, digits, _ and - only",
        spelled(r"String should match pattern '\^\[a-zA-Z0-9_-\]\+\$'"),
        subject=Subject.CALL,
    ),
    _Said(
        "no text may be empty",
        spelled(
            "text content blocks must be non-empty | must contain non-whitespace text"
            "| cache_control cannot be set for empty text blocks | messages must have non-empty content"
        ),
        ("empty-text",),
    ),
    _Said(
        "no image may stand in an answer of the model",
        spelled("blocks are not permitted within assistant turns"),
        ("assistant-image",),
    ),
    _Said(
        "the result of a call that failed may hold texts only",
        spelled("(?P<failed>all content must be type `?text`? if `?is_error`? is true)"),
    ),
    _Said(
        "a document must be a whole PDF, with not too many pages and bytes",
        spelled("The PDF specified was not valid | PDF too large | A maximum of NUMBER PDF pages may be provided"),
        ("bad-document",),
    ),
    _Said(
        "the reasoning of the newest answer must be sent back as it came",
        spelled(r"blocks in the latest assistant message cannot be modified | Invalid `?signature`? in `?thinking`? block"),
    ),
    _Said(
        "the request must not hold half a character",
        spelled("not valid JSON: no low surrogate in string | no low surrogate in string"),
        ("lone-surrogate", "bad-utf8"),
    ),
    _Said(
        "a request may only have so many tokens",
        spelled("prompt is too long(?:: NUMBER tokens > NUMBER maximum)?"),
        scope=Scope.CONTEXT,
    ),
    _Said(
        "a request may only have so many bytes",
        spelled(
            "Request exceeds the maximum size | request_too_large | Request too large"
            "| [Ee]ntity [Tt]oo [Ll]arge | [Pp]ayload [Tt]oo [Ll]arge"
        ),
        ("request-too-large",),
        scope=Scope.SESSION,
    ),
)
