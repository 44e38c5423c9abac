"""What agents say themselves, most of them without having asked anybody."""

from __future__ import annotations

from typing import Final

from sessionkit.ops.locate.sayings.base import UNREADABLE, Saying, spelled

_REFUSED_IMAGES: Final = (
    *UNREADABLE,
    "wrong-media-type",
    "unsupported-media-type",
    "source-shape",
    "many-image-pixels",
    "image-too-many-pixels",
)

SAYINGS: Final[tuple[Saying, ...]] = (
    Saying(
        "an image may only take so many characters of base64",
        spelled(r"Image base64 size \((?P<megabytes>[\d.]+) MB\) exceeds API limit"),
        ("image-too-large",),
        "anthropic",
    ),
    Saying(
        "among more than 20 images none may have a side of more pixels than that",
        spelled(r"exceeds the dimension limit for many-image requests \((?P<many_side>NUMBER)px\)"),
        ("many-image-pixels", "image-too-many-pixels"),
        "anthropic",
    ),
    Saying(
        "an image that is refused is left out, and a mark makes the agent leave out more",
        spelled("[Aa]n image in the conversation could not be processed and was removed"),
        ("heal-marker", *_REFUSED_IMAGES),
        "anthropic",
    ),
    Saying(
        "the source of an image must have its data",
        spelled(r"evaluating '\w+\.source\.data\.length' | reading 'length'\) .{0,200}? source\.data"),
        ("source-shape",),
        "anthropic",
    ),
    Saying(
        "the mark of a compaction must hold what the compaction did",
        spelled("Cannot destructure property 'cumulativeDroppedTokens'"),
        ("compact-metadata",),
        "anthropic",
    ),
    Saying(
        "a session must begin with its header",
        spelled("Session file is not a valid pi session | does not start with session metadata"),
        ("bom", "header-missing", "torn-line", "nul-run", "control-character"),
    ),
    Saying(
        "no entry may be its own ancestor",
        spelled("Maximum call stack size exceeded"),
        ("cycle",),
    ),
    Saying(
        "an image must be one that can be decoded",
        spelled("image content omitted because it could not be processed"),
        (*UNREADABLE, "unsupported-media-type"),
        "openai",
    ),
)
