"""What OpenAI's refusals look like, and what both of its interfaces refuse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.providers.strict.base import PDF, SHORT_ID, Loaded, Refusal, decode, is_blank, picture, strays, wire

if TYPE_CHECKING:
    from collections.abc import Iterator

_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_UNSUPPORTED = (
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp']."
)
_IMAGE = "an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU=')"
_FILE = f"an {PDF} MIME type (e.g. 'data:{PDF};base64,aW1nIGJ5dGVzIGhlcmU=')"


@dataclass(frozen=True, slots=True)
class Limits:
    """What is taken at most; `patches` of 32 pixels, a length of an output's text, and of a data URL in an output."""

    patches: int = 30_000
    images: int = 1_500
    request_bytes: int = 512 * 2**20
    output_chars: int = 10_485_760
    output_url_chars: int = 20_971_520


NOW = Limits()


def refuse(message: str, param: str | None = None, code: str | None = None, *, status: int = 400) -> Refusal:
    return Refusal(status, {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}})


def judge_frame(body: Loaded, limits: Limits) -> Iterator[Refusal]:
    """What is asked of any request."""
    sent = wire(body)
    if sent is None:
        yield refuse("We could not parse the JSON body of your request.")
    elif len(sent) > limits.request_bytes:
        yield refuse("The request body is too large.", status=413)  # not seen
    for steps in strays(body):
        place = bracketed(steps)
        yield refuse(f"Unknown parameter: '{place}'.", place, "unknown_parameter")


def judge_id(place: str, name: str, longest: int) -> Iterator[Refusal]:
    if not SHORT_ID.fullmatch(name):
        words = f"Invalid '{place}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
        yield refuse(words, place, "invalid_value")
    yield from judge_length(place, name, longest)


def judge_length(place: str, text: str, longest: int) -> Iterator[Refusal]:
    if len(text) > longest:
        words = f"string too long. Expected a string with maximum length {longest}, but got a string with length {len(text)} instead."
        yield refuse(f"Invalid '{place}': {words}", place, "string_above_max_length")


def judge_text(place: str, text: str) -> Iterator[Refusal]:
    """White space alone is taken by the vendor, and no text of ours all the same."""
    if is_blank(text):
        words = "empty string. Expected a string with minimum length 1, but got an empty string instead."
        yield refuse(f"Invalid '{place}': {words}", place, "empty_string")


def judge_list(place: str, parts: list[Loaded]) -> Iterator[Refusal]:
    if not parts:
        words = "empty array. Expected an array with minimum length 1, but got an empty array instead."
        yield refuse(f"Invalid '{place}': {words}", place, "empty_array")


def judge_image(named: str, url: str, limits: Limits) -> Iterator[Refusal]:
    """`named` is the place as the message quotes it: `Invalid image URL: 'messages[0].content[1].image_url.url'`."""
    if url.startswith(("http://", "https://")):
        return
    data, refusals = _data(named, url, _IMAGE, _TYPES)
    yield from refusals
    if data:
        yield from _picture(data, url.partition(":")[2].partition(";")[0], limits)


def judge_file(named: str, url: str) -> Iterator[Refusal]:
    data, refusals = _data(named, url, _FILE, (PDF,))
    yield from refusals
    if data and not data.startswith(b"%PDF-"):
        yield refuse("The file you uploaded is badly formatted or corrupted. Please fix the file and try again.")


def bracketed(steps: tuple[str | int, ...]) -> str:
    """`messages[0].content[1]`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")


def _data(named: str, url: str, expected: str, types: tuple[str, ...]) -> tuple[bytes | None, list[Refusal]]:
    """Give the bytes of a data URL, or what is wrong with it."""
    head, _, text = url.partition(";base64,")
    mime, data = head.removeprefix("data:"), decode(text)
    if mime == head:
        flaw = "a value without the 'data:' prefix"
    elif mime not in types:
        flaw = f"unsupported MIME type '{mime}'"
    elif not text:
        flaw = "empty base64-encoded bytes"
    elif data is None:
        flaw = "an invalid base64-encoded value"
    else:
        return data, []
    place = named.split("'")[1]
    return None, [refuse(f"{named}. Expected a base64-encoded data URL with {expected}, but got {flaw}.", place, "invalid_value")]


def _picture(data: bytes, label: str, limits: Limits) -> Iterator[Refusal]:
    """OpenAI looks at the bytes, not at the label; a wrong one is held against our bodies in the words for a wrong type."""
    seen = picture(data)
    if seen is None or seen.mime not in _TYPES or seen.mime != label or (seen.mime == "image/gif" and seen.frames > 1):
        yield refuse(_UNSUPPORTED, None, "invalid_image_format")
        return
    patches = -(-seen.width // 32) * -(-seen.height // 32)
    if patches > limits.patches:
        words = f"The image you provided requires {patches} patches after processing, exceeding the limit of {limits.patches}."
        yield refuse(f"{words} Please resize the image and try again.", None, "invalid_value")
