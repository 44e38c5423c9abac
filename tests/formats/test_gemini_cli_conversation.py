"""Gemini CLI: what the model sees of a session, held against what Gemini CLI sent, and of sessions that are odd."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.entries import read_entries
from sessionkit.core.model import Model, Usage
from sessionkit.core.streams import open_source
from sessionkit.errors import UsageError
from sessionkit.formats.gemini_cli import GeminiCli
from tests.formats.outlines import JsonObject, outline, read, rebuild, skips
from tests.formats.wires import FIXTURES, Piece, held, sent

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.model import Conversation

METADATA: JsonObject = {"sessionId": "s", "projectHash": "h"}
IMAGE: JsonObject = {"inlineData": {"data": "iVBORw0KGgo=", "mimeType": "image/png"}}


def with_images_in_results(pieces: list[Piece]) -> list[Piece]:
    """An image of a result is sent as the part behind it, in the same turn of the user."""
    back: list[Piece] = []
    for role, text in pieces:
        belongs = role == "user" and text.startswith("sha256:") and back[-1][0] == "tool"
        back.append(("tool" if belongs else role, text))
    return back


@pytest.mark.parametrize(("lines", "wire"), [(33, "gemini-cli-session-gemini"), (46, "gemini-cli-resumed-gemini")])
def test_what_gemini_cli_sent_next(lines: int, wire: str, tmp_path: Path) -> None:
    session = tmp_path / "session.jsonl"
    content = (FIXTURES / "gemini-cli" / "session" / "session.jsonl").read_bytes()
    session.write_bytes(b"".join(content.splitlines(keepends=True)[:lines]))
    assert held(read(session)) == with_images_in_results(sent(wire))


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ("legacy", ["user: Describe @logo.webp | <image image/webp>", "assistant: A gradient from purple to yellow."]),
        (
            "checkpoint",
            [
                "user: What is drawn here? | <image image/png>",
                'assistant: (I open the other one.) | read_file  {"path": "b.gif"}',
                "tool: =Binary content provided (1 item(s)). | <image image/gif>",
                "user: Be brief.",
                "assistant: Two gradients.",
            ],
        ),
    ],
)
def test_documents(case: str, told: list[str]) -> None:
    path = FIXTURES / "gemini-cli" / case / "session.json"
    conversation = read(path, name=str(path))
    assert (outline(conversation), skips(conversation)) == (told, [])


@pytest.mark.parametrize("indent", [None, 2])
def test_checkpoint_that_is_a_bare_list(indent: int | None, tmp_path: Path) -> None:
    path = tmp_path / "checkpoint-x.json"
    path.write_text(json.dumps([{"role": "user", "parts": [{"text": "1"}]}, {"role": "model", "parts": [{"text": "2"}]}], indent=indent))
    conversation = read(path, name=str(path))
    assert outline(conversation) == ["user: 1", "assistant: 2"]
    assert conversation.messages[1].content[0].origin.pointer == "/1/parts/0"


@pytest.mark.parametrize(
    ("content", "told", "skipped"),
    [
        ('{"id":"a"\n{"id":"b","type":"user","content":"1"}\n', ["user: 1"], 1),
        ('{"sessionId":"s","messages":[\n{"id":"b","type":"user","content":"1"}\n', ["user: 1"], 1),
        ("\n\n", [], 0),
        ("", [], 0),
    ],
    ids=["lines, the first of which is broken", "a document that breaks off", "blank", "empty"],
)
def test_what_is_no_document_is_lines(content: str, told: list[str], skipped: int, tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    path.write_text(content)
    with open_source(path) as stream:
        conversation = GeminiCli().conversation(read_entries(stream), str(path), None)
    assert (outline(conversation), len(conversation.skipped)) == (told, skipped)


def user(id_: str, *content: object) -> JsonObject:
    return {"id": id_, "type": "user", "content": [{"text": part} if isinstance(part, str) else part for part in content]}


def gemini(id_: str, content: object = "", **more: object) -> JsonObject:
    return {"id": id_, "type": "gemini", "content": content} | more


def set_messages(*messages: JsonObject) -> JsonObject:
    return {"$set": {"messages": list(messages)}}


def response(call: str, output: str = "ok") -> JsonObject:
    return {"functionResponse": {"id": call, "name": "read", "response": {"output": output}}}


def call(id_: str, **more: object) -> JsonObject:
    return {"id": id_, "name": "read", "args": {"path": id_}} | more


@pytest.mark.parametrize(
    ("lines", "told", "skipped"),
    [
        ([METADATA], [], []),
        ([METADATA, user("a", "1"), gemini("b", "2")], ["user: 1", "assistant: 2"], []),
        ([user("a", "1"), user("b", "2"), user("a", "3")], ["user: 3", "user: 2"], []),
        ([user("a", "1"), user("b", "2"), {"$rewindTo": "b"}, user("c", "3")], ["user: 1", "user: 3"], []),
        (
            [user("a", "1"), {"$rewindTo": "x"}, user("b", "2")],
            ["user: 2"],
            ["2: it rewinds to the unknown message x: all before it are gone"],
        ),
        ([user("a", "1"), set_messages(user("b", "2")), user("c", "3")], ["user: 2", "user: 3"], []),
        ([user("a", "1"), set_messages(user("b", "2")), user("a", "3")], ["user: 2", "user: 3"], []),
        ([user("a", "1"), set_messages()], [], ["2: it sets no messages: all before it are gone"]),
        ([set_messages(), user("a", "1")], ["user: 1"], []),
        ([user("a", "1"), {"$set": {"lastUpdated": "t"}}], ["user: 1"], []),
        ([METADATA | {"messages": [user("a", "1")]}, METADATA | {"messages": [user("b", "2")]}], ["user: 1", "user: 2"], []),
        ([user("a", "1"), METADATA, user("b", "2")], ["user: 1", "user: 2"], []),
        ([user("a", "1"), *({"id": type_, "type": type_, "content": "x"} for type_ in ("info", "warning", "error"))], ["user: 1"], []),
        ([{"id": "a", "type": "wizard", "content": "x"}], ["meta:"], ["1: message of the unknown role wizard"]),
        ([{"x": 1}, {"x": 2}], [], ["1: entry of the unknown type (none), 2 times"]),
        (["not JSON: cut", user("a", "1")], ["user: 1"], ["1: not JSON: cut"]),
        (
            [{"id": "a", "type": "user", "content": "1"}, {"id": "b", "type": "user", "content": IMAGE}],
            ["user: 1", "user: <image image/png>"],
            [],
        ),
        ([{"id": "a", "type": "user"}, gemini("b", None)], ["user:", "assistant:"], []),
        ([user("a", "1", response("x"), IMAGE, "2")], ["user: 1", "tool: x=ok | <image image/png>", "user: 2"], []),
        ([user("a", {"glow": 1})], ["user: ?glow"], ["1: block of the unknown type glow"]),
    ],
)
def test_odd_sessions(lines: list[JsonObject | str], told: list[str], skipped: list[str]) -> None:
    conversation = rebuild(GeminiCli(), *lines)
    assert (outline(conversation), skips(conversation)) == (told, skipped)


CALLED = 'assistant: read x {"path": "x"}'


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([gemini("a", toolCalls=[call("x")])], [CALLED]),
        ([gemini("a", toolCalls=[call("x", result=None)])], [CALLED]),
        ([gemini("a", toolCalls=[call("x", result=[response("x"), IMAGE])])], [CALLED, "tool: x=ok | <image image/png>"]),
        ([gemini("a", toolCalls=[call("x", result="text")])], [CALLED, "tool: x=text"]),
        ([gemini("a", toolCalls=[call("x", result=["text", IMAGE])])], [CALLED, "tool: x=text | <image image/png>"]),
        (
            [gemini("a", toolCalls=[call("x", result=response("x"))]), user("b", response("x"), IMAGE)],
            [CALLED, "tool: x=ok | <image image/png>"],
        ),
        (
            [gemini("a", toolCalls=[call("x", result="1"), call("y", result="2")]), user("b", response("y"))],
            [f'{CALLED} | read y {{"path": "y"}}', "tool: x=1", "tool: y=ok"],
        ),
        ([user("b", response("x", "1")), user("c", response("x", "2"))], ["tool: x=1", "tool: x=2"]),
        ([gemini("a", "why", toolCalls=[call("x")])], ['assistant: why | read x {"path": "x"}']),
        ([gemini("a", [{"functionCall": call("x")}], toolCalls=[call("x")], thoughts=[{"subject": "S", "description": "D"}])], [CALLED]),
        ([gemini("a", [{"text": "t", "thought": True}, {"text": "2"}], toolCalls=[call("x")])], ["assistant: (t) | 2"]),
        ([gemini("a", "2", thoughts=[{"subject": "S", "description": "D"}, "odd"])], ["assistant: (**S**\nD) | 2"]),
    ],
)
def test_calls_and_their_results(lines: list[JsonObject], told: list[str]) -> None:
    assert outline(rebuild(GeminiCli(), *lines)) == told


def usages(conversation: Conversation) -> list[int | None]:
    return [message.usage.total if message.usage else None for message in conversation.messages]


def measured(total: int) -> JsonObject:
    return {"tokens": {"total": total}}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([gemini("a", "1", **measured(7))], [7]),
        ([gemini("a", "1", **measured(7)), gemini("a", "2")], [7]),
        ([gemini("a", "1", **measured(7)), gemini("a", "2", **measured(8))], [8]),
        (
            [user("u", "1"), gemini("a", "1", **measured(7)), set_messages(user("u", "1")), set_messages(user("u", "1"), gemini("a", "1"))],
            [None, 7],
        ),
        ([user("u", "1"), gemini("a", "1", **measured(7)), set_messages(user("s", "S"), gemini("a", "1"))], [None, None]),
        (
            [
                user("u", "1"),
                gemini("a", "1", **measured(7)),
                set_messages(user("s", "S"), gemini("a", "1")),
                gemini("b", "2", **measured(3)),
            ],
            [None, None, 3],
        ),
        (
            [gemini("a", "1", **measured(7)), user("u", "1"), {"$rewindTo": "u"}, set_messages(gemini("a", "1"), user("v", "2"))],
            [7, None],
        ),
        ([gemini("a", "1", tokens=None)], [None]),
    ],
    ids=["own", "superseded", "newest", "resumed", "compressed", "after a compression", "rewound", "none"],
)
def test_tokens(lines: list[JsonObject], expected: list[int | None]) -> None:
    assert usages(rebuild(GeminiCli(), *lines)) == expected


def test_parts_of_a_usage() -> None:
    tokens = {"input": 10, "cached": 4, "output": 2, "thoughts": 1, "tool": 0, "total": 13}
    [message] = rebuild(GeminiCli(), gemini("a", "1", tokens=tokens, model="gemini-3-pro")).messages
    assert message.usage == Usage(input=6, output=3, cache_read=4, total=13)
    assert message.model == Model("google", "google-generative-ai", "gemini-3-pro")


def test_there_are_no_branches() -> None:
    with pytest.raises(UsageError, match="no branch ends with 'a'"):
        rebuild(GeminiCli(), user("a", "1"), leaf="a")
