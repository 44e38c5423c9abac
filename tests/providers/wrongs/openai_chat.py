"""Bodies that OpenAI's chat interface refuses."""

from __future__ import annotations

from tests.pictures import animation
from tests.providers.bodies import GONE, PNG, Planted, chat_image, data_url, encoded
from tests.providers.wrongs.base import BMP, BROKEN, GIF, JPEG, LONG, PATH, PDF, UNPADDED, Wrong, black

UNSUPPORTED = (
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp']."
)
EXPECTED = "Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got"
IMAGE_URL = f"Invalid image URL: 'messages[1].content[1].image_url.url'. {EXPECTED}"
MISPLACED = "Image URLs are only allowed for messages with role 'user', but this message with role"
PATTERN = "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
TOO_LONG = "string too long. Expected a string with maximum length 40, but got a string with length 86 instead."
EMPTY = "empty string. Expected a string with minimum length 1, but got an empty string instead."
NO_ITEMS = "empty array. Expected an array with minimum length 1, but got an empty array instead."
NO_ANSWER = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
    "The following tool_call_ids did not have response messages:"
)
NO_CALL = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
NO_PDF = "Expected a base64-encoded data URL with an application/pdf MIME type (e.g. 'data:application/pdf;base64,aW1nIGJ5dGVzIGhlcmU=')"
PATCHES = "patches after processing, exceeding the limit of 30000. Please resize the image and try again."


def url(text: str) -> Planted:
    return {"messages.1.content.1.image_url.url": text}


def answer(name: str) -> dict[str, object]:
    return {"role": "tool", "content": "late", "tool_call_id": name}


def pdf(text: str) -> Planted:
    return {"messages.1.content.3": {"type": "file", "file": {"file_data": text, "filename": "a.pdf"}}}


def named(name: str) -> Planted:
    return {"messages.2.tool_calls.0.id": name, "messages.3.tool_call_id": name}


WRONGS: list[Wrong] = [
    ({"messages.3.content": [chat_image()]}, f"Invalid 'messages[3]'. {MISPLACED} 'tool' contains an image URL."),
    ({"messages.2.content": [chat_image()]}, f"Invalid 'messages[2]'. {MISPLACED} 'assistant' contains an image URL."),
    ({"messages.4": GONE}, f"{NO_ANSWER} t2"),
    ({"messages.4": {"role": "user", "content": "Wait."}}, f"{NO_ANSWER} t2"),
    (
        {"messages.4": {"role": "system", "content": "Wait."}, "messages.5": answer("t2")},
        f"{NO_ANSWER} t2",
        NO_CALL,
    ),
    ({"messages.6": answer("t1")}, NO_CALL),
    ({"messages.5": answer("t6")}, NO_CALL),
    ({"messages.5": answer("t2")}, "Invalid parameter: Duplicate value for 'tool_call_id' of 't2', in messages[4] and messages[5]."),
    ({"messages.2.tool_calls.1.id": "t1", "messages.4": GONE}, "Invalid parameter: Duplicate value for 'id' of 't1' in messages[2]."),
    (url(encoded(PNG)), f"{IMAGE_URL} a value without the 'data:' prefix."),
    (url(PATH), f"{IMAGE_URL} a value without the 'data:' prefix."),
    (url("data:image/png;base64,"), f"{IMAGE_URL} empty base64-encoded bytes."),
    (url(f"data:image/png;base64,{UNPADDED}"), f"{IMAGE_URL} an invalid base64-encoded value."),
    (url(f"data:image/png;base64,{PATH}"), f"{IMAGE_URL} an invalid base64-encoded value."),
    (url(data_url(BMP, "image/bmp")), f"{IMAGE_URL} unsupported MIME type 'image/bmp'."),
    (url(data_url(BMP)), UNSUPPORTED),
    (url(data_url(BROKEN)), UNSUPPORTED),
    (url(data_url(JPEG)), UNSUPPORTED),
    (url(data_url(animation("GIF"), "image/gif")), UNSUPPORTED),
    (url(data_url(black(6048, 6048))), f"The image you provided requires 35721 {PATCHES}"),
    (url(data_url(black(5444, 6200))), f"The image you provided requires 33174 {PATCHES}"),
    (
        named(LONG),
        f"Invalid 'messages[2].tool_calls[0].id': {TOO_LONG}",
        f"Invalid 'messages[3].tool_call_id': {TOO_LONG}",
    ),
    (
        named("a|1"),
        f"Invalid 'messages[2].tool_calls[0].id': {PATTERN}",
        f"Invalid 'messages[3].tool_call_id': {PATTERN}",
    ),
    ({"messages.0.content": ""}, f"Invalid 'messages[0].content': {EMPTY}"),
    ({"messages.3.content": ""}, f"Invalid 'messages[3].content': {EMPTY}"),
    ({"messages.1.content.0.text": " "}, f"Invalid 'messages[1].content[0].text': {EMPTY}"),
    ({"messages.1.content": []}, f"Invalid 'messages[1].content': {NO_ITEMS}"),
    ({"messages": []}, f"Invalid 'messages': {NO_ITEMS}"),
    ({"messages.6": {"role": "assistant", "content": "x", "tool_calls": []}}, f"Invalid 'messages[6].tool_calls': {NO_ITEMS}"),
    ({"messages.6": {"role": "assistant", "content": None}}, "Invalid value for 'content': expected a string, got null."),
    ({"messages.0.content": "\ud83d"}, "We could not parse the JSON body of your request."),
    ({"messages.1.content.1.image_url.asset_path": PATH}, "Unknown parameter: 'messages[1].content[1].image_url.asset_path'."),
    ({"messages.1.content": [chat_image()] * 1500}, "Too many images in request: 1501 > 1500."),
    (
        pdf(encoded(PDF)),
        f"Invalid file data: 'messages[1].content[3].file.file_data'. {NO_PDF}, but got a value without the 'data:' prefix.",
    ),
    (
        pdf(data_url(PNG, "application/pdf")),
        "The file you uploaded is badly formatted or corrupted. Please fix the file and try again.",
    ),
]
RIGHTS: list[Planted] = [
    url("https://host/a.png"),
    url(data_url(GIF, "image/gif")),
    url(data_url(black(5092, 5800))),
    url(data_url(black(9000, 9000 // 32))),
    pdf(data_url(PDF, "application/pdf")),
    named("x" * 40),
    {"messages.2.content": None},
    {"messages.2.tool_calls.0.function.arguments": '{"asset_path":"images/0.png"}'},
    {"messages.3": answer("t2"), "messages.4": answer("t1")},
    {"messages.6": {"role": "user", "content": "And?"}, "messages.7": {"role": "assistant", "content": "Yes."}},
]
"""What comes near to something wrong."""
