"""What goes back to the model that made it, and to no other."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.core.model import Media, Message, Model, Origin, Role, Text, Thinking, ToolCall, ToolResult, Unsupported, Uri
from sessionkit.providers.anthropic import Anthropic
from sessionkit.providers.base import Provider, Target, Thoughts
from sessionkit.providers.gemini import Gemini
from sessionkit.providers.openai_chat import OpenAIChat
from sessionkit.providers.openai_responses import OpenAIResponses
from sessionkit.providers.replay.thinking import OwnThoughts
from tests.providers.prompts import assistant, png, result, tool, user
from tests.providers.replay.told import noted

if TYPE_CHECKING:
    from sessionkit.core.model import Block, Json

SIGNED, UNSIGNED, BLANK = Thinking("why", "sig"), Thinking("why"), Thinking(" ")
ITEM_MEMBERS: dict[str, Json] = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"}
ITEM = Thinking("", json.dumps(ITEM_MEMBERS))
REDACTED, ENCRYPTED = Thinking("", "data", redacted=True), Thinking("", "c2ln", carried={"id": "rs_1"})


def replayed(provider: Provider, target: Target, message: Message) -> Message:
    [found] = OwnThoughts(provider, target)((message,)).messages
    return found


def own(provider: Provider, *blocks: Block) -> Message:
    return replace(assistant(*blocks), model=Model("v", provider.api, "m"))


@pytest.mark.parametrize(
    ("provider", "kept"),
    [
        (Anthropic(), [SIGNED, REDACTED, ENCRYPTED]),
        (OpenAIResponses(), [ITEM]),
        (Gemini(), [SIGNED, UNSIGNED, REDACTED, ENCRYPTED]),
        (OpenAIChat(), []),
    ],
)
def test_thinking_of_the_same_model(provider: Provider, kept: list[Thinking]) -> None:
    message = own(
        provider, SIGNED, Text("1"), UNSIGNED, REDACTED, ENCRYPTED, BLANK, *([ITEM] if provider.thoughts is Thoughts.ENCRYPTED else [])
    )
    found = replayed(provider, Target("v", provider.api, "m"), message)
    assert [block for block in found.content if isinstance(block, Thinking)] == kept
    assert Text("1") in found.content


def test_gemini_takes_no_empty_thought_whose_signature_is_not_base64() -> None:
    message = own(Gemini(), Thinking("", "msg_1"), Text("1"))
    assert replayed(Gemini(), Target("v", Gemini.api, "m"), message).content == (Text("1"),)


@pytest.mark.parametrize(
    "model",
    [
        None,
        Model(),
        Model("v", "anthropic-messages", "other"),
        Model("other", "anthropic-messages", "m"),
        Model("v", "bedrock-converse-stream", "m"),
    ],
)
def test_thinking_of_others(model: Model | None) -> None:
    message = replace(assistant(SIGNED, Text("1", carried={"textSignature": "s"})), model=model)
    assert replayed(Anthropic(), Target("v", "anthropic-messages", "m"), message) == replace(assistant(Text("1")), model=model)


def test_no_model_is_the_same_as_none() -> None:
    message = replace(assistant(SIGNED), model=Model("v", "anthropic-messages", ""))
    assert OwnThoughts(Anthropic(), Target("v", "anthropic-messages"))((message,)).messages == ()


def test_a_turn_of_nothing_but_thinking() -> None:
    foreign = replace(assistant(SIGNED), origin=Origin(line=3))
    for provider, message in ((Anthropic(), foreign), (OpenAIChat(), replace(own(OpenAIChat(), SIGNED), origin=Origin(line=3)))):
        outcome = OwnThoughts(provider, Target("v", provider.api, "m"))((message, assistant(SIGNED, Text("1"))))
        assert outcome.messages == (assistant(Text("1")),)
        assert noted(outcome)[-1] == "line 3: the turn is nothing but thinking that cannot be sent back: it is not sent"


@pytest.mark.parametrize(
    ("provider", "model", "thinking", "why"),
    [
        (Anthropic(), Model("v", "anthropic-messages", "other"), SIGNED, "reasoning is not sent: it is another model's (other)"),
        (
            Anthropic(),
            Model("w", "anthropic-messages", "m"),
            REDACTED,
            "reasoning is not sent: m was another host's (w, anthropic-messages)",
        ),
        (Anthropic(), None, SIGNED, "reasoning is not sent: the session does not say which model's it is"),
        (
            Anthropic(),
            Model("v", "anthropic-messages", "m"),
            UNSIGNED,
            "reasoning without a signature is not sent: its model would refuse it",
        ),
        (OpenAIChat(), Model("v", OpenAIChat.api, "m"), UNSIGNED, "reasoning is not sent: the interface takes none back"),
        (Gemini(), Model("v", Gemini.api, "m"), Thinking("", "msg_1"), "reasoning whose signature is none is not sent"),
    ],
)
def test_each_thought_that_is_not_sent_is_told(provider: Provider, model: Model | None, thinking: Thinking, why: str) -> None:
    message = replace(assistant(thinking, Text("1"), thinking, BLANK), model=model)
    assert noted(OwnThoughts(provider, Target("v", provider.api, "m"))((message,))) == [why] * 2


def test_no_thought_is_for_no_model_in_particular() -> None:
    [note] = noted(OwnThoughts(Anthropic(), Target("v", Anthropic.api))((assistant(SIGNED, Text("1")),)))
    assert note == "reasoning is not sent: it is for its own model alone, and the body is for no model in particular"


def test_reasoning_that_is_stored_elsewhere() -> None:
    lost = [
        Thinking("", json.dumps({**ITEM_MEMBERS, **change}))
        for change in ({"encrypted_content": None}, {"encrypted_content": ""}, {"summary": 1})
    ]
    outcome = OwnThoughts(OpenAIResponses(), Target("v", OpenAIResponses.api, "m"))((own(OpenAIResponses(), *lost, ITEM, Text("1")),))
    assert [message.content for message in outcome.messages] == [(ITEM, Text("1"))]
    assert noted(outcome) == ["reasoning without its encrypted form is not sent: nobody could look it up by its id"] * 3


SECRETS: dict[str, Json] = {"thoughtSignature": "s", "textSignature": "s", "id": "i", "status": "x", "phase": "p", "recorded": {}}
SHARED: dict[str, Json] = {"detail": "high", "name": "n"}


@pytest.mark.parametrize(
    "block", [Text("1"), png(), ToolCall("a", "read", {}), ToolResult("a", "read", (Text("1"),))], ids=lambda block: type(block).__name__
)
def test_what_others_carry(block: Any) -> None:  # noqa: ANN401
    message = Message(Role.ASSISTANT, (replace(block, carried={**SECRETS, **SHARED}),), carried={**SECRETS, **SHARED})
    expected = Message(Role.ASSISTANT, (replace(block, carried=SHARED),), carried=SHARED)
    assert replayed(Gemini(), Target("v", "google-generative-ai", "m"), message) == expected


def test_what_results_hold_carries_no_secrets_either() -> None:
    address = Media(png().kind, Uri("f"), carried={"file_id": "f", "id": "i"})
    found = replayed(Gemini(), Target("v", "google-generative-ai", "m"), tool(result("a", address)))
    assert found == tool(result("a", replace(address, carried={"file_id": "f"})))


def test_what_the_same_model_carries() -> None:
    message = replace(own(Gemini(), Text("1", carried=SECRETS), ToolCall("a", "read", {}, carried=SECRETS)), carried=SECRETS)
    assert replayed(Gemini(), Target("v", "google-generative-ai", "m"), message) == message


def test_a_user_has_no_model() -> None:
    message = replace(user(Text("1", carried=SECRETS)), model=Model("v", "google-generative-ai", "m"))
    assert replayed(Gemini(), Target("v", "google-generative-ai", "m"), message).content == (Text("1"),)


@pytest.mark.parametrize(
    ("provider", "model", "id_", "carried"),
    [
        (OpenAIResponses(), "m", "call_1|fc_2", {"id": "fc_2"}),
        (OpenAIResponses(), "m", "call_1|msg_2", {}),
        (OpenAIResponses(), "m", "call_1", {}),
        (OpenAIResponses(), "other", "call_1|fc_2", {}),
        (Anthropic(), "m", "call_1|fc_2", {}),
    ],
)
def test_item_behind_an_id(provider: Provider, model: str, id_: str, carried: dict[str, Json]) -> None:
    message = replace(assistant(ToolCall(id_, "read", {})), model=Model("v", provider.api, model))
    [block] = replayed(provider, Target("v", provider.api, "m"), message).content
    assert block == ToolCall(id_, "read", {}, carried=carried)


def test_what_nobody_knows_stays() -> None:
    message = assistant(Unsupported("x"))
    assert replayed(Anthropic(), Target("v", "anthropic-messages", "m"), message) == message
