"""What OpenAI's interfaces say."""

from __future__ import annotations

from functools import partial
from typing import Final

from sessionkit.ops.locate.sayings.base import UNREADABLE, UNSPELLED, Saying, Scope, Subject, spelled

_Said = partial(Saying, vendor="openai")

SAYINGS: Final[tuple[Saying, ...]] = (
    _Said(
        "an image may only have so many patches of 32x32 pixels",
        spelled(r"requires (?P<patches>NUMBER) patches after processing, exceeding the limit of (?P<most_patches>NUMBER)"),
    ),
    _Said("an image must not be empty", spelled(r"but got empty base64-encoded bytes"), ("image-empty",)),
    _Said(
        "an image must be of a type that is taken",
        spelled(r"but got unsupported MIME type '(?P<declared>[^']*)'"),
        ("unsupported-media-type", "wrong-media-type", "source-shape"),
    ),
    _Said(
        "an image must be a data URL",
        spelled(r"but got a value without the 'data:' prefix | Expected a valid URL, but got a value with an invalid format"),
        ("image-empty", *UNSPELLED, "source-shape"),
    ),
    _Said(
        "an image must be a data URL",
        spelled(r"Expected a base64-encoded data URL with an image MIME type[^\n]{0,200} but got an invalid value"),
        ("image-empty", *UNSPELLED, "source-shape"),
    ),
    _Said("the data of an image must be base64", spelled("but got an invalid base64-encoded value"), UNSPELLED),
    _Said(
        "an image must be a whole PNG, JPEG, GIF without animation, or WebP",
        spelled("You uploaded an unsupported image"),
        (*UNREADABLE, "unsupported-media-type", "wrong-media-type"),
    ),
    _Said(
        "an image must be one that can be decoded",
        spelled("does not represent a valid image | Invalid image in your last message"),
        (*UNREADABLE, "unsupported-media-type"),
    ),
    _Said(
        "images may stand in messages of the user only",
        spelled("Image URLs are only allowed for messages with role 'user'"),
        subject=Subject.IMAGE,
    ),
    _Said(
        "each call of a tool must have its result in the messages behind it",
        spelled(
            r"tool_call_ids did not have response messages: (?P<ids>ID(?:, ID)*)"
            r"| No tool output found for (?:function|custom tool|local shell|computer) call (?P<ids_>ID)"
        ),
        ("unpaired-tool-call", "lost-parent"),
    ),
    _Said(
        "each result of a tool must have its call before it",
        spelled(
            r"No tool call found for [a-z]+ output with call_id (?P<ids>ID)"
            r"| messages with role 'tool' must be a response to a prece+ding message"
        ),
        ("unpaired-tool-result", "lost-parent"),
    ),
    _Said(
        "each call of a tool must have a single result",
        spelled(r"Duplicate value for 'tool_call_id' of '(?P<ids>ID)'"),
        ("unpaired-tool-result", "doubled-results", "duplicate-lines"),
    ),
    _Said(
        "reasoning must stand before what it led to",
        spelled(r"Item '(?P<ids>ID)' of type 'reasoning' was provided without its required following item"),
    ),
    _Said(
        "the id of a call may only have so many letters",
        spelled(r"(?:call_id|tool_calls\[\d+\]\.id)'?: string too long\. Expected a string with maximum length NUMBER"),
        subject=Subject.CALL,
    ),
    _Said("an id may only have so many letters", spelled(r"string too long\. Expected a string with maximum length NUMBER")),
    _Said("ids of calls may hold letters, digits, _ and - only", spelled("string does not match pattern"), subject=Subject.CALL),
    _Said(
        "no text may be empty",
        spelled("empty string. Expected a string with minimum length | empty array. Expected an array with minimum length"),
        ("empty-text",),
    ),
    _Said(
        "a document must be a whole PDF",
        spelled("The file you uploaded is badly formatted or corrupted"),
        ("bad-document",),
    ),
    _Said(
        "a request may only hold so many images",
        spelled(r"Too many images in request: NUMBER > (?P<media>NUMBER)"),
        ("too-many-images",),
        scope=Scope.SESSION,
    ),
    _Said(
        "a request may only have so many bytes",
        spelled("The request body is too large | exceeds the maximum allowed request size"),
        ("request-too-large",),
        scope=Scope.SESSION,
    ),
)
