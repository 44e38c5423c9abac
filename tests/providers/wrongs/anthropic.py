"""Bodies that Anthropic refuses."""

from __future__ import annotations

from tests.providers.bodies import GONE, PNG, Planted, anthropic_image, data_url, encoded
from tests.providers.wrongs.base import BMP, BROKEN, LONG, PATH, PDF, STRAY_BITS, UNPADDED, WRAPPED, Wrong, black

TEXT = {"type": "text", "text": "more"}
EMPTY = {"type": "text", "text": ""}
MARK = {"cache_control": {"type": "ephemeral"}}
MARKED = [{**TEXT, **MARK} for _ in range(5)]
FIRST = "messages.0.content.1.image.source.base64"
NESTED = "messages.2.content.0.tool_result.content.1.image.source.base64"
UNCALLED = "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
UNANSWERED = "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
LABEL = "The image was specified using the image/jpeg media type, but the image appears to be a image/png image"
BLANK = "messages: text content blocks must contain non-whitespace text"
PATTERN = "String should match pattern '^[a-zA-Z0-9_-]+$'"
TOO_LONG = "String should have at most 64 characters"
EXCEEDS = "At least one of the image dimensions exceed max allowed size"
NO_MESSAGE = "all messages must have non-empty content except for the optional final assistant message"


def data(text: str) -> Planted:
    return {"messages.0.content.1.source.data": text}


def answer(name: str) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": name, "content": "late", "is_error": False}


def pdf(label: str, text: bytes) -> Planted:
    source = {"type": "base64", "media_type": label, "data": encoded(text)}
    return {"messages.0.content.3": {"type": "document", "source": source}}


def named(name: str) -> Planted:
    return {"messages.1.content.1.id": name, "messages.2.content.0.tool_use_id": name}


def images(count: int, image: bytes = PNG) -> Planted:
    """So many more in the first message."""
    return {f"messages.0.content.{3 + place}": anthropic_image(image) for place in range(count)}


LARGE_IMAGE = data(encoded(PNG.ljust(8_380_887, b"\0")))
WRONG_LABEL: Planted = {"messages.0.content.1.source.media_type": "image/jpeg"}

