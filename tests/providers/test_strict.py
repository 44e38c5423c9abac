"""The fake vendors refuse each wrong thing for its own reason, in the vendors' words, and nothing that is right."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.providers.bodies import Planted, anthropic_image, data_url, good, planted
from tests.providers.recorded import RECORDED, recorded
from tests.providers.strict import anthropic, gemini, openai_chat, openai_responses
from tests.providers.strict.anthropic_words import EARLIER
from tests.providers.wrongs import anthropic as anthropic_wrongs
from tests.providers.wrongs import gemini as gemini_wrongs
from tests.providers.wrongs import openai_chat as chat_wrongs
from tests.providers.wrongs import openai_responses as responses_wrongs
from tests.providers.wrongs.base import LONG, black

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.providers.strict.base import Loaded, Refusal

TABLES = {
    "anthropic": anthropic_wrongs,
    "openai-chat": chat_wrongs,
    "openai-responses": responses_wrongs,
    "gemini": gemini_wrongs,
}
WRONGS = [(interface, wrong, list(messages)) for interface, table in TABLES.items() for wrong, *messages in table.WRONGS]
RIGHTS = [(interface, right) for interface, table in TABLES.items() for right in table.RIGHTS]
INVALID = "invalid_request_error"
KNOWN = {
    "gemini-cli-resumed-gemini": [gemini_wrongs.COUNTS] * 6 + [gemini_wrongs.MISLABELLED] * 2,
    "gemini-cli-session-gemini": [gemini_wrongs.MISLABELLED],
    "qwen-code-before-compression-openai-chat": [
        *(f"Invalid 'messages[{place}]'. {chat_wrongs.MISPLACED} 'tool' contains an image URL." for place in (5, 7, 9)),
        chat_wrongs.UNSUPPORTED,
        *(f"Invalid 'messages[{place}]'. {chat_wrongs.MISPLACED} 'tool' contains an image URL." for place in (11, 13, 15)),
    ],
    "qwen-code-compacted-openai-chat": [f"Invalid 'messages[7]'. {chat_wrongs.MISPLACED} 'tool' contains an image URL."],
}
"""What is wrong with the bodies of real agents: a resumed Gemini CLI sends results twice, and JPEG as PNG; qwen-code images of tools."""


def refusals(interface: str, body: Loaded, model: str = "gemini-3-pro") -> Iterator[Refusal]:
    judges: dict[str, Callable[[Loaded], Iterator[Refusal]]] = {
        "anthropic": anthropic.refusals,
        "openai-chat": openai_chat.refusals,
        "openai-responses": openai_responses.refusals,
        "gemini": lambda body: gemini.refusals(body, model),
    }
    return judges[interface](body)


def told(interface: str, body: Loaded, model: str = "gemini-3-pro") -> list[str]:
    return [refusal.message for refusal in refusals(interface, body, model)]


@pytest.mark.parametrize("interface", TABLES)
def test_good_body_is_accepted(interface: str) -> None:
    assert told(interface, good(interface)) == []


@pytest.mark.parametrize(("interface", "change", "messages"), WRONGS)
def test_wrong_body_is_refused_for_its_own_reason(interface: str, change: Planted, messages: list[str]) -> None:
    assert told(interface, planted(good(interface), change)) == messages


@pytest.mark.parametrize(("interface", "change"), RIGHTS)
def test_what_is_nearly_wrong_is_accepted(interface: str, change: Planted) -> None:
    assert told(interface, planted(good(interface), change)) == []


@pytest.mark.parametrize(("model", "change", "messages"), gemini_wrongs.BY_MODEL)
def test_models_of_gemini(model: str, change: Planted, messages: list[str]) -> None:
    assert told("gemini", planted(good("gemini"), change), model) == messages


@pytest.mark.parametrize("name", RECORDED)
def test_what_agents_sent(name: str) -> None:
    """The name of the model that they talked to tells no version of Gemini."""
    assert told(*recorded(name), "mock") == KNOWN.get(name, [])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            anthropic_wrongs.LARGE_IMAGE,
            "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 11174516 bytes > 5242880 bytes",
        ),
        (
            anthropic_wrongs.WRONG_LABEL,
            "messages.0.content.1.image.source.base64.data: Image does not match the provided media type image/jpeg",
        ),
    ],
)
def test_what_anthropic_said_earlier(change: Planted, message: str) -> None:
    assert [refusal.message for refusal in anthropic.refusals(planted(good("anthropic"), change), EARLIER)] == [message]


def test_anthropic_names_every_image_that_is_too_large() -> None:
    large = anthropic_image(black(8001, 1))
    refusal = anthropic.judge(planted(good("anthropic"), {"messages.0.content.1": large, "messages.2.content.0.content.1": large}))
    assert refusal is not None
    assert refusal.envelope["error"]["details"] == {
        "error_code": "image_dimensions_too_large",
        "max_side_length_pixels": 8000,
        "paths": ["messages.0.content.1", "messages.2.content.0.content.1"],
    }


@pytest.mark.parametrize(
    ("interface", "change", "status", "error"),
    [
        ("anthropic", {"messages.0.content.0.text": "x" * 32_000_000}, 413, {"type": "request_too_large"}),
        ("anthropic", {"messages.0.content.0.text": ""}, 400, {"type": INVALID}),
        (
            "openai-chat",
            chat_wrongs.url("x"),
            400,
            {"type": INVALID, "param": "messages[1].content[1].image_url.url", "code": "invalid_value"},
        ),
        (
            "openai-chat",
            chat_wrongs.url("data:image/png;base64,AAAA"),
            400,
            {"type": INVALID, "param": None, "code": "invalid_image_format"},
        ),
        (
            "openai-responses",
            responses_wrongs.url(data_url(black(6048, 6048))),
            400,
            {"type": INVALID, "param": None, "code": "invalid_value"},
        ),
        (
            "openai-responses",
            responses_wrongs.named(LONG),
            400,
            {"type": INVALID, "param": "input[3].call_id", "code": "string_above_max_length"},
        ),
        ("gemini", {"contents.2.parts.1": {"text": "x"}}, 400, {"code": 400, "status": "INVALID_ARGUMENT"}),
    ],
)  # fmt: skip
def test_envelopes(interface: str, change: Planted, status: int, error: Loaded) -> None:
    refusal = next(refusals(interface, planted(good(interface), change)))
    assert refusal.status == status
    assert refusal.param == error.get("param")
    assert refusal.envelope["error"] == {"message": refusal.message, **error}
    assert json.loads(json.dumps(refusal.envelope)) == refusal.envelope
    assert set(refusal.envelope) == ({"type", "error", "request_id"} if interface == "anthropic" else {"error"})
