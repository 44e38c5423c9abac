"""Blocks where no interface takes them."""

from __future__ import annotations

import pytest

from sessionkit.core.model import Media, Message, Origin, Role, Text, Thinking, Unsupported
from sessionkit.providers.replay.places import put_in_place, without_incomplete, without_unsupported
from tests.providers.prompts import assistant, call, png, result, tool, user
from tests.providers.replay.told import noted, told

SEARCH = Unsupported("web_search_call", Origin(line=3, pointer="/payload"), {"type": "web_search_call"})
PICTURE = Media(png().kind, png().source, "image/png", origin=Origin(line=3, pointer="/payload/result"))
ELSEWHERE = Media(png().kind, png().source, "image/png", origin=Origin(line=3, pointer="/payload2/result"))


@pytest.mark.parametrize(
    ("message", "parts", "notes"),
    [
        (user(Text("1"), png()), ["user: 1 | <image image/png>"], []),
        (assistant(Thinking("t"), Text("1"), call("a")), ["assistant: (t) | 1 | read a {}"], []),
        (user(), ["user:"], []),
        (user(Text("1"), result("a"), png()), ["user: 1", "tool: a=", "user: <image image/png>"], []),
        (assistant(call("a"), result("a"), result("b"), Text("1")), ["assistant: read a {}", "tool: a= | b=", "assistant: 1"], []),
        (tool(result("a")), ["tool: a="], []),
        (Message(Role.TOOL, (result("a"), Text("1"), png())), ["tool: a=", "user: 1 | <image image/png>"], []),
        (
            user(Text("1"), call("a"), Thinking("t"), Text("2")),
            ["user: 1 | 2"],
            ["a call in a user message is not sent", "thinking in a user message is not sent"],
        ),
        (user(call("a")), [], ["a call in a user message is not sent"]),
        (Message(Role.SYSTEM, (Text("1"),)), ["system: 1"], []),
        (assistant(SEARCH), ["assistant: ?web_search_call"], []),
    ],
)
def test_each_block_in_its_place(message: Message, parts: list[str], notes: list[str]) -> None:
    outcome = put_in_place((message,))
    assert (told(outcome.messages), noted(outcome)) == (parts, notes)


def test_blocks_of_unknown_types() -> None:
    outcome = without_unsupported((user(Text("1"), Unsupported("")), assistant(SEARCH), user()))
    assert told(outcome.messages) == ["user: 1", "user:"]
    assert noted(outcome) == [
        "a block of the unknown type (none) is not sent",
        "line 3, /payload: a block of the unknown type web_search_call is not sent",
    ]


@pytest.mark.parametrize(
    ("message", "left"),
    [
        (assistant(SEARCH), ["assistant: ?web_search_call"]),
        (assistant(SEARCH, ELSEWHERE), ["assistant: ?web_search_call | <image image/png>"]),
        (assistant(SEARCH, PICTURE), ["assistant: <image image/png>"]),
    ],
)
def test_items_that_are_no_longer_whole(message: Message, left: list[str]) -> None:
    assert told(without_incomplete((message,)).messages) == left
