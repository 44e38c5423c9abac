"""Transcripts, where the vectors do not look."""

from __future__ import annotations

import pytest

from sessionkit.compaction.base import Compat, Settings
from sessionkit.compaction.inputs import ink, my_pi, pi
from sessionkit.compaction.inputs.texts import shorten, sound
from sessionkit.core.model import Block, Json, Message, Role, Shell, Text, Thinking, ToolCall, ToolResult, UserKind

UPSTREAM = Settings(compat=Compat.UPSTREAM)


def call(arguments: Json) -> Message:
    return Message(Role.ASSISTANT, (ToolCall("1", "run", arguments),))


def result(text: str) -> Message:
    return Message(Role.TOOL, (ToolResult("1", "read", (Text(text),)),))


def user(*blocks: Block, kind: UserKind = UserKind.PROMPT) -> Message:
    return Message(Role.USER, blocks, kind=kind)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (user(Text("a"), Text("b")), "[User]: ab"),
        (user(Text("")), ""),
        (user(Shell("ls", "a.txt", 0)), "[User]: Ran `ls`\n```\na.txt\n```"),
        (user(Shell("ls", "secret", excluded=True), kind=UserKind.SHELL), ""),
        (
            user(Text("went left"), kind=UserKind.BRANCH_SUMMARY),
            "[User]: The following is a summary of a branch that this conversation came back from:\n\n<summary>\nwent left</summary>",
        ),
        (Message(Role.ASSISTANT, (Thinking("hm"),)), ""),
        (Message(Role.ASSISTANT, (Text(""),)), "[Assistant]: "),
        (call({"a": 1.0, "é": "\ud83d"}), '[Assistant tool calls]: run(a=1, é="\\ud83d")'),
        (call({}), "[Assistant tool calls]: run()"),
        (call(None), "[Assistant tool calls]: run()"),
        (call("no json"), '[Assistant tool calls]: run("no json")'),
        (result(""), ""),
        (result("\ud83d!"), "[Tool result]: \ufffd!"),
        (Message(Role.SYSTEM, (Text("be kind"),)), ""),
        (Message(Role.META, ()), ""),
    ],
)
def test_pi(message: Message, expected: str) -> None:
    assert pi.transcript([message], Settings()) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (user(), "user: "),
        (Message(Role.COMPACTION, (Text("before"),)), "user: before"),
        (Message(Role.ASSISTANT, (Thinking("hm"), Text("yes"))), "assistant: yes"),
        (call({}), "assistant: [tool_calls: run] "),
        (result("x" * 2001), f"tool: {'x' * 2000}\n\n[... 1 more characters truncated]"),
        (Message(Role.SYSTEM, (Text("be kind"),)), ""),
    ],
)
def test_my_pi(message: Message, expected: str) -> None:
    assert my_pi.transcript([message], Settings()) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (user(Text("x" * 4001)), f"[user]\n{'x' * 4000}\n\n[... 1 more characters truncated]"),
        (Message(Role.COMPACTION, (Text("before"),)), "[user]\nbefore"),
        (Message(Role.ASSISTANT, (Thinking("hm"),)), ""),
        (
            Message(Role.ASSISTANT, (Text("a"), ToolCall("1", "read", {"n": 1.0}), Text("b"))),
            '[assistant]\na\nb\n\n[tool call read]\n{"n":1}',
        ),
        (result("x" * 2001), f"[tool result read]\n{'x' * 2000}\n\n[... 1 more characters truncated]"),
        (Message(Role.META, ()), ""),
    ],
)
def test_ink(message: Message, expected: str) -> None:
    assert ink.transcript([message], Settings()) == expected


def test_results_are_cut_where_a_person_says() -> None:
    settings = Settings(tool_chars=3)
    assert pi.transcript([result("12345")], settings) == "[Tool result]: 123\n\n[... 2 more characters truncated]"
    assert my_pi.transcript([result("12345")], settings) == "tool: 123\n\n[... 2 more characters truncated]"
    assert ink.transcript([result("12345")], settings) == "[tool result read]\n123\n\n[... 2 more characters truncated]"


def test_what_upstream_does_otherwise() -> None:
    assert pi.transcript([result("\ud83d!")], UPSTREAM) == "[Tool result]: !"
    assert my_pi.transcript([result("x" * 4001)], UPSTREAM) == f"tool: {'x' * 4000}"
    assert my_pi.transcript([result("x")], Settings(compat=Compat.UPSTREAM, tool_chars=0)) == "tool: "


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "abc\n\n[... 1 more characters truncated]"),
        ("ab😀", 4, "ab😀"),
        ("ab😀", 3, "ab\n\n[... 1 more characters truncated]"),
        ("a😀b", 3, "a😀\n\n[... 1 more characters truncated]"),
        ("a\ud83d b", 2, "a\ud83d\n\n[... 2 more characters truncated]"),
    ],
)
def test_long_texts_are_cut_between_characters(text: str, most: int, expected: str) -> None:
    assert shorten(text, most) == expected


@pytest.mark.parametrize("text", ["plain", "看图", "😀", ""])
def test_whole_characters_stay(text: str) -> None:
    assert [sound(text, compat) for compat in Compat] == [text, text]


@pytest.mark.parametrize(("text", "ours"), [("\ud83dx", "\ufffdx"), ("x\ude00", "x\ufffd"), ("\ude00\ud83d", "\ufffd\ufffd")])
def test_half_characters_do_not_get_into_a_request(text: str, ours: str) -> None:
    assert sound(text, Compat.NO) == ours
    assert sound(text, Compat.UPSTREAM) == ours.replace("\ufffd", "")
