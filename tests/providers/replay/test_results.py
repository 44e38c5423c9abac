"""Results behind the turns of their calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Message, Origin, Role, Text, ToolCall, ToolResult, UserKind
from sessionkit.providers.replay.choices import Orphans
from sessionkit.providers.replay.results import answer_calls, answer_in_place
from tests.providers.prompts import assistant, call, png, tool, user
from tests.providers.replay.told import noted, told

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.providers.replay.remarks import Outcome

SYSTEM = Message(Role.SYSTEM, (Text("s"),))


def said(id_: str, text: str, name: str = "read") -> ToolResult:
    return ToolResult(id_, name, (Text(text),))


ONE, TWO = assistant(call("a")), assistant(call("b"))
BOTH = assistant(call("a"), call("b"))
A, B = "assistant: read a {}", "assistant: read b {}"
AB = "assistant: read a {} | read b {}"
NONE = "No result provided"

MOVED = {
    "as it should be": ([ONE, tool(said("a", "1")), TWO, tool(said("b", "2"))], [A, "tool: a=1", B, "tool: b=2"]),
    "two messages of results": ([BOTH, tool(said("a", "1")), tool(said("b", "2"))], [AB, "tool: a=1 | b=2"]),
    "in the session's order": ([BOTH, tool(said("b", "2")), tool(said("a", "1"))], [AB, "tool: b=2 | a=1"]),
    "a reply in several messages": (
        [assistant(Text("0")), ONE, TWO, tool(said("a", "1")), tool(said("b", "2"))],
        ["assistant: 0 | read a {} | read b {}", "tool: a=1 | b=2"],
    ),
    "what is said after the last call": ([ONE, assistant(Text("0")), tool(said("a", "1"))], [A, "tool: a=1", "assistant: 0"]),
    "what says nothing parts no reply": (
        [assistant(Text("0")), tool(said("x", "1")), ONE],
        ["assistant: 0 | read a {}", f"tool: a!{NONE}"],
    ),
    "what is said after the last call, before another": (
        [ONE, assistant(Text("0")), tool(said("a", "1")), TWO, tool(said("b", "2"))],
        [A, "tool: a=1", "assistant: 0 | read b {}", "tool: b=2"],
    ),
    "no calls": ([assistant(Text("0")), assistant(Text("1"))], ["assistant: 0", "assistant: 1"]),
    "late": ([ONE, user(Text("0")), tool(said("a", "1"))], [A, "tool: a=1", "user: 0"]),
    "later still": ([ONE, user(Text("0")), TWO, tool(said("a", "1"), said("b", "2"))], [A, "tool: a=1", "user: 0", B, "tool: b=2"]),
    "behind the system": ([ONE, SYSTEM, tool(said("a", "1"))], [A, "tool: a=1", "system: s"]),
    "repeated": ([ONE, tool(said("a", "1")), tool(said("a", "2")), TWO, tool(said("b", "2"))], [A, "tool: a=1", B, "tool: b=2"]),
    "missing": ([ONE, user(Text("0"))], [A, f"tool: a!{NONE}", "user: 0"]),
    "missing at the end": ([BOTH], [AB, f"tool: a!{NONE} | b!{NONE}"]),
    "one of them missing": ([BOTH, tool(said("b", "2"))], [AB, f"tool: b=2 | a!{NONE}"]),
    "without a call": ([user(Text("0")), tool(said("x", "1"))], ["user: 0"]),
    "before its call": ([tool(said("a", "1")), ONE], [A, f"tool: a!{NONE}"]),
    "an id for two turns": ([ONE, tool(said("a", "1")), ONE, tool(said("a", "2"))], [A, "tool: a=1", A, "tool: a=2"]),
    "an id for two turns, the first of which got none": (
        [ONE, user(Text("0")), ONE, tool(said("a", "2"))],
        [A, f"tool: a!{NONE}", "user: 0", A, "tool: a=2"],
    ),
    "an id for two calls of a turn": (
        [assistant(call("a"), call("a")), tool(said("a", "1"), said("a", "2"), said("a", "3"))],
        ["assistant: read a {} | read a {}", "tool: a=1 | a=2"],
    ),
}


@pytest.mark.parametrize(("messages", "moved"), MOVED.values(), ids=MOVED)
def test_results_move_behind_their_turn(messages: list[Message], moved: list[str]) -> None:
    assert told(answer_calls(tuple(messages), Orphans.DROP).messages) == moved


IN_PLACE = {
    "as it should be": MOVED["as it should be"],
    "two messages of results": ([BOTH, tool(said("a", "1")), tool(said("b", "2"))], [AB, "tool: a=1", "tool: b=2"]),
    "a reply in several messages": ([ONE, TWO, tool(said("a", "1")), tool(said("b", "2"))], [A, B, "tool: a=1", "tool: b=2"]),
    "late": ([ONE, user(Text("0")), tool(said("a", "1"))], [A, "user: 0", "tool: a=1"]),
    "repeated": ([ONE, tool(said("a", "1")), tool(said("a", "2"))], [A, "tool: a=1"]),
    "missing": ([ONE, TWO, tool(said("b", "2"))], [A, f"tool: a!{NONE}", B, "tool: b=2"]),
    "without a call": ([tool(said("x", "1"), said("y", "2")), SYSTEM], ["system: s"]),
}


@pytest.mark.parametrize(("messages", "left"), IN_PLACE.values(), ids=IN_PLACE)
def test_results_stay_where_they_are(messages: list[Message], left: list[str]) -> None:
    assert told(answer_in_place(tuple(messages), Orphans.DROP).messages) == left


def nameless(name: str, *ids: str) -> Message:
    return assistant(*(ToolCall(id_, name, {}) for id_ in ids))


IDS = {
    "neither has one": ([nameless("read", ""), tool(said("", "1"))], ["tool: =1"]),
    "neither has one, of two tools": (
        [assistant(ToolCall("", "read", {}), ToolCall("", "list", {})), tool(said("", "1", "list"), said("", "2"))],
        ["tool: =1 | =2"],
    ),
    "neither has one, twice": ([nameless("read", "", ""), tool(said("", "1"), said("", "2"), said("", "3"))], ["tool: =1 | =2"]),
    "only the result": ([nameless("read", ""), tool(said("made-up", "1"), said("made-up", "2"))], ["tool: =1"]),
    "only the result, of another tool": ([nameless("read", ""), tool(said("made-up", "1", "list"))], [f"tool: !{NONE}"]),
    "only the result, but its call is answered": ([nameless("read", ""), tool(said("x", "1"), said("y", "2"))], ["tool: =1"]),
    "only the call": ([nameless("read", "a", "b"), tool(said("", "1"))], [f"tool: a=1 | b!{NONE}"]),
    "only the call, and the result has no name": ([nameless("read", "a"), tool(said("", "1", ""))], ["tool: a=1"]),
}


@pytest.mark.parametrize(("messages", "results"), IDS.values(), ids=IDS)
def test_calls_and_results_without_ids(messages: list[Message], results: list[str]) -> None:
    assert told(answer_calls(tuple(messages), Orphans.DROP).messages[1:]) == results


def test_a_result_gets_the_id_and_the_name_of_its_call() -> None:
    messages = (nameless("read", ""), tool(ToolResult("made-up", "read", (png(),), plain=False)))
    [_, answered] = answer_calls(messages, Orphans.DROP).messages
    assert answered == tool(ToolResult("", "read", (png(),)))
    [_, answered] = answer_calls((nameless("read", "a"), tool(said("a", "1", ""))), Orphans.DROP).messages
    assert answered == tool(said("a", "1"))


def test_where_messages_come_from() -> None:
    called, given = Origin(line=2, pointer="/message"), Origin(line=3)
    turn = Message(Role.ASSISTANT, (ToolCall("a", "read", {}, origin=Origin(line=2, pointer="/message/0")),), called)
    [_, alone] = answer_calls((turn,), Orphans.DROP).messages
    assert (alone.origin, alone.content[0].origin) == (called, Origin(line=2, pointer="/message/0"))
    [_, answered] = answer_calls((turn, Message(Role.TOOL, (said("a", "1"),), given)), Orphans.DROP).messages
    assert answered.origin == given


@pytest.mark.parametrize("answer", [answer_calls, answer_in_place])
def test_kept_orphans(answer: Callable[[tuple[Message, ...], Orphans], Outcome]) -> None:
    orphan = ToolResult("x", "read", (Text("1"), png()), origin=Origin(line=4))
    outcome = answer((ONE, tool(said("a", "1")), tool(orphan)), Orphans.KEEP)
    heading = Text("[result of a lost read call x]", Origin(line=4))
    assert outcome.messages[2:] == (Message(Role.USER, (heading, Text("1"), png()), Origin(line=4), UserKind.NOTE),)
    assert noted(outcome) == ["line 4: the result of read call x has no call: the user tells it"]


@pytest.mark.parametrize("answer", [answer_calls, answer_in_place])
def test_what_is_said_about_it(answer: Callable[[tuple[Message, ...], Orphans], Outcome]) -> None:
    messages = (BOTH, tool(said("a", "1")), tool(said("a", "2"), said("a", "3")), tool(said("x", "4", "")))
    assert noted(answer(messages, Orphans.DROP)) == [
        "2 of the results repeat earlier ones: they are not sent",
        "the result of call x has no call: it is not sent",
        "read call b has no result: `No result provided` stands for it",
    ]


LATE = "the result stands behind a message of the user: it is sent directly behind its call"


@pytest.mark.parametrize(
    ("name", "notes"), [("late", [LATE]), ("later still", [LATE]), ("behind the system", []), ("two messages of results", [])]
)
def test_results_that_move_are_told(name: str, notes: list[str]) -> None:
    messages, _ = MOVED[name]
    assert noted(answer_calls(tuple(messages), Orphans.DROP)) == notes
    assert noted(answer_in_place(tuple(messages), Orphans.DROP)) == []
