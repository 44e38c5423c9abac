"""Images for models that take none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Text
from sessionkit.providers.replay.vision import omit_images
from tests.providers.prompts import PDF, assistant, png, result, tool, user
from tests.providers.replay.told import told

if TYPE_CHECKING:
    from sessionkit.core.model import Message

OMITTED = "(image omitted: model does not support images)"
FROM_TOOL = "(tool image omitted: model does not support images)"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (user(Text("1"), png(), Text("2")), f"user: 1 | {OMITTED} | 2"),
        (user(png(), png(), Text("1"), png()), f"user: {OMITTED} | 1 | {OMITTED}"),
        (user(Text(OMITTED), png()), f"user: {OMITTED}"),
        (user(png(), Text(OMITTED)), f"user: {OMITTED} | {OMITTED}"),
        (user(Text(FROM_TOOL), png()), f"user: {FROM_TOOL} | {OMITTED}"),
        (user(png(), PDF), f"user: {OMITTED} | <document application/pdf>"),
        (tool(result("a", Text("1"), png(), png()), result("b", png())), f"tool: a=1 | {FROM_TOOL} | b={FROM_TOOL}"),
        (assistant(Text("1")), "assistant: 1"),
    ],
)
def test_a_text_for_each_run(message: Message, expected: str) -> None:
    outcome = omit_images((message,))
    assert told(outcome.messages) == [expected]
    assert omit_images(outcome.messages) == outcome
