"""Words and thoughts of a model that nothing follows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sessionkit.core.model import Message, Origin, Text, Thinking
from sessionkit.providers.replay.ending import tell_last_words, tell_lone_reasoning
from tests.providers.prompts import assistant, call, result, tool, user
from tests.providers.replay.told import noted

ANSWER = replace(assistant(Text("Yes")), origin=Origin(line=3))


@pytest.mark.parametrize(
    ("model", "is_told"),
    [
        ("claude-opus-4-5-20251101", False),
        ("claude-sonnet-4-20250514", False),
        ("claude-haiku-4-5", False),
        ("claude-opus-4-6", True),
        ("us.anthropic.claude-sonnet-4-6-v1", True),
        ("anthropic/claude-opus-4.7", True),
        ("claude-fable-5", True),
        ("gpt-5.5", False),
        ("", False),
    ],
)
def test_models_that_refuse_to_go_on_from_their_own_words(model: str, is_told: bool) -> None:
    outcome = tell_last_words((user(Text("Well?")), ANSWER), model)
    assert outcome.messages == (user(Text("Well?")), ANSWER)
    assert [note.startswith("line 3: the request ends with the words of a model") for note in noted(outcome)] == [True] * is_told
    assert all(model in note and "--leaf" in note for note in noted(outcome))


@pytest.mark.parametrize("messages", [(), (ANSWER, user(Text("And?"))), (assistant(call()), tool(result("t1", Text("r"))))])
def test_other_ends(messages: tuple[Message, ...]) -> None:
    assert noted(tell_last_words(messages, "claude-fable-5")) == []


def test_reasoning_that_led_to_nothing() -> None:
    thought = replace(assistant(Thinking("", "s")), origin=Origin(line=4))
    told = ["line 4: the reasoning led to nothing, and some hosts refuse such an item: it is sent, as Codex itself sends it"]
    for messages, expected in (((thought, thought, ANSWER), []), ((ANSWER, thought), told), ((thought, user(Text("And?"))), told)):
        outcome = tell_lone_reasoning(messages)
        assert (outcome.messages, noted(outcome)) == (messages, expected)
