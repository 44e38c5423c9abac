"""One prompt of the system out of many messages, and the tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Conversation, Message, Role, Text
from sessionkit.providers.replay.system import choose_system, choose_tools, system_text, without_system
from tests.providers.prompts import READ, png, user
from tests.providers.replay.told import noted, told

if TYPE_CHECKING:
    from sessionkit.core.model import Json
    from sessionkit.providers.base import Tool


def system(*texts: str, **sections: Json) -> Message:
    return Message(Role.SYSTEM, tuple(map(Text, texts)), carried={"sections": sections} if sections else {})


@pytest.mark.parametrize(
    ("messages", "text"),
    [
        ([], ""),
        ([system("Be brief.")], "Be brief."),
        ([system("Be brief.", "Be kind."), user(Text("no")), system("Stop.")], "Be brief.\n\nBe kind.\n\nStop."),
        ([system("", " ", preamble="You are.")], "You are."),
        ([system("1", a="A", b="B"), system("2", a="C")], "1\n\n2\n\nC\n\nB"),
        ([system("1", a="A", b="B"), system(a=None), system(a="again")], "1\n\nB\n\nagain"),
        ([system("1", a=7, b=None, c="")], "1"),
        ([Message(Role.SYSTEM, (Text("1"),), carried={"sections": ["odd"]})], "1"),
    ],
)
def test_text(messages: list[Message], text: str) -> None:
    assert system_text(tuple(messages)) == text


def test_what_is_left() -> None:
    pictured = Message(Role.SYSTEM, (png(), Text("Be brief.")))
    outcome = without_system((pictured, user(Text("1")), system("2")))
    assert told(outcome.messages) == ["user: 1"]
    assert noted(outcome) == [
        "the image stands in the system's prompt: it is not sent",
        "a message of the system stands behind others: it is sent before them all",
    ]
    assert not without_system((system("1"), system("2"), user(Text("1")), system(a="A"))).notes


@pytest.mark.parametrize(
    ("held", "given", "chosen", "notes"),
    [
        ("A", None, "A", []),
        ("", "B", "B", []),
        ("", None, "", []),
        ("", " \n", "", ["the given system prompt is blank: it is not sent"]),
        ("A", "B", "A", ["the session holds a system prompt: the given one is not sent"]),
    ],
)
def test_whose_prompt_counts(held: str, given: str | None, chosen: str, notes: list[str]) -> None:
    text, remarks = choose_system(held, given)
    assert (text, list(map(str, remarks))) == (chosen, notes)


WRITE: Json = {"name": "write", "input_schema": {"type": "object"}}
OTHERS = "the session holds tools: the given ones are not sent"


@pytest.mark.parametrize(
    ("held", "given", "names", "notes"),
    [
        ([], None, [], []),
        ([], (READ,), ["read"], []),
        ([WRITE], None, ["write"], []),
        ([WRITE], (READ,), ["write"], [OTHERS]),
        (
            [{"type": "web_search_20260209"}],
            (READ,),
            ["read"],
            ["the tool web_search_20260209 is known to its vendor alone: it is not sent"],
        ),
        ([7, WRITE], None, ["write"], ["a tool of the session is not sent: it is no object"]),
    ],
)
def test_whose_tools_count(held: list[Json], given: tuple[Tool, ...] | None, names: list[str], notes: list[str]) -> None:
    tools, remarks = choose_tools(Conversation("plain", (), tools=tuple(held)), given)
    assert ([tool.name for tool in tools], list(map(str, remarks))) == (names, notes)
