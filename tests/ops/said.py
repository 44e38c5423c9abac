"""What providers and clients were seen to say, and what is to be read of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sessionkit.ops.locate import Facts
from sessionkit.ops.locate.refusal import NO_FACTS

if TYPE_CHECKING:
    from sessionkit.providers.body import Steps

UNSPELLED = ("not-base64", "placeholder-in-data", "noncanonical-base64")
UNREADABLE = ("undecodable-image", "image-empty", *UNSPELLED)
PAIRS = ("unpaired-tool-call", "lost-parent")
ORPHANS = ("unpaired-tool-result", "lost-parent")


@dataclass(frozen=True)
class Said:
    """A text, and what is to be read of it."""

    text: str
    faults: tuple[str, ...] = ()
    ways: tuple[Steps, ...] = ()
    facts: Facts = NO_FACTS
    provider: str = ""


NESTED = ("messages", 3, "content", 0, "content", 1)
ANTHROPIC = [
    Said(
        "messages.0.content.2.image.source.base64: image exceeds 10 MB maximum: 11174516 bytes > 10485760 bytes",
        ("image-too-large",),
        (("messages", 0, "content", 2),),
        Facts(base64_length=11174516),
    ),
    Said("prompt is too long: 210345 tokens > 200000 maximum"),
    Said(
        "messages.3.content.0.tool_result.content.1.image.source.base64.data: The image was specified using the image/png media type, but "
        "does not appear to be an image",
        UNREADABLE,
        (NESTED,),
        Facts(declared="image/png"),
    ),
    Said(
        "messages.3.content.0.tool_result.content.1.image.source.base64: image exceeds 5 MB maximum: 5,316,852 bytes > 5,242,880 bytes",
        ("image-too-large",),
        (NESTED,),
        Facts(base64_length=5316852),
    ),
    Said(
        "messages.41.content.31.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
        ("image-too-many-pixels",),
        (("messages", 41, "content", 31),),
    ),
    Said(
        "messages.3.content.0.tool_result.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size "
        "for many-image requests: 2000 pixels",
        ("many-image-pixels", "image-too-many-pixels"),
        (NESTED,),
    ),
    Said(
        "messages.3.content.0.tool_result.content.1.image.source.base64: The image was specified using the image/jpeg media type, but the "
        "image appears to be a image/png image",
        ("wrong-media-type",),
        (NESTED,),
        Facts(declared="image/jpeg", detected="image/png"),
    ),
    Said(
        "messages.3.content.0.tool_result.content.1.image.source.base64.data: Image does not match the provided media type image/png",
        ("wrong-media-type",),
        (NESTED,),
        Facts(declared="image/png"),
    ),
    Said(
        "messages.0.content.1.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
        ("unsupported-media-type",),
        (("messages", 0, "content", 1),),
    ),
    Said('"details": {"error_code": "image_dimensions_too_large"}', ("many-image-pixels", "image-too-many-pixels")),
    Said("messages.0.content.1.image.source.base64: image cannot be empty", ("image-empty",), (("messages", 0, "content", 1),)),
    Said("messages.0.content.1.image.source.base64: invalid base64 data", UNSPELLED, (("messages", 0, "content", 1),)),
    Said("messages.0.content.1.image.source.base64.media_type: Field required", ("source-shape",), (("messages", 0, "content", 1),)),
    Said(
        "messages.0.content.1.image.source: Input tag 'asset' found using 'type' does not match any of the expected tags",
        ("source-shape",),
        (("messages", 0, "content", 1),),
    ),
    Said("Could not process image", UNREADABLE),
    Said("Too much media: 0 document pages + 102 images > 100", ("too-many-images",)),
    Said("too many images and documents: 101 + 0 > 100", ("too-many-images",)),
    Said(
        "messages.5: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1, toolu_2. Each `tool_use` block "
        "must have a corresponding `tool_result` block in the next message.",
        PAIRS,
        (("messages", 5),),
        Facts(ids=("toolu_1", "toolu_2")),
    ),
    Said(
        "messages.6.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block must have a "
        "corresponding `tool_use` block in the previous message.",
        ORPHANS,
        (("messages", 6, "content", 0),),
        Facts(ids=("toolu_1",)),
    ),
    Said(
        'messages: first message must use the "user" role',
        ("lost-parent", "unpaired-tool-call", "unpaired-tool-result", "torn-line", "glued-lines", "nul-run", "control-character"),
    ),
    Said(
        "messages.6.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_1",
        ("unpaired-tool-result", "doubled-results", "duplicate-lines"),
        (("messages", 6, "content", 1),),
        Facts(ids=("toolu_1",)),
    ),
    Said("messages.1.content.1.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", (), (("messages", 1, "content", 1),)),
    Said("messages: text content blocks must be non-empty", ("empty-text",)),
    Said("messages: text content blocks must contain non-whitespace text", ("empty-text",)),
    Said("messages.4.content.1.text: cache_control cannot be set for empty text blocks", ("empty-text",), (("messages", 4, "content", 1),)),
    Said(
        "messages.16.content: 'image' blocks are not permitted within assistant turns",
        ("assistant-image",),
        (("messages", 16, "content"),),
    ),
    Said("all content must be type `text` if `is_error` is true", (), (), Facts(is_of_failure=True)),
    Said("Request exceeds the maximum size", ("request-too-large",)),
    Said("Request too large (max 32MB). Try with a smaller file.", ("request-too-large",)),
    Said(
        "messages.2.content.0.document.source.base64.data: The PDF specified was not valid.",
        ("bad-document",),
        (("messages", 2, "content", 0),),
    ),
    Said(
        "messages.7.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
        (),
        (("messages", 7, "content", 0),),
    ),
    Said("The request body is not valid JSON: no low surrogate in string: line 1 column 20 (char 19)", ("lone-surrogate", "bad-utf8")),
]
OPENAI = [
    Said(
        "Invalid 'input[7].output[0].image_url'. Expected a base64-encoded data URL with an image MIME type (e.g. "
        "'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got an invalid value.",
        ("image-empty", *UNSPELLED, "source-shape"),
        (("input", 7, "output", 0),),
    ),
    Said(
        "Invalid 'messages[2]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an "
        "image URL.",
        (),
        (("messages", 2),),
    ),
    Said(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following "
        "tool_call_ids did not have response messages: call_1",
        PAIRS,
        (),
        Facts(ids=("call_1",)),
    ),
    Said("No tool output found for function call call_1.", PAIRS, (), Facts(ids=("call_1",))),
    Said("No tool call found for function call output with call_id call_1.", ORPHANS, (), Facts(ids=("call_1",))),
    Said("Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.", ORPHANS),
    Said(
        "Invalid parameter: Duplicate value for 'tool_call_id' of 'call_1', in messages[4] and messages[5].",
        ("unpaired-tool-result", "doubled-results", "duplicate-lines"),
        (("messages", 4),),
        Facts(ids=("call_1",)),
    ),
    Said(
        "Invalid image URL: 'messages[1].content[2].image_url.url'. Expected a base64-encoded data URL with an image MIME type (e.g. "
        "'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got a value without the 'data:' prefix.",
        ("image-empty", *UNSPELLED, "source-shape"),
        (("messages", 1, "content", 2),),
    ),
    Said(
        "Invalid 'input[7].output[0].image_url'. Expected a valid URL, but got a value with an invalid format.",
        ("image-empty", *UNSPELLED, "source-shape"),
        (("input", 7, "output", 0),),
    ),
    Said(
        "Invalid 'input[1].content[2].image_url'. Expected a base64-encoded data URL with an image MIME type (e.g. "
        "'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got empty base64-encoded bytes.",
        ("image-empty",),
        (("input", 1, "content", 2),),
    ),
    Said(
        "Invalid 'input[1].content[2].image_url'. Expected a base64-encoded data URL with an image MIME type (e.g. "
        "'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got unsupported MIME type 'image/bmp'.",
        ("unsupported-media-type", "wrong-media-type", "source-shape"),
        (("input", 1, "content", 2),),
        Facts(declared="image/bmp"),
    ),
    Said(
        "Invalid 'input[1].content[2].image_url'. Expected a base64-encoded data URL with an image MIME type (e.g. "
        "'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got an invalid base64-encoded value.",
        UNSPELLED,
        (("input", 1, "content", 2),),
    ),
    Said(
        "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
        (*UNREADABLE, "unsupported-media-type", "wrong-media-type"),
    ),
    Said(
        "The image data you provided does not represent a valid image. Please check your input and try again.",
        (*UNREADABLE, "unsupported-media-type"),
    ),
    Said("Invalid image in your last message", (*UNREADABLE, "unsupported-media-type")),
    Said(
        "The image you provided requires 35721 patches after processing, exceeding the limit of 30000. Please resize the image and try "
        "again.",
        (),
        (),
        Facts(patches=35721, most_patches=30000),
    ),
    Said(
        "Invalid 'input[5].call_id': string too long. Expected a string with maximum length 64, but got a string with length 86 instead.",
        (),
        (("input", 5),),
    ),
    Said("Invalid 'input[4].id': string too long. Expected a string with maximum length 64, but got …", (), (("input", 4),)),
    Said(
        "Invalid 'messages[1].tool_calls[1].id': string does not match pattern. Expected a string that matches the "
        "pattern '^[a-zA-Z0-9_-]+$'.",
        (),
        (("messages", 1, "tool_calls", 1),),
    ),
    Said("Item 'rs_1' of type 'reasoning' was provided without its required following item.", (), (), Facts(ids=("rs_1",))),
    Said(
        "Invalid 'messages[3].content[0].text': empty string. Expected a string with minimum length 1, but got an empty string instead.",
        ("empty-text",),
        (("messages", 3, "content", 0),),
    ),
    Said("The file you uploaded is badly formatted or corrupted. Please fix the file and try again.", ("bad-document",)),
    Said("Too many images in request: 1501 > 1500.", ("too-many-images",)),
    Said("The request body is too large.", ("request-too-large",)),
]
GEMINI = [
    Said(
        "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
        ("doubled-results", "unpaired-tool-call", "unpaired-tool-result"),
    ),
    Said(
        "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
        ("doubled-results", "unpaired-tool-call", "unpaired-tool-result", "lost-parent"),
    ),
    Said(
        "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing "
        "thought_signature may lead to degraded model performance. Additional data, function call `default_api:read_file` , position 2. "
        "Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
        (),
        (("contents", 1),),
    ),
    Said("Multimodal function responses are not supported for this model"),
    Said(
        "Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting",
        (*UNREADABLE, "unsupported-media-type", "wrong-media-type"),
    ),
    Said("Provided image is not valid", (*UNREADABLE, "unsupported-media-type", "wrong-media-type")),
    Said("Unsupported MIME type: image/bmp", ("unsupported-media-type", "wrong-media-type"), (), Facts(declared="image/bmp")),
    Said(
        "Invalid value at 'contents[2].parts[0].function_response.parts[1].inline_data.data' (TYPE_BYTES), Base64 decoding failed for "
        '"[image removed]"',
        UNSPELLED,
        (("contents", 2, "parts", 0, "functionResponse", "parts", 1),),
        Facts(text="[imageremoved]"),
    ),
    Said(
        "* GenerateContentRequest.contents[1].parts[0].data: required oneof field 'data' must have one initialized field",
        ("empty-text", "source-shape", "image-empty"),
        (("contents", 1, "parts", 0),),
    ),
    Said("The document has no pages.", ("bad-document",)),
    Said("Request payload size exceeds the limit: 20971520 bytes.", ("request-too-large",)),
    Said("Request contains an invalid argument.", (*UNREADABLE, "unsupported-media-type", "source-shape", "assistant-image")),
]
REFUSED_IMAGES = (
    *UNREADABLE,
    "wrong-media-type",
    "unsupported-media-type",
    "source-shape",
    "many-image-pixels",
    "image-too-many-pixels",
)
CLIENTS = [
    Said(
        "API Error: Image base64 size (5.9MB) exceeds API limit (5MB). Please resize the image before sending.",
        ("image-too-large",),
        (),
        Facts(mebibytes=5.9),
    ),
    Said(
        "An image in the conversation exceeds the dimension limit for many-image requests (2000px). Start a new session with fewer images.",
        ("many-image-pixels", "image-too-many-pixels"),
    ),
    Said(
        "API Error: an image in the conversation could not be processed and was removed. Re-read the file with a different approach if you "
        "still need it.",
        ("heal-marker", *REFUSED_IMAGES),
    ),
    Said("undefined is not an object (evaluating 'e.source.data.length')", ("source-shape",)),
    Said("Cannot destructure property 'cumulativeDroppedTokens' from null or undefined value", ("compact-metadata",)),
    Said("Session file is not a valid pi session: a.jsonl", ("bom", "header-missing", "torn-line", "nul-run", "control-character")),
    Said("rollout a.jsonl does not start with session metadata", ("bom", "header-missing", "torn-line", "nul-run", "control-character")),
    Said("RangeError: Maximum call stack size exceeded", ("cycle",)),
    Said("image content omitted because it could not be processed", (*UNREADABLE, "unsupported-media-type")),
]
ALL = [*ANTHROPIC, *OPENAI, *GEMINI, *CLIENTS]
