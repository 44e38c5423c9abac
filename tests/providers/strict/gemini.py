"""What Gemini's generateContent refuses. The model stands in the URL, and decides about signatures and images in responses."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from tests.providers.strict.base import PDF, SHORT_ID, Loaded, Refusal, decode, is_blank, picture, strays, wire

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_ID = 64
SKIP = "skip_thought_signature_validator"
_VERSION = re.compile(r"gemini(?:-live)?-(\d+)")
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_IMAGES = frozenset({"image/jpeg", "image/png", "image/webp", "image/heic", "image/heif", "image/gif"})
_NESTED = frozenset({"image/jpeg", "image/png", "image/webp", PDF})
_DATA = ("text", "inlineData", "fileData", "functionCall", "functionResponse")
_COUNTS = (
    "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
)
_INVALID = "Request contains an invalid argument."
_UNREADABLE = "Provided image is not valid"
_MISLABELLED = "Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting"


@dataclass(frozen=True, slots=True)
class Limits:
    """What is taken at most."""

    images: int = 3_600
    request_bytes: int = 100 * 2**20


NOW = Limits()


def judge(body: Loaded, model: str = "", limits: Limits = NOW) -> Refusal | None:
    """The first refusal."""
    return next(refusals(body, model, limits), None)


def refusals(body: Loaded, model: str = "", limits: Limits = NOW) -> Iterator[Refusal]:
    """Everything that is wrong with a body, in the order in which it would be told."""
    contents: list[Loaded] = body["contents"]
    yield from chain(_frame(body, limits), _contents(contents))
    yield from chain(_ids(contents), _turns(contents), _responses(contents))
    found = _VERSION.match(model)
    version = int(found[1]) if found else None
    yield from chain(_signatures(contents, version), _old_model(contents, version), _media(contents, version))


def refuse(message: str) -> Refusal:
    return Refusal(400, {"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}})


def _frame(body: Loaded, limits: Limits) -> Iterator[Refusal]:
    sent = wire(body)
    if sent is None:
        yield refuse("Invalid JSON payload received. Expected a value.")
    elif len(sent) > limits.request_bytes:
        yield refuse(f"Request payload size exceeds the limit: {limits.request_bytes} bytes.")
    for *steps, name in strays(body):
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")
        yield refuse(f"Invalid JSON payload received. Unknown name \"{name}\" at '{place}': Cannot find field.")
    count = sum("inlineData" in part for *_, part in _every_part(body["contents"]))
    if count > limits.images:
        yield refuse(_INVALID)


def _every_part(contents: list[Loaded]) -> Iterator[tuple[str, Loaded, Loaded]]:
    """Every part with its place and its content, those of a response behind it."""
    for number, content in enumerate(contents):
        for inner, part in enumerate(content["parts"]):
            place = f"contents[{number}].parts[{inner}]"
            yield place, content, part
            for deeper, nested in enumerate(part.get("functionResponse", {}).get("parts", [])):
                yield f"{place}.function_response.parts[{deeper}]", content, nested


def _contents(contents: list[Loaded]) -> Iterator[Refusal]:
    if not contents:
        yield refuse("* GenerateContentRequest.contents: contents is not specified\n")
    for number, content in enumerate(contents):
        place = f"GenerateContentRequest.contents[{number}].parts"
        if content["role"] not in ("user", "model"):
            yield refuse("Please use a valid role: user, model.")
        if not content["parts"]:
            yield refuse(f"* {place}: contents.parts must not be empty.\n")
        for inner, part in enumerate(content["parts"]):
            is_empty = is_blank(part["text"]) and "thoughtSignature" not in part if "text" in part else part.keys().isdisjoint(_DATA)
            if is_empty:
                yield refuse(f"* {place}[{inner}].data: required oneof field 'data' must have one initialized field\n")


def _calls(content: Loaded) -> list[Loaded]:
    return [part["functionCall"] for part in content["parts"] if "functionCall" in part]


def _answers(content: Loaded) -> list[Loaded]:
    return [part["functionResponse"] for part in content["parts"] if "functionResponse" in part]


def _ids(contents: list[Loaded]) -> Iterator[Refusal]:
    for content in contents:
        for holder in chain(_calls(content), _answers(content)):
            name = holder.get("id", "none")
            if not SHORT_ID.fullmatch(name) or len(name) > LONGEST_ID:
                yield refuse(_INVALID)


def _turns(contents: list[Loaded]) -> Iterator[Refusal]:
    nothing: Loaded = {"role": "", "parts": []}
    for before, content in zip([nothing, *contents], contents, strict=False):
        if _calls(content) and before["role"] != "user":
            yield refuse("Please ensure that function call turn comes immediately after a user turn or after a function response turn.")
        if _answers(content) and not _calls(before):
            yield refuse("Please ensure that function response turn comes immediately after a function call turn.")


def _responses(contents: list[Loaded]) -> Iterator[Refusal]:
    """Each call has its response in the next content: as many, with the same names and ids."""
    nothing: Loaded = {"parts": []}
    for content, following in zip_longest(contents, contents[1:], fillvalue=nothing):
        calls, answers = _calls(content), _answers(following)
        if calls and _named(calls) != _named(answers):
            yield refuse(_COUNTS)


def _named(holders: list[Loaded]) -> Counter[tuple[str, str]]:
    return Counter((holder["name"], holder.get("id", "")) for holder in holders)


def _signatures(contents: list[Loaded], version: int | None) -> Iterator[Refusal]:
    for number, content in enumerate(contents, 1):
        calls = [part for part in content["parts"] if "functionCall" in part]
        if calls and version is not None and version >= 3 and "thoughtSignature" not in calls[0]:
            yield refuse(
                "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and "
                "missing thought_signature may lead to degraded model performance. Additional data, function call "
                f"`default_api:{calls[0]['functionCall']['name']}` , position {number}. "
                "Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
            )
    for place, _, part in _every_part(contents):
        signature = part.get("thoughtSignature", SKIP)
        if signature != SKIP and (len(signature) % 4 or not _BASE64.fullmatch(signature)):
            yield _undecodable(f"{place}.thought_signature", signature)


def _undecodable(place: str, text: str) -> Refusal:
    return refuse(f"Invalid value at '{place}' (TYPE_BYTES), Base64 decoding failed for \"{text}\"")


def _old_model(contents: list[Loaded], version: int | None) -> Iterator[Refusal]:
    if version is not None and version < 3 and any("parts" in answer for content in contents for answer in _answers(content)):
        yield refuse("Multimodal function responses are not supported for this model")


def _media(contents: list[Loaded], version: int | None) -> Iterator[Refusal]:
    for place, content, part in _every_part(contents):
        if "inlineData" not in part:
            continue
        is_nested = "function_response" in place
        yield from _medium(f"{place}.inline_data.data", part["inlineData"], _NESTED if is_nested and version else _IMAGES | {PDF})
        if content["role"] == "model":
            yield refuse(_INVALID)  # not seen: no one knows what is made of it


def _medium(place: str, blob: Loaded, types: frozenset[str]) -> Iterator[Refusal]:
    data = decode(blob["data"])
    if data is None:
        yield _undecodable(place, blob["data"])
    elif blob["mimeType"] not in types:
        yield refuse(_INVALID)
    elif blob["mimeType"] == PDF:
        if not data.startswith(b"%PDF-"):
            yield refuse("The document has no pages.")
    else:
        yield from _image(data, blob["mimeType"])


def _image(data: bytes, label: str) -> Iterator[Refusal]:
    seen = picture(data)
    if seen is None:
        yield refuse(_UNREADABLE)
    elif seen.mime != label:
        yield refuse(_MISLABELLED)
