"""Turns that broke off."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Origin, StopReason, Text
from sessionkit.providers.replay.aborted import drop_broken_turns
from tests.providers.prompts import assistant, call, result, tool, user
from tests.providers.replay.told import noted, told

if TYPE_CHECKING:
    from sessionkit.core.model import Message


def broken(message: Message, stop: StopReason = StopReason.ABORTED) -> Message:
    return replace(message, stop_reason=stop, origin=Origin(line=2))


@pytest.mark.parametrize(
    ("messages", "left"),
    [
        ([user(Text("1")), broken(assistant(Text("2"))), user(Text("3"))], ["user: 1", "user: 3"]),
        ([broken(assistant(call("a"))), tool(result("a")), user(Text("1"))], ["user: 1"]),
        ([broken(assistant(call("a"), call("b"))), tool(result("a")), tool(result("b"), result("c"))], ["tool: c="]),
        ([broken(assistant(call("a"))), tool(result("a")), tool(result("a"))], []),
        ([broken(assistant(call("a"))), assistant(call("a")), tool(result("a"))], ["assistant: read a {}"]),
        (
            [broken(assistant(call("a"))), tool(result("a")), assistant(call("a")), tool(result("a"))],
            ["assistant: read a {}", "tool: a="],
        ),
        ([broken(assistant(call("a")), StopReason.LENGTH), tool(result("a"))], ["assistant: read a {}", "tool: a="]),
        ([broken(user(Text("1")))], ["user: 1"]),
    ],
)
def test_turns_and_the_results_of_their_calls(messages: list[Message], left: list[str]) -> None:
    assert told(drop_broken_turns(tuple(messages)).messages) == left


@pytest.mark.parametrize(
    ("stop", "note"),
    [
        (StopReason.ABORTED, "line 2: the turn ended in an interruption: it is not sent"),
        (StopReason.ERROR, "line 2: the turn ended in an error: it is not sent"),
    ],
)
def test_it_is_said(stop: StopReason, note: str) -> None:
    assert noted(drop_broken_turns((broken(assistant(Text("1")), stop),))) == [note]
