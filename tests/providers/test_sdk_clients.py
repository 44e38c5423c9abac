"""The vendors' clients talk to the fake vendors: they send what they are given, and raise what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anthropic
import openai
import pytest
from anthropic.types import ImageDimensionsTooLargeError
from google.genai.errors import ClientError

from tests.providers.bodies import Planted, encoded, good, planted
from tests.providers.clients import Clients, connected, refused
from tests.providers.wrongs import anthropic as anthropic_wrongs
from tests.providers.wrongs import gemini as gemini_wrongs
from tests.providers.wrongs import openai_chat as chat_wrongs
from tests.providers.wrongs import openai_responses as responses_wrongs
from tests.providers.wrongs.base import black

if TYPE_CHECKING:
    from collections.abc import Iterator


INTERFACES = ["anthropic", "openai-chat", "openai-responses", "gemini"]


@pytest.fixture(scope="module")
def clients() -> Iterator[Clients]:
    with connected() as clients:
        yield clients


@pytest.mark.parametrize("interface", INTERFACES)
def test_body_arrives_unchanged(interface: str, clients: Clients) -> None:
    assert clients.send(interface, good(interface)) == "Seen."
    assert clients.sent(interface) == good(interface)


@pytest.mark.parametrize(
    ("interface", "change", "raises"),
    [
        (
            "anthropic",
            anthropic_wrongs.WRONG_LABEL,
            (
                anthropic.BadRequestError,
                f"{anthropic_wrongs.FIRST}: {anthropic_wrongs.LABEL}",
            ),
        ),
        (
            "anthropic",
            anthropic_wrongs.data(encoded(black(8001, 1))),
            (ImageDimensionsTooLargeError, f"{anthropic_wrongs.FIRST}.data: {anthropic_wrongs.EXCEEDS}: 8000 pixels"),
        ),
        (
            "anthropic",
            {"messages.0.content.0.text": "x" * 32_000_000},
            (anthropic.RequestTooLargeError, "Request exceeds the maximum size"),
        ),
        (
            "openai-chat",
            chat_wrongs.url("x"),
            (openai.BadRequestError, f"{chat_wrongs.IMAGE_URL} a value without the 'data:' prefix."),
        ),
        (
            "openai-responses",
            responses_wrongs.url("data:image/png;base64,"),
            (openai.BadRequestError, f"{responses_wrongs.IMAGE_URL} empty base64-encoded bytes."),
        ),
        ("gemini", {"contents.2.parts.1": {"text": "x"}}, (ClientError, gemini_wrongs.COUNTS)),
        (
            "gemini",
            {"contents.0.parts.0.text": " "},
            (ClientError, f"* GenerateContentRequest.contents[0].parts[0].{gemini_wrongs.NO_DATA}"),
        ),
    ],
)
def test_refusal_is_raised(interface: str, change: Planted, raises: tuple[type[Exception], str], clients: Clients) -> None:
    error, message = raises
    with pytest.raises(error) as raised:
        clients.send(interface, planted(good(interface), change))
    assert refused(raised.value) == message


def test_old_model_of_gemini_is_told_by_the_url(clients: Clients) -> None:
    with pytest.raises(ClientError) as raised:
        clients.send("gemini", good("gemini"), "gemini-2.5-pro")
    assert refused(raised.value) == gemini_wrongs.OLD
