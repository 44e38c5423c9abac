"""The words of refusals: what providers and clients were seen to say, and how people come to hand it on."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING

import pytest

from sessionkit.faults import fault_of
from sessionkit.ops.locate import read_refusal
from sessionkit.ops.locate.sayings import SAYINGS, Scope
from tests.ops.said import ALL, ANTHROPIC, Said

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("said", ALL, ids=lambda said: said.text[:60])
def test_words(said: Said) -> None:
    found = read_refusal(said.text)
    assert found.saying is not None
    assert (found.saying.faults, found.ways, found.facts) == (said.faults, said.ways, said.facts)


def test_every_saying_has_its_text() -> None:
    heard = {read_refusal(said.text).saying for said in ALL}
    assert [saying.rule for saying in SAYINGS if saying not in heard] == []


def test_sayings_name_faults_of_the_shelf() -> None:
    assert [fault_of(id_).id for saying in SAYINGS for id_ in saying.faults] == [id_ for saying in SAYINGS for id_ in saying.faults]
    assert {saying.scope for saying in SAYINGS if not saying.faults} == {Scope.PLACE, Scope.CONTEXT, Scope.OUTSIDE}


@pytest.mark.parametrize(
    ("text", "provider"),
    [
        (ANTHROPIC[0].text, "anthropic"),
        ("Invalid 'messages[2]'. …", "openai-chat"),
        ("Invalid value for 'content': expected a string, got null.', 'param': 'messages.[3].content'", "openai-chat"),
        ("Invalid 'input[7].output[0].image_url'. …", "openai-responses"),
        ("Invalid value at 'contents[2].parts[0].inline_data.data'", "gemini"),
        ("Could not process image", ""),
    ],
)
def test_whose_places_they_are(text: str, provider: str) -> None:
    assert read_refusal(text).provider == provider


def body(text: str) -> str:
    error = {"type": "invalid_request_error", "message": text, "param": None, "code": None}
    return json.dumps({"type": "error", "error": error, "request_id": "req_1"})


def boxed(text: str) -> str:
    return "\n".join(f"\x1b[31m  │ {line:<58} │\x1b[0m" for line in textwrap.wrap(text, 58, break_on_hyphens=False))


WAYS_TO_HAND_ON: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "behind names of programs": lambda text: f"litellm.BadRequestError: AnthropicException - {text} Received Model Group=claude",
    "a body": body,
    "printed by a client": lambda text: f"API Error: 400 {body(text)} · Please run /login",
    "printed by an SDK": lambda text: f"anthropic.BadRequestError: Error code: 400 - {json.loads(body(text))!r}",
    "escaped in a log": lambda text: json.dumps({"level": "error", "msg": f"upstream: {body(text)}"}),
    "escaped twice": lambda text: json.dumps(json.dumps({"msg": body(text)})),
    "as Go writes JSON": lambda text: body(text).replace(">", "\\u003e").replace("'", "\\u0027"),
    "as bytes": lambda text: repr(body(text).encode()),
    "wrapped anywhere": lambda text: "\n".join(text[at : at + 47] for at in range(0, len(text), 47)),
    "wrapped in a box": boxed,
    "quoted in a mail": lambda text: "\n".join(f"> {line}" for line in textwrap.wrap(text, 70)),
    "with carriage returns": lambda text: "\r\n".join(textwrap.wrap(text, 70)),
}


@pytest.mark.parametrize("way", WAYS_TO_HAND_ON.values(), ids=WAYS_TO_HAND_ON)
def test_however_it_is_handed_on(way: Callable[[str], str]) -> None:
    assert [way(said.text) for said in ALL if read_refusal(way(said.text)) != read_refusal(said.text)] == []


DETAILS = {
    "type": "error",
    "error": {
        "type": "invalid_request_error",
        "message": "messages.0.content.1: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 "
        "pixels",
        "details": {
            "error_code": "image_dimensions_too_large",
            "max_side_length_pixels": 2000,
            "paths": ["messages.0.content.1", "messages.2.content.1.content.0"],
        },
    },
}


LISTED = (("messages", 0, "content", 1), ("messages", 2, "content", 1, "content", 0))


@pytest.mark.parametrize("written", [json.dumps(DETAILS), json.dumps(DETAILS, indent=2), repr(DETAILS), json.dumps(json.dumps(DETAILS))])
def test_places_that_are_listed_all_count(written: str) -> None:
    found = read_refusal(written)
    assert (found.ways, found.limits) == (LISTED, {"many_side": 2000})


@pytest.mark.parametrize(("most", "limits"), [(2000, {"many_side": 2000}), (8000, {"side": 8000})])
def test_a_limit_that_stands_beside_the_places(most: int, limits: dict[str, int]) -> None:
    details = {"error_code": "image_dimensions_too_large", "max_side_length_pixels": most, "paths": ["messages.0.content.1"]}
    found = read_refusal(json.dumps({"error": {"message": "too large", "details": details}}))
    assert (found.limits, found.ways) == (limits, LISTED[:1])


def test_the_place_of_its_own_member_comes_before_the_words() -> None:
    error = {"message": "See messages[9]: it is wrong", "param": "messages[1].content[2].image_url.url", "code": "invalid_value"}
    assert read_refusal(json.dumps({"error": error})).ways == (("messages", 1, "content", 2),)


@pytest.mark.parametrize(
    "text", ["", "no", "messages", "input[", "\\", "\\u00", "contents.parts", "{" * 5000, "[" * 100_000, "\\" * 100_000]
)
def test_what_says_nothing(text: str) -> None:
    found = read_refusal(text)
    assert (found.saying, found.ways, found.provider) == (None, (), "")
