"""The vendors' own clients, pointed at the server on 127.0.0.1."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anthropic import Anthropic, APIStatusError
from google import genai
from google.genai.errors import APIError
from google.genai.types import GenerateContentConfig, HttpOptions
from openai import BadRequestError, OpenAI

from tests.providers.loopback import camel, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.providers.loopback import Loopback
    from tests.providers.strict.base import Loaded

GEMINI = "gemini-3-pro"


@dataclass(frozen=True, slots=True)
class Clients:
    """A client of each vendor, and the server that they talk to."""

    server: Loopback
    anthropic: Anthropic
    openai: OpenAI
    google: genai.Client

    def send(self, interface: str, body: Loaded, model: str = GEMINI) -> str:
        """Give the body to the client as keyword arguments; what it raises is raised. Google's takes the model apart from the body."""
        match interface:
            case "anthropic":
                return "".join(block.text for block in self.anthropic.messages.create(**body).content if block.type == "text")
            case "openai-chat":
                return str(self.openai.chat.completions.create(**body).choices[0].message.content)
            case "openai-responses":
                answer: Any = self.openai.responses.create(**body)
                done = [event.response for event in answer if event.type == "response.completed"][-1] if body.get("stream") else answer
                return str(done.output_text)
            case _:
                config = GenerateContentConfig(system_instruction=body.get("systemInstruction"), tools=body.get("tools"))
                return str(self.google.models.generate_content(model=model, contents=body["contents"], config=config).text)

    def sent(self, interface: str) -> Loaded:
        """The newest body that came over the wire, in the words of the interface."""
        body = self.server.last()
        if interface == "gemini":
            body.pop("generationConfig")
            return dict(camel(body))
        return body


@contextmanager
def connected() -> Iterator[Clients]:
    with (
        serving() as server,
        Anthropic(base_url=server.url, api_key="k", max_retries=0) as anthropic,
        OpenAI(base_url=f"{server.url}/v1", api_key="k", max_retries=0) as openai,
        genai.Client(api_key="k", http_options=HttpOptions(base_url=server.url, api_version="v1beta")) as google,
    ):
        yield Clients(server, anthropic, openai, google)


def refused(error: Exception) -> str:
    """The vendor's text, as its client gives it to the one who asked."""
    match error:
        case APIStatusError(api_message=text) | APIError(message=text):
            return str(text)
        case BadRequestError(body={"message": text}):
            return str(text)
        case _:
            raise AssertionError(error)
