"""What holds for every conversation, however bad."""

from __future__ import annotations

import copy
import json
from collections import Counter
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessionkit.core.model import Conversation, Media, Message, Model, Role, Text, Thinking, ToolCall, ToolResult, media_of
from sessionkit.core.pictures import Facts, Pictures
from sessionkit.core.sniff import JPEG, PNG
from sessionkit.core.stores import LocalStore
from sessionkit.providers.anthropic import Anthropic
from sessionkit.providers.base import Target
from sessionkit.providers.body import write
from sessionkit.providers.gemini import Gemini
from sessionkit.providers.openai_chat import OpenAIChat
from sessionkit.providers.openai_responses import OpenAIResponses
from sessionkit.providers.replay import Bad, Choices, Missing, Orphans, replay
from tests.providers.replay.conversations import conversations
from tests.providers.strict import anthropic, gemini, openai_chat, openai_responses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sessionkit.providers.base import Provider
    from sessionkit.providers.replay import Replayed
    from tests.providers.strict.base import Loaded, Refusal

NOWHERE = LocalStore(Path("/nonexistent"))
PROVIDERS: list[Provider] = [Anthropic(), Gemini(), OpenAIChat(), OpenAIResponses()]
JUDGES: dict[str, Callable[[Loaded, str], Iterator[Refusal]]] = {
    "anthropic": lambda body, _: anthropic.refusals(body),
    "openai-chat": lambda body, _: openai_chat.refusals(body),
    "openai-responses": lambda body, _: openai_responses.refusals(body),
    "gemini": gemini.refusals,
}
ALLOWED = {Role.USER: Text | Media, Role.ASSISTANT: Text | Thinking | ToolCall, Role.TOOL: ToolResult}
LENIENT = Choices(missing=Missing.PLACEHOLDER, bad=Bad.PLACEHOLDER)
KEEPING = replace(LENIENT, orphans=Orphans.KEEP)
lenient = st.sampled_from([LENIENT, KEEPING])
foreign = conversations.filter(lambda conversation: conversation.format != "codex")
APIS = [provider.api for provider in PROVIDERS]
targets = st.builds(Target, st.just("v"), st.sampled_from(APIS), st.sampled_from(["", "m", "gemini-3"]), st.booleans())


def provider_of(target: Target) -> Provider:
    return next(provider for provider in PROVIDERS if provider.api == target.api)


def replayed(conversation: Conversation, target: Target, choices: Choices = LENIENT) -> Replayed:
    return replay(conversation, provider_of(target), target, choices, Pictures(NOWHERE))


@settings(deadline=None)
@given(foreign, targets, lenient)
def test_no_interface_refuses_it(conversation: Conversation, target: Target, choices: Choices) -> None:
    provider = provider_of(target)
    pictures = Pictures(NOWHERE)
    prompt = replay(conversation, provider, target, choices, pictures).prompt
    body = json.loads(b"".join(write(provider.body(prompt, target), pictures.base64)))
    refusals = [refusal.message for refusal in JUDGES[provider.id](body, target.model)]
    assert refusals == [] or not prompt.messages


@settings(deadline=None)
@given(foreign, targets, lenient)
def test_shape(conversation: Conversation, target: Target, choices: Choices) -> None:
    messages = replayed(conversation, target, choices).prompt.messages
    for message in messages:
        assert message.content
        assert all(isinstance(block, ALLOWED[message.role]) for block in message.content)
    assert [message.role for message in messages[:1]] in ([], [Role.USER])
    for before, message in pairwise((Message(Role.META, ()), *messages, Message(Role.META, ()))):
        called = [block.id for block in before.content if isinstance(block, ToolCall)]
        answered = [block.call_id for block in message.content if isinstance(block, ToolResult)]
        assert sorted(called) == sorted(answered)


@settings(deadline=None)
@given(conversations, lenient)
def test_each_call_has_one_result_where_nothing_moves(conversation: Conversation, choices: Choices) -> None:
    own = replace(conversation, format="codex")
    messages = replayed(own, Target("v", "openai-responses"), choices).prompt.messages
    calls = [block for message in messages for block in message.content if isinstance(block, ToolCall)]
    results = [block for message in messages for block in message.content if isinstance(block, ToolResult)]
    assert len(results) == len(calls)


@settings(deadline=None)
@given(conversations, targets)
def test_the_input_is_not_changed_and_the_output_the_same_again(conversation: Conversation, target: Target) -> None:
    before = copy.deepcopy(conversation)
    first = replayed(conversation, target)
    assert conversation == before
    assert replayed(conversation, target) == first


@settings(deadline=None)
@given(conversations, targets)
def test_a_second_time_nothing_changes(conversation: Conversation, target: Target) -> None:
    """Of one model: a reply is never of two, but these conversations may make one of what two have said."""
    messages = tuple(replace(message, model=Model("v", target.api, "m")) for message in conversation.messages)
    first = replayed(replace(conversation, messages=messages), target).prompt.messages
    assert replayed(replace(conversation, messages=first), target).prompt.messages == first


def seen(messages: tuple[Message, ...]) -> list[str]:
    """Hashes of the images that can be sent, in order."""
    pictures = Pictures(NOWHERE)
    looks = map(pictures.look, media_of(messages))
    return [look.sha256 for look in looks if isinstance(look, Facts) and look.type in {PNG, JPEG}]


@settings(deadline=None)
@given(conversations, targets)
def test_no_image_is_made_up_and_none_lost_in_silence(conversation: Conversation, target: Target) -> None:
    found = replayed(conversation, replace(target, sees=True), KEEPING)
    held, shown = Counter(seen(conversation.messages)), Counter(seen(found.prompt.messages))
    assert shown <= held
    assert shown == held or any("not sent" in note.text for note in found.notes) or Role.META in {one.role for one in conversation.messages}


@settings(deadline=None)
@given(conversations, targets)
def test_the_users_texts_keep_their_order(conversation: Conversation, target: Target) -> None:
    spoken = [Message(Role.USER, (Text(f"{at}"),)) for at, _ in enumerate(conversation.messages)]
    woven = chain.from_iterable(zip(conversation.messages, spoken, strict=True))
    messages = replayed(replace(conversation, messages=tuple(woven)), target).prompt.messages
    assert [message for message in messages if message in spoken] == spoken


@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider.id)
def test_nothing_at_all(provider: Provider) -> None:
    found = replayed(Conversation("plain", ()), Target("v", provider.api))
    assert (found.prompt.messages, found.prompt.system, found.prompt.tools, found.notes, found.faults) == ((), "", (), (), ())
