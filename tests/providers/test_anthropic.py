"""Prompts as Anthropic takes them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.core.model import Media, MediaKind, Message, Origin, Text, Thinking, ToolCall, ToolResult, Uri
from sessionkit.providers.anthropic import Anthropic
from sessionkit.providers.base import Cache, Prompt, Style, Target, Tool
from tests.providers.prompts import EXAMPLE, PDF, READ, assistant, placed, png, result, sent, sent_messages, tool, user

if TYPE_CHECKING:
    from sessionkit.core.model import Json

TARGET = Target("anthropic", "anthropic-messages", "claude-sonnet-5")
ANTHROPIC = Anthropic()
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}}
DOCUMENT = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERg=="}}
MARK = {"type": "ephemeral"}


def text(value: str) -> dict[str, str]:
    return {"type": "text", "text": value}


def test_the_order_of_members() -> None:
    image = '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}'
    assert sent(ANTHROPIC, EXAMPLE, TARGET) == (
        '{"model":"claude-sonnet-5","max_tokens":4096,"system":[{"type":"text","text":"Be brief."}],"messages":['
        f'{{"role":"user","content":[{{"type":"text","text":"old:"}},{image},{{"type":"text","text":"what changed?"}}]}},'
        '{"role":"assistant","content":[{"type":"text","text":"Reading."},'
        '{"type":"tool_use","id":"t1","name":"read","input":{"path":"a.png"}},'
        '{"type":"tool_use","id":"t2","name":"read","input":{"path":"b.png"}}]},'
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":'
        f'[{{"type":"text","text":"Read image file [image/png]"}},{image}],"is_error":false}},'
        '{"type":"tool_result","tool_use_id":"t2","content":"no such file","is_error":true}]}],'
        '"tools":[{"name":"read","description":"Reads a file.","input_schema":'
        '{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}]}'
    )


def test_nothing_but_messages() -> None:
    assert json.loads(sent(ANTHROPIC, Prompt((user(Text("hi"), plain=True),)), Target("anthropic", "anthropic-messages"))) == {
        "model": "MODEL",
        "max_tokens": 4096,
        "messages": [{"role": "user", "content": "hi"}],
    }


@pytest.mark.parametrize(
    ("message", "content"),
    [
        (user(Text("a")), [text("a")]),
        (user(Text("a"), Text("b"), plain=True), [text("a"), text("b")]),
        (user(png(), Text("a"), png()), [IMAGE, text("a"), IMAGE]),
        (user(PDF), [DOCUMENT]),
        (user(Media(MediaKind.DOCUMENT, PDF.source, PDF.media_type, name="a.pdf")), [{**DOCUMENT, "title": "a.pdf"}]),
        (user(Media(MediaKind.IMAGE, Uri("https://h/a.png"))), [{"type": "image", "source": {"type": "url", "url": "https://h/a.png"}}]),
        (
            user(Media(MediaKind.DOCUMENT, Uri("file_1"), carried={"source": {"type": "file", "file_id": "file_1"}})),
            [{"type": "document", "source": {"type": "file", "file_id": "file_1"}}],
        ),
        (assistant(Text("a", carried={"textSignature": "s"})), [text("a")]),
        (
            assistant(Thinking("hm", "sig"), Thinking("", "data", redacted=True), Thinking("", "sig"), Text("a")),
            [
                {"type": "thinking", "thinking": "hm", "signature": "sig"},
                {"type": "redacted_thinking", "data": "data"},
                {"type": "thinking", "thinking": "", "signature": "sig"},
                text("a"),
            ],
        ),
        (
            assistant(ToolCall("c", "n", {"b": 1, "a": {}}, '{ "b":1 }', carried={"thoughtSignature": "s"})),
            [{"type": "tool_use", "id": "c", "name": "n", "input": {"b": 1, "a": {}}}],
        ),
    ],
)
def test_content(message: Message, content: Json) -> None:
    [written] = sent_messages(ANTHROPIC, TARGET, message)
    assert written["content"] == content


@pytest.mark.parametrize(
    ("held", "content"),
    [
        ((), ""),
        ((Text("a"),), "a"),
        ((Text("a"), Text("b")), "a\nb"),
        ((png(),), [text("(see attached image)"), IMAGE]),
        ((PDF,), [text("(see attached image)"), DOCUMENT]),
        ((png(), Text("a"), Text("b"), png()), [IMAGE, text("a"), text("b"), IMAGE]),
    ],
)
def test_result(held: tuple[Text | Media, ...], content: Json) -> None:
    [written] = sent_messages(ANTHROPIC, TARGET, tool(result("t1", *held)))
    assert written == {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "t1", "content": content, "is_error": False}],
    }


MOVED = "(image attached after the tool results)"


@pytest.mark.parametrize(
    ("held", "content", "behind"),
    [
        ((), "(no tool output)", []),
        ((Text("a"), Text("b")), "a\nb", []),
        ((png(), png()), MOVED, [IMAGE, IMAGE]),
        ((Text("a"), png(), png(), Text("b"), PDF), f"a\n{MOVED}\nb\n{MOVED}", [IMAGE, IMAGE, DOCUMENT]),
    ],
)
def test_a_failed_result_is_text(held: tuple[Text | Media, ...], content: str, behind: list[Json]) -> None:
    [written] = sent_messages(ANTHROPIC, TARGET, tool(result("t1", *held, is_error=True), result("t2", png())))
    first, second, *rest = written["content"]
    assert first == {"type": "tool_result", "tool_use_id": "t1", "content": content, "is_error": True}
    assert second["tool_use_id"] == "t2"
    assert rest == ([text("Images from the error result of tool call t1 (read):"), *behind] if behind else [])


def test_messages_stay_apart() -> None:
    roles = [
        message["role"]
        for message in sent_messages(ANTHROPIC, TARGET, user(Text("a")), user(Text("b")), assistant(Text("c")), assistant(Text("d")))
    ]
    assert roles == ["user", "user", "assistant", "assistant"]


@pytest.mark.parametrize(
    ("schema", "sent_schema"),
    [
        ({"type": "object"}, {"type": "object"}),
        ({"properties": {}}, {"type": "object", "properties": {}}),
        (None, {"type": "object"}),
        (
            {"$schema": "s", "title": "t", "type": "object", "additionalProperties": False, "$defs": {}, "definitions": {}, "oneOf": []},
            {"type": "object", "additionalProperties": False, "$defs": {}, "definitions": {}},
        ),
    ],
)
def test_tool(schema: Json, sent_schema: Json) -> None:
    body = json.loads(sent(ANTHROPIC, Prompt((user(Text("a")),), tools=(Tool("n", None, schema),)), TARGET))
    assert body["tools"] == [{"name": "n", "input_schema": sent_schema}]


def marked(prompt: Prompt) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(sent(ANTHROPIC, prompt, TARGET, Style(cache=Cache.MARK)))
    return body


def test_the_ends_of_system_tools_and_conversation_are_marked() -> None:
    body = marked(Prompt(EXAMPLE.messages, "Be brief.", (Tool("other", None, {}), READ)))
    assert body["system"] == [{**text("Be brief."), "cache_control": MARK}]
    assert [tool.get("cache_control") for tool in body["tools"]] == [None, MARK]
    assert body["messages"][2]["content"][1]["cache_control"] == MARK
    assert json.dumps(body).count("cache_control") == 3


@pytest.mark.parametrize(
    ("messages", "content"),
    [
        ((user(Text("a"), plain=True),), [{**text("a"), "cache_control": MARK}]),
        ((user(Text("a"), png()), assistant(Thinking("t", "s"))), [text("a"), {**IMAGE, "cache_control": MARK}]),
    ],
)
def test_the_last_message_of_the_user_is_marked(messages: tuple[Message, ...], content: Json) -> None:
    body = marked(Prompt((user(Text("first")), *messages)))
    assert body["messages"][1]["content"] == content
    assert json.dumps(body).count("cache_control") == 1


def test_nothing_to_mark() -> None:
    assert "cache_control" not in json.dumps(marked(Prompt((assistant(Text("a")),))))


def test_every_part_knows_where_it_comes_from() -> None:
    image = replace(png(), origin=Origin(pointer="/image"))
    failed = ToolResult("t1", "read", (image,), is_error=True, origin=Origin(pointer="/failed"))
    fine = ToolResult("t2", "read", (image,), origin=Origin(pointer="/fine"))
    messages = [user(Text("a", Origin(pointer="/text")), plain=True), tool(failed, fine)]
    spoken, given = (replace(message, origin=Origin(pointer=f"/{at}")) for at, message in enumerate(messages))
    assert placed(ANTHROPIC, TARGET, spoken, given) == {
        "0": "/0",
        "0.content": "/text",
        "1": "/1",
        "1.content.0": "/failed",
        "1.content.1": "/fine",
        "1.content.1.content.1": "/image",
        "1.content.2": "/failed",
        "1.content.3": "/image",
    }
