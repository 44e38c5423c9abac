"""Bodies that Gemini refuses."""

from __future__ import annotations

from tests.pictures import heic
from tests.providers.bodies import GONE, PNG, Planted, encoded, gemini_image
from tests.providers.wrongs.base import BMP, BROKEN, GIF, JPEG, LONG, PATH, PDF, UNPADDED, Wrong

COUNTS = "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
CALL_ORDER = "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
RESPONSE_ORDER = "Please ensure that function response turn comes immediately after a function call turn."
SIGNATURE = (
    "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing "
    "thought_signature may lead to degraded model performance. Additional data, function call `default_api:read` , position 2. "
    "Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
)
OLD = "Multimodal function responses are not supported for this model"
MISLABELLED = "Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting"
NO_IMAGE = "Provided image is not valid"
INVALID = "Request contains an invalid argument."
NO_DATA = "data: required oneof field 'data' must have one initialized field\n"
TEXT = {"text": "more"}


def data(text: str) -> Planted:
    return {"contents.0.parts.1.inlineData.data": text}


def answer(name: str) -> dict[str, object]:
    return {"functionResponse": {"name": "read", "response": {"output": "late"}, "id": name}}


def named(name: str) -> Planted:
    return {"contents.1.parts.1.functionCall.id": name, "contents.2.parts.0.functionResponse.id": name}


WRONGS: list[Wrong] = [
    ({"contents.2.parts.1": GONE}, COUNTS),
    ({"contents.2.parts.2": answer("t2")}, COUNTS),
    ({"contents.2.parts.1": answer("t6")}, COUNTS),
    ({"contents.2.parts.1.functionResponse.name": "write"}, COUNTS),
    ({"contents.2": GONE}, COUNTS),
    ({"contents.2.parts": [TEXT]}, COUNTS),
    ({"contents.0": GONE}, CALL_ORDER),
    ({"contents.0.role": "model", "contents.0.parts": [TEXT]}, CALL_ORDER),
    ({"contents.3": {"role": "user", "parts": [answer("t1")]}}, RESPONSE_ORDER),
    ({"contents.1.parts.1.thoughtSignature": GONE}, SIGNATURE),
    (
        {"contents.1.parts.1.thoughtSignature": "c2ln="},
        "Invalid value at 'contents[1].parts[1].thought_signature' (TYPE_BYTES), Base64 decoding failed for \"c2ln=\"",
    ),
    (data(encoded(BROKEN)), NO_IMAGE),
    (data(""), NO_IMAGE),
    (data(encoded(JPEG)), MISLABELLED),
    (data(PATH), f"Invalid value at 'contents[0].parts[1].inline_data.data' (TYPE_BYTES), Base64 decoding failed for \"{PATH}\""),
    (data(UNPADDED), f"Invalid value at 'contents[0].parts[1].inline_data.data' (TYPE_BYTES), Base64 decoding failed for \"{UNPADDED}\""),
    ({"contents.0.parts.1": gemini_image(BMP, "image/bmp")}, INVALID),
    ({"contents.2.parts.0.functionResponse.parts.0": gemini_image(GIF, "image/gif")}, INVALID),
    ({"contents.1.parts.3": gemini_image()}, INVALID),
    (named("a:1"), INVALID, INVALID),
    (named(LONG), INVALID, INVALID),
    ({"contents.0.parts": [gemini_image()] * 3600}, INVALID),
    ({"contents.3": {"role": "user", "parts": []}}, "* GenerateContentRequest.contents[3].parts: contents.parts must not be empty.\n"),
    ({"contents": []}, "* GenerateContentRequest.contents: contents is not specified\n"),
    ({"contents.0.parts.0": {}}, f"* GenerateContentRequest.contents[0].parts[0].{NO_DATA}"),
    ({"contents.0.parts.0.text": " "}, f"* GenerateContentRequest.contents[0].parts[0].{NO_DATA}"),
    ({"contents.0.role": "system"}, "Please use a valid role: user, model.", CALL_ORDER),
    ({"contents.0.parts.0.text": "\ud83d"}, "Invalid JSON payload received. Expected a value."),
    ({"contents.0.parts.0.text": "x" * (100 * 2**20)}, "Request payload size exceeds the limit: 104857600 bytes."),
    (
        {"contents.0.parts.1.inlineData.asset_path": PATH},
        "Invalid JSON payload received. Unknown name \"asset_path\" at 'contents[0].parts[1].inlineData': Cannot find field.",
    ),
    (
        {"contents.0.parts.1": {"inlineData": {"mimeType": "application/pdf", "data": encoded(PNG)}}},
        "The document has no pages.",
    ),
]
RIGHTS: list[Planted] = [
    {"contents.0.parts.1": gemini_image(GIF, "image/gif")},
    {"contents.0.parts.1": gemini_image(heic((1, 1)), "image/heic")},
    {"contents.0.parts.1": {"inlineData": {"mimeType": "application/pdf", "data": encoded(PDF)}}},
    {"contents.1.parts.1.thoughtSignature": "c2lnbmF0dXJl", "contents.1.parts.0": {"text": "", "thoughtSignature": "c2ln"}},
    {"contents.1.parts.1.functionCall.args": {"asset_path": PATH}},
    {"contents.2.parts.2": TEXT, "contents.2.parts.3": gemini_image(GIF, "image/gif")},
    named("x" * 64),
    {"contents.3": {"role": "model", "parts": [TEXT]}, "contents.4": {"role": "model", "parts": [TEXT]}},
]
"""What comes near to something wrong."""
UNSIGNED: dict[str, object] = {"contents.1.parts.1.thoughtSignature": GONE}
GIF_NESTED: dict[str, object] = {"contents.2.parts.0.functionResponse.parts.0": gemini_image(GIF, "image/gif")}
BESIDE: dict[str, object] = {
    "contents.2.parts.0.functionResponse.parts": GONE,
    "contents.2.parts.2": TEXT,
    "contents.2.parts.3": gemini_image(),
}
BY_MODEL: list[tuple[str, Planted, list[str]]] = [
    ("gemini-3-pro", BESIDE, []),
    ("gemini-2.5-pro", {}, [OLD]),
    ("gemini-2.5-pro", UNSIGNED | BESIDE, []),
    ("gemini-live-2.5-flash", {}, [OLD]),
    ("gemini-live-4", UNSIGNED, [SIGNATURE]),
    ("mock", UNSIGNED | GIF_NESTED, []),
]