WRONGS: list[Wrong] = [
    (data(""), f"{FIRST}: image cannot be empty"),
    *((data(text), f"{FIRST}: invalid base64 data") for text in (UNPADDED, WRAPPED, STRAY_BITS, PATH, data_url(PNG))),
    (LARGE_IMAGE, f"{FIRST}: image exceeds 10 MB maximum: 11174516 bytes > 10485760 bytes"),
    (data(encoded(black(8001, 1))), f"{FIRST}.data: {EXCEEDS}: 8000 pixels"),
    (images(19, black(1, 2001)), f"messages.0.content.3.image.source.base64.data: {EXCEEDS} for many-image requests: 2000 pixels"),
    (WRONG_LABEL, f"{FIRST}: {LABEL}"),
    ({"messages.2.content.0.content.1": anthropic_image(PNG, "image/jpeg")}, f"{NESTED}: {LABEL}"),
    (
        {"messages.0.content.1": anthropic_image(BMP, "image/bmp")},
        f"{FIRST}.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    ),
    (data(encoded(BROKEN)), "Could not process image"),
    (data(encoded(b"<svg xmlns='http://www.w3.org/2000/svg'/>")), "Could not process image"),
    (images(100), "Too much media: 0 document pages + 102 images > 100"),
    (
        {"messages.2.content": [TEXT]},
        f"messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1, t2. {UNANSWERED}",
    ),
    (
        {"messages.2.content.1": GONE},
        f"messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t2. {UNANSWERED}",
    ),
    (
        {"messages.2.content.1": TEXT, "messages.2.content.2": answer("t2")},
        f"messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t2. {UNANSWERED}",
    ),
    (
        {"messages.3": {"role": "assistant", "content": [{"type": "tool_use", "id": "t3", "name": "read", "input": {}}]}},
        f"messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: t3. {UNANSWERED}",
    ),
    (
        {"messages.2.content.2": answer("t6")},
        f"messages.2.content.2: unexpected `tool_use_id` found in `tool_result` blocks: t6. {UNCALLED}",
    ),
    (
        {"messages.3": {"role": "assistant", "content": "Hm."}, "messages.4": {"role": "user", "content": [answer("t1")]}},
        f"messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t1. {UNCALLED}",
    ),
    (
        {"messages.2.content.2": answer("t2")},
        "messages.2.content.2: each tool_use must have a single result. Found multiple `tool_result` blocks with id: t2",
    ),
    (
        named("a:1"),
        f"messages.1.content.1.tool_use.id: {PATTERN}",
        f"messages.2.content.0.tool_result.tool_use_id: {PATTERN}",
    ),
    (
        named(LONG),
        f"messages.1.content.1.tool_use.id: {TOO_LONG}",
        f"messages.2.content.0.tool_result.tool_use_id: {TOO_LONG}",
    ),
    ({"messages.1.content.2.id": "t1", "messages.2.content.1": TEXT}, "messages.1.content.2: `tool_use` ids must be unique"),
    ({"messages.0.content.0": EMPTY}, "messages: text content blocks must be non-empty"),
    ({"messages.2.content.0.content.0": EMPTY}, "messages: text content blocks must be non-empty"),
    ({"messages.1.content.0.text": " \n"}, BLANK),
    ({"messages.2.content.1.content": "\n"}, BLANK),
    ({"messages.0.content.2": {**EMPTY, **MARK}}, "messages.0.content.2.text: cache_control cannot be set for empty text blocks"),
    ({"system.0.text": " "}, "system: text content blocks must be non-empty"),
    ({"system": []}, "system: text content blocks must be non-empty"),
    ({"messages.3": {"role": "user", "content": []}}, f"messages.3: {NO_MESSAGE}"),
    ({"messages.3": {"role": "assistant", "content": ""}, "messages.4": {"role": "user", "content": "?"}}, f"messages.3: {NO_MESSAGE}"),
    ({"messages.1.content.3": anthropic_image()}, "messages.1.content: 'image' blocks are not permitted within assistant turns"),
    ({"messages.2.content.0.is_error": True}, "all content must be type `text` if `is_error` is true"),
    ({"messages.0.content.0.text": "x" * 32_000_000}, "Request exceeds the maximum size"),
    ({"messages.0.content.0.text": "\ud83d"}, "The request body is not valid JSON: no low surrogate in string"),
    (
        {"messages.0.content.1.source.asset_path": PATH},
        "messages.0.content.1.source.asset_path: Extra inputs are not permitted",
    ),
    ({"messages": []}, "messages: at least one message is required"),
    ({"messages.0.role": "system"}, 'messages: first message must use the "user" role'),
    ({"messages.3": {"role": "user", "content": MARKED}}, "A maximum of 4 blocks with cache_control may be provided. Found 5."),
    (pdf("text/plain", PDF), "messages.0.content.3.document.source.base64.media_type: Input should be 'application/pdf'"),
    (pdf("application/pdf", PNG), "messages.0.content.3.document.source.base64.data: The PDF specified was not valid."),
]
RIGHTS: list[Planted] = [
    data(encoded(black(8000, 1))),
    images(18, black(8000, 1)),
    images(19, black(2000, 1)),
    images(98),
    pdf("application/pdf", PDF),
    named("x" * 64),
    {"messages.2.content.1.content": ""},
    {"messages.3": {"role": "assistant", "content": []}},
    {"messages.1.content.1.input": {"asset_path": PATH}},
    {"messages.2.content.2": TEXT, "messages.3": {"role": "user", "content": "And?"}},
    {"messages.3": {"role": "assistant", "content": "One."}, "messages.4": {"role": "assistant", "content": "Two."}},
    {"messages.3": {"role": "system", "content": "Be quick."}, "messages.4": {"role": "assistant", "content": "Yes."}},
]
"""What comes near to something wrong."""
