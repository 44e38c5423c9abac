"""Prompts as OpenAI's Chat Completions take them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Media, MediaKind, Message, Origin, Text, Thinking, ToolCall, ToolResult, Uri
from sessionkit.providers.base import Labels, OpenAIDetail, Prompt, Style, Target, Tool
from sessionkit.providers.openai_chat import OpenAIChat
from tests.providers.prompts import EXAMPLE, PDF, READ, assistant, call, placed, png, result, sent, sent_messages, tool, user

if TYPE_CHECKING:
    from sessionkit.core.model import Json

TARGET = Target("openai", "openai-completions", "gpt-4.1")
CHAT = OpenAIChat()
IMAGE: Json = {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}}
DOCUMENT: Json = {"type": "file", "file": {"filename": "document.pdf", "file_data": "data:application/pdf;base64,JVBERg=="}}


def text(value: str) -> dict[str, str]:
    return {"type": "text", "text": value}


FROM_TOOLS = text("Attached image(s) from tool result:")


def test_the_order_of_members() -> None:
    image = '{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}}'
    assert sent(CHAT, EXAMPLE, TARGET) == (
        '{"model":"gpt-4.1","messages":[{"role":"system","content":"Be brief."},'
        f'{{"role":"user","content":[{{"type":"text","text":"old:"}},{image},{{"type":"text","text":"what changed?"}}]}},'
        '{"role":"assistant","content":"Reading.","tool_calls":['
        '{"id":"t1","type":"function","function":{"name":"read","arguments":"{\\"path\\":\\"a.png\\"}"}},'
        '{"id":"t2","type":"function","function":{"name":"read","arguments":"{\\"path\\":\\"b.png\\"}"}}]},'
        '{"role":"tool","content":"Read image file [image/png]","tool_call_id":"t1"},'
        '{"role":"tool","content":"no such file","tool_call_id":"t2"},'
        f'{{"role":"user","content":[{{"type":"text","text":"Attached image(s) from tool result:"}},{image}]}}],'
        '"tools":[{"type":"function","function":{"name":"read","description":"Reads a file.","parameters":'
        '{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}}]}'
    )


def test_nothing_but_messages() -> None:
    body = sent(CHAT, Prompt((user(Text("hi"), plain=True),)), Target("openai", "openai-completions"))
    assert json.loads(body) == {"model": "MODEL", "messages": [{"role": "user", "content": "hi"}]}


@pytest.mark.parametrize(
    ("message", "written"),
    [
        (user(Text("a")), {"role": "user", "content": [text("a")]}),
        (user(Text("a"), Text("b"), plain=True), {"role": "user", "content": [text("a"), text("b")]}),
        (user(png(), Text("a"), png()), {"role": "user", "content": [IMAGE, text("a"), IMAGE]}),
        (assistant(Text("a"), Thinking("t", "reasoning_content"), Text("b")), {"role": "assistant", "content": "ab"}),
        (
            assistant(call("c", "n")),
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c", "type": "function", "function": {"name": "n", "arguments": "{}"}}],
            },
        ),
    ],
)
def test_messages(message: Message, written: Json) -> None:
    assert sent_messages(CHAT, TARGET, message) == [written]


def test_a_turn_that_only_thought_is_not_sent() -> None:
    assert sent_messages(CHAT, TARGET, assistant(Thinking("t", "s"))) == []


@pytest.mark.parametrize(
    ("tool_call", "arguments"),
    [
        (ToolCall("c", "n", {"b": 1.0, "a": {"x": None}}), '{"b":1,"a":{"x":null}}'),
        (ToolCall("c", "n", {"a": 1}, '{ "a": 1.0 }'), '{ "a": 1.0 }'),
    ],
)
def test_arguments(tool_call: ToolCall, arguments: str) -> None:
    [written] = sent_messages(CHAT, TARGET, assistant(tool_call))
    assert written["tool_calls"][0]["function"]["arguments"] == arguments


@pytest.mark.parametrize(
    ("media", "part"),
    [
        (PDF, DOCUMENT),
        (replace(PDF, name="a.pdf"), {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERg=="}}),
        (
            replace(PDF, media_type="text/csv"),
            {"type": "file", "file": {"filename": "document", "file_data": "data:text/csv;base64,JVBERg=="}},
        ),
        (Media(MediaKind.IMAGE, Uri("https://h/a.png")), {"type": "image_url", "image_url": {"url": "https://h/a.png"}}),
        (Media(MediaKind.DOCUMENT, Uri("file-1"), carried={"file_id": "file-1"}), {"type": "file", "file": {"file_id": "file-1"}}),
        (Media(MediaKind.IMAGE, Uri("file-1"), carried={"file_id": "file-1"}), text("[image unavailable: file-1]")),
        (Media(MediaKind.DOCUMENT, Uri("https://h/a.pdf")), text("[document unavailable: https://h/a.pdf]")),
        (replace(png(), carried={"detail": "low"}), IMAGE),
    ],
)
def test_media(media: Media, part: Json) -> None:
    assert sent_messages(CHAT, TARGET, user(media)) == [{"role": "user", "content": [part]}]


def test_detail_that_is_asked_for() -> None:
    body = json.loads(sent(CHAT, Prompt((user(png()),)), TARGET, Style(detail=OpenAIDetail.ORIGINAL)))
    assert body["messages"][0]["content"][0]["image_url"] == {"url": "data:image/png;base64,QUJD", "detail": "original"}


@pytest.mark.parametrize(
    ("held", "content", "behind"),
    [
        ((), "(no tool output)", []),
        ((Text("a"), Text("b")), "a\nb", []),
        ((png(),), "(see attached image)", [IMAGE]),
        ((png(), Text("a"), PDF, Text("b")), "a\nb", [IMAGE, DOCUMENT]),
    ],
)
def test_result(held: tuple[Text | Media, ...], content: str, behind: list[Json]) -> None:
    written, *rest = sent_messages(CHAT, TARGET, tool(result("t1", *held)))
    assert written == {"role": "tool", "content": content, "tool_call_id": "t1"}
    assert rest == ([{"role": "user", "content": [FROM_TOOLS, *behind]}] if behind else [])


def test_images_of_a_whole_run_of_results_come_behind_it_and_before_the_user() -> None:
    messages = sent_messages(
        CHAT,
        TARGET,
        tool(result("t1", png("MQ==")), result("t2", Text("b"))),
        tool(result("t3", png("Mw=="), is_error=True)),
        user(Text("c")),
        tool(result("t4", png("NA=="))),
    )
    urls = [
        [part.get("image_url", {}).get("url", "")[-4:] for part in message["content"]] for message in messages if message["role"] == "user"
    ]
    assert [message["role"] for message in messages] == ["tool", "tool", "tool", "user", "user", "tool", "user"]
    assert urls == [["", "MQ==", "Mw=="], [""], ["", "NA=="]]


def test_labels_name_the_call_of_each_image() -> None:
    prompt = Prompt((tool(result("t1", png(), png()), result("t2", Text("a")), result("t3", PDF)),))
    behind = json.loads(sent(CHAT, prompt, TARGET, Style(labels=Labels.CALL)))["messages"][-1]
    assert behind["content"] == [
        FROM_TOOLS,
        text("Image from tool call t1 (read):"),
        IMAGE,
        IMAGE,
        text("Image from tool call t3 (read):"),
        DOCUMENT,
    ]


@pytest.mark.parametrize(
    ("model", "role"),
    [
        ("", "system"),
        ("mock", "system"),
        ("gpt-4.1", "system"),
        ("gpt-35-turbo", "system"),
        ("gpt-4o-mini", "system"),
        ("gpt-5-chat-latest", "system"),
        ("gpt-5.1-chat-latest", "system"),
        ("gpt-oss-120b", "system"),
        ("o1-mini", "system"),
        ("o1-preview-2024-09-12", "system"),
        ("openai/gpt-5", "system"),
        ("qwen3-coder", "system"),
        ("o1", "developer"),
        ("o1-2024-12-17", "developer"),
        ("o3-mini", "developer"),
        ("o4-mini-2025-04-16", "developer"),
        ("gpt-5", "developer"),
        ("gpt-5-nano", "developer"),
        ("gpt-5.2-codex", "developer"),
        ("gpt-6-astra", "developer"),
        ("codex-mini-latest", "developer"),
    ],
)
def test_role_of_the_instructions(model: str, role: str) -> None:
    body = json.loads(sent(CHAT, Prompt((), "Be brief."), Target("openai", "openai-completions", model)))
    assert body["messages"] == [{"role": role, "content": "Be brief."}]


def test_a_tool_without_description() -> None:
    body = json.loads(sent(CHAT, Prompt((), tools=(Tool("n", None, READ.schema),)), TARGET))
    assert body["tools"] == [{"type": "function", "function": {"name": "n", "parameters": READ.schema}}]


def at(pointer: str) -> Origin:
    return Origin(pointer=pointer)


def test_every_part_knows_where_it_comes_from() -> None:
    first = ToolResult("t1", "read", (Text("a", at("/a")),), origin=at("/first"))
    second = ToolResult("t2", "read", (replace(png(), origin=at("/image")),), origin=at("/second"))
    third = ToolResult("t3", "read", (replace(png(), origin=at("/other")),), origin=at("/third"))
    messages = (
        user(Text("a", at("/text")), plain=True),
        assistant(Text("b", at("/said")), ToolCall("t1", "read", {}, origin=at("/call"))),
        tool(first, second, third),
    )
    spoken, answered, given = (replace(message, origin=at(f"/{number}")) for number, message in enumerate(messages))
    assert placed(CHAT, TARGET, spoken, answered, given) == {
        "0": "/0",
        "0.content": "/text",
        "1": "/1",
        "1.content": "/said",
        "1.tool_calls.0": "/call",
        "2": "/first",
        "3": "/second",
        "4": "/third",
        "5": "/second",
        "5.content.1": "/image",
        "5.content.2": "/other",
    }
