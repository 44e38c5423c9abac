"""Images and documents for models that take none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Text
from sessionkit.providers.replay.remarks import Outcome
from sessionkit.providers.replay.vision import omit_all, omit_declared
from tests.providers.prompts import PDF, assistant, png, result, tool, user
from tests.providers.replay.told import noted, told

if TYPE_CHECKING:
    from sessionkit.core.model import Message

OMITTED = "(image omitted: model does not support images)"
NO_DOCUMENT = "(document omitted: model does not support documents)"
FROM_TOOL = "(tool image omitted: model does not support images)"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (user(Text("1"), png(), Text("2")), f"user: 1 | {OMITTED} | 2"),
        (user(png(), png(), Text("1"), png()), f"user: {OMITTED} | 1 | {OMITTED}"),
        (user(Text(OMITTED), png()), f"user: {OMITTED}"),
        (user(png(), Text(OMITTED)), f"user: {OMITTED} | {OMITTED}"),
        (user(Text(FROM_TOOL), png()), f"user: {FROM_TOOL} | {OMITTED}"),
        (user(png(), PDF, PDF, png()), f"user: {OMITTED} | {NO_DOCUMENT} | {OMITTED}"),
        (user(replace(PDF, media_type="APPLICATION/PDF; x=1")), f"user: {NO_DOCUMENT}"),
        (tool(result("a", Text("1"), png(), png()), result("b", png())), f"tool: a=1 | {FROM_TOOL} | b={FROM_TOOL}"),
        (assistant(Text("1")), "assistant: 1"),
    ],
)
def test_a_text_for_each_run(message: Message, expected: str) -> None:
    for omit in (omit_declared, omit_all):
        outcome = omit((message,), "m")
        assert told(outcome.messages) == [expected]
        assert omit(outcome.messages, "m") == Outcome(outcome.messages)


def test_each_is_told_though_one_text_stands_for_many() -> None:
    messages = (user(png(), png()), tool(result("a", PDF)))
    assert noted(omit_all(messages, "gpt-3.5-turbo")) == [
        *["the image is left out: gpt-3.5-turbo takes none"] * 2,
        "the document is left out: gpt-3.5-turbo takes none",
    ]
    assert noted(omit_declared(messages[:1], "")) == ["the image is left out: the model takes none"] * 2


def test_what_says_nothing_is_looked_at_first() -> None:
    unlabelled = replace(PDF, media_type=None)
    assert omit_declared((user(unlabelled),), "m").messages == (user(unlabelled),)
    assert told(omit_all((user(unlabelled), tool(result("a", unlabelled))), "m").messages) == [
        f"user: {NO_DOCUMENT}",
        "tool: a=(tool document omitted: model does not support documents)",
    ]
