"""Images that a model made."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sessionkit.core.model import Message, Origin, Role, Text, UserKind
from sessionkit.providers.replay.assistant_images import hand_over_images
from tests.providers.prompts import PDF, assistant, call, png, result, tool, user
from tests.providers.replay.told import noted, told

PNG = "<image image/png>"
ATTACHED = f"user/note: Attached image(s) from assistant: | {PNG}"


@pytest.mark.parametrize(
    ("messages", "handed_over"),
    [
        ([assistant(Text("1"))], ["assistant: 1"]),
        ([assistant(Text("1"), png(), Text("2"))], ["assistant: 1 | 2", ATTACHED]),
        ([assistant(png(), png())], [f"{ATTACHED} | {PNG}"]),
        ([assistant(png(), PDF)], [f"{ATTACHED} | <document application/pdf>"]),
        ([assistant(png(), call("a")), tool(result("a")), user(Text("1"))], ["assistant: read a {}", "tool: a=", ATTACHED, "user: 1"]),
        ([assistant(png()), assistant(Text("1"))], [ATTACHED, "assistant: 1"]),
        ([assistant(png()), assistant(png())], [ATTACHED, ATTACHED]),
        ([user(png()), tool(result("a", png()))], [f"user: {PNG}", f"tool: a={PNG}"]),
        ([assistant()], ["assistant:"]),
    ],
)
def test_the_user_attaches_them(messages: list[Message], handed_over: list[str]) -> None:
    assert told(hand_over_images(tuple(messages)).messages) == handed_over


def test_where_they_come_from() -> None:
    at = Origin(line=3)
    made = replace(png(), carried={"thoughtSignature": "s"})
    outcome = hand_over_images((replace(assistant(replace(made, origin=at)), origin=at),))
    assert noted(outcome) == ["line 3: the image stands in a turn of the model: the user attaches it behind that"]
    [attached] = outcome.messages
    assert attached == Message(Role.USER, (Text("Attached image(s) from assistant:", at), replace(png(), origin=at)), at, UserKind.NOTE)


def test_an_image_that_is_an_item_stays() -> None:
    message = assistant(replace(png(), carried={"type": "image_generation_call"}))
    assert hand_over_images((message,)).messages == (message,)
