"""Bodies that OpenAI's Responses interface refuses."""

from __future__ import annotations

from tests.providers.bodies import GONE, PNG, Planted, data_url, encoded, responses_image
from tests.providers.wrongs.base import BMP, JPEG, LONG, PATH, PDF, Wrong, black
from tests.providers.wrongs.openai_chat import EMPTY, EXPECTED, NO_ITEMS, NO_PDF, PATCHES, PATTERN, UNSUPPORTED

REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e"}
OUTPUT = {"type": "function_call_output", "call_id": "t1", "output": "late"}
TEXT = {"type": "input_text", "text": "more"}
TOO_LONG = "string too long. Expected a string with maximum length 64, but got a string with length 86 instead."
TOO_MUCH = f"string too long. Expected a string with maximum length 10485760, but got a string with length {10 * 2**20 + 1} instead."
TOO_LARGE = f"string too long. Expected a string with maximum length 20971520, but got a string with length {20 * 2**20 + 6} instead."
IMAGE_URL = f"Invalid 'input[1].content[1].image_url'. {EXPECTED}"
LARGE_URL = data_url(PNG.ljust(15_728_628, b"\0"))


def url(text: str) -> Planted:
    return {"input.1.content.1.image_url": text}


def pdf(text: str) -> Planted:
    return {"input.1.content.3": {"type": "input_file", "filename": "a.pdf", "file_data": text}}


def named(name: str) -> Planted:
    return {"input.3.call_id": name, "input.5.call_id": name}


WRONGS: list[Wrong] = [
    (
        {"input.2.content.1": responses_image()},
        "Invalid value: 'input_image'. Supported values are: 'output_text' and 'refusal'.",
    ),
    ({"input.0.content": [TEXT, responses_image()]}, "Invalid value: 'input_image'. Supported values are: 'input_text'."),
    (
        {"input.1.content.0.type": "output_text"},
        "Invalid value: 'output_text'. Supported values are: 'input_text', 'input_image', and 'input_file'.",
    ),
    ({"input.5": GONE}, "No tool output found for function call t1."),
    ({"input.6": GONE, "input.5": GONE}, "No tool output found for function call t1.", "No tool output found for function call t2."),
    ({"input.7": OUTPUT}, "No tool call found for function call output with call_id t1."),
    ({"input.7": {**OUTPUT, "call_id": "t6"}}, "No tool call found for function call output with call_id t6."),
    (
        {"input.3": OUTPUT, "input.5": {"type": "function_call", "call_id": "t1", "name": "read", "arguments": "{}"}},
        "No tool call found for function call output with call_id t1.",
        "No tool output found for function call t1.",
    ),
    ({"input.4.call_id": "t1", "input.6": GONE}, "Duplicate call_id found: t1."),
    (
        {"input.7": {"type": "custom_tool_call", "call_id": "t7", "name": "apply_patch", "input": "x"}},
        "No tool output found for custom tool call t7.",
    ),
    (url(encoded(PNG)), f"{IMAGE_URL} a value without the 'data:' prefix."),
    (url(PATH), f"{IMAGE_URL} a value without the 'data:' prefix."),
    (url("data:image/png;base64,"), f"{IMAGE_URL} empty base64-encoded bytes."),
    (url(data_url(BMP, "image/bmp")), f"{IMAGE_URL} unsupported MIME type 'image/bmp'."),
    (url(data_url(JPEG)), UNSUPPORTED),
    ({"input.5.output.1": responses_image(JPEG)}, UNSUPPORTED),
    (
        {"input.5.output.1.image_url": "data:image/png;base64,"},
        f"Invalid 'input[5].output[1].image_url'. {EXPECTED} empty base64-encoded bytes.",
    ),
    (url(data_url(black(6048, 6048))), f"The image you provided requires 35721 {PATCHES}"),
    (named(LONG), f"Invalid 'input[3].call_id': {TOO_LONG}", f"Invalid 'input[5].call_id': {TOO_LONG}"),
    (named("a|1"), f"Invalid 'input[3].call_id': {PATTERN}", f"Invalid 'input[5].call_id': {PATTERN}"),
    ({"input.2.id": "msg_" + LONG[4:]}, f"Invalid 'input[2].id': {TOO_LONG}"),
    ({"input.3.id": "item_1"}, "Invalid 'input[3].id': 'item_1'. Expected an ID that begins with 'fc'."),
    (
        {"input.3.id": "fc_1", "input.4.id": "fc_1"},
        "Duplicate item found with id fc_1. Remove duplicate items from your input and try again.",
    ),
    ({"input.7": REASONING}, "Item 'rs_1' of type 'reasoning' was provided without its required following item."),
    (
        {"input.7": REASONING, "input.8": {"role": "user", "content": "And?"}},
        "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    ),
    ({"input.0.content": ""}, f"Invalid 'input[0].content': {EMPTY}"),
    ({"input.6.output": ""}, f"Invalid 'input[6].output': {EMPTY}"),
    ({"input.1.content.0.text": ""}, f"Invalid 'input[1].content[0].text': {EMPTY}"),
    ({"input.2.content.0.text": " "}, f"Invalid 'input[2].content[0].text': {EMPTY}"),
    ({"input.1.content": []}, f"Invalid 'input[1].content': {NO_ITEMS}"),
    ({"input.5.output": []}, f"Invalid 'input[5].output': {NO_ITEMS}"),
    ({"input": []}, f"Invalid 'input': {NO_ITEMS}"),
    ({"input.6.output": "x" * (10 * 2**20 + 1)}, f"Invalid 'input[6].output': {TOO_MUCH}"),
    ({"input.5.output.1.image_url": LARGE_URL}, f"Invalid 'input[5].output[1].image_url': {TOO_LARGE}"),
    ({"input.0.content": "\ud83d"}, "We could not parse the JSON body of your request."),
    ({"input.1.content.1.asset_path": PATH}, "Unknown parameter: 'input[1].content[1].asset_path'."),
    ({"input.1.content": [responses_image()] * 1500}, "Too many images in request: 1501 > 1500."),
    (pdf(encoded(PDF)), f"Invalid 'input[1].content[3].file_data'. {NO_PDF}, but got a value without the 'data:' prefix."),
]
RIGHTS: list[Planted] = [
    url("https://host/a.png"),
    url(LARGE_URL),
    pdf(data_url(PDF, "application/pdf")),
    named("x" * 64),
    {"input.2": REASONING, "input.7": {**REASONING, "id": "rs_2"}, "input.8": {"role": "assistant", "content": "Yes."}},
    {"input.3.arguments": '{"asset_path":"images/0.png"}'},
]
"""What comes near to something wrong."""
