from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.core.dialects.chat import decode_block, decode_message
from sessionkit.core.model import (
    NOWHERE,
    Inline,
    Media,
    MediaKind,
    Message,
    Origin,
    Role,
    StandIn,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unsupported,
    Uri,
)

if TYPE_CHECKING:
    from sessionkit.core.model import Json

JsonObject = dict[str, Any]
PNG = "data:image/png;base64,iVBORw0KGgo="


def at(pointer: str) -> Origin:
    return Origin(pointer=pointer)


def image(**carried: Json) -> Media:
    return Media(MediaKind.IMAGE, Inline("iVBORw0KGgo="), "image/png", carried=carried)


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ({"type": "text", "text": "a"}, Text("a")),
        ({"type": "refusal", "refusal": "no"}, Text("no", carried={"type": "refusal"})),
        ({"type": "image_url", "image_url": {"url": PNG, "detail": "low"}}, image(detail="low")),
        ({"type": "image_url", "image_url": PNG}, image()),
        ({"type": "image_url", "imageUrl": {"url": PNG}}, image()),
        ({"type": "imageUrl", "imageUrl": PNG}, image()),
        ({"type": "image_url", "image_url": {"url": "https://host/a.png"}}, Media(MediaKind.IMAGE, Uri("https://host/a.png"))),
        ({"type": "image_url", "image_url": None}, Media(MediaKind.IMAGE, Inline(""))),
        ({"type": "image_url"}, Media(MediaKind.IMAGE, Inline(""))),
        ({"type": "video_url", "video_url": {"url": "data:video/mp4;base64,AAAA"}}, Media(MediaKind.DOCUMENT, Inline("AAAA"), "video/mp4")),
        (
            {"type": "file", "file": {"file_data": "data:application/pdf;base64,JVBERi0=", "filename": "a.pdf"}},
            Media(MediaKind.DOCUMENT, Inline("JVBERi0="), "application/pdf", name="a.pdf"),
        ),
        ({"type": "file", "file": {"file_data": "JVBERi0="}}, Media(MediaKind.DOCUMENT, Inline("JVBERi0="))),
        ({"type": "file", "file": {"file_id": "file-1"}}, Media(MediaKind.DOCUMENT, Uri("file-1"), carried={"file_id": "file-1"})),
        ({"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}, Media(MediaKind.DOCUMENT, Inline("AAAA"), "audio/wav")),
        ({"type": "glow", "x": 1}, Unsupported("glow", carried={"type": "glow", "x": 1})),
        ({}, Unsupported("")),
    ],
)
def test_blocks(block: JsonObject, expected: object) -> None:
    assert tuple(decode_block(block, NOWHERE)) == (expected,)


def call(**function: object) -> JsonObject:
    return {"id": "x", "type": "function", "function": {"name": "read"} | function}


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        ('{"b": 1, "a": 2}', {"b": 1, "a": 2}),
        ("", {}),
        (" ", {}),
        ("{cut", "{cut"),
        ("[1]", [1]),
        ('"\ud83d"', "\ud83d"),
    ],
)
def test_arguments_are_parsed_and_kept(arguments: str, value: Json) -> None:
    message = decode_message({"role": "assistant", "content": None, "tool_calls": [call(arguments=arguments)]}, NOWHERE)
    assert message.content == (ToolCall("x", "read", value, arguments, at("/tool_calls/0")),)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            {"role": "user", "content": "a", "name": "Ada"},
            Message(Role.USER, (Text("a", at("/content")),), plain=True, carried={"name": "Ada"}),
        ),
        ({"role": "developer", "content": []}, Message(Role.SYSTEM, ())),
        ({"role": "user", "content": [{"type": "text", "text": "a"}]}, Message(Role.USER, (Text("a", at("/content/0")),))),
        (
            {"role": "assistant", "content": "a", "reasoning_content": "why", "refusal": "no"},
            Message(
                Role.ASSISTANT,
                (
                    Thinking("why", "reasoning_content", origin=at("/reasoning_content")),
                    Text("a", at("/content")),
                    Text("no", at("/refusal"), {"type": "refusal"}),
                ),
                plain=True,
            ),
        ),
        (
            {"role": "assistant", "tool_calls": [{"id": "x", "type": "custom", "custom": {"name": "sh", "input": "ls"}}, "odd"]},
            Message(Role.ASSISTANT, (ToolCall("x", "sh", "ls", "ls", at("/tool_calls/0"), {"type": "custom"}),)),
        ),
        (
            {"role": "assistant", "content": None, "function_call": {"name": "read", "arguments": "{}"}},
            Message(Role.ASSISTANT, (ToolCall("", "read", {}, "{}", at("/function_call")),)),
        ),
        (
            {"role": "assistant", "tool_calls": [{"id": "x", "name": "read", "arguments": {"a": 1}}]},
            Message(Role.ASSISTANT, (ToolCall("x", "read", {"a": 1}, origin=at("/tool_calls/0")),)),
        ),
        (
            {"role": "tool", "tool_call_id": "x", "content": "a"},
            Message(Role.TOOL, (ToolResult("x", "", (Text("a", at("/content")),), plain=True),)),
        ),
        (
            {"role": "function", "name": "read", "content": [{"type": "glow"}]},
            Message(Role.TOOL, (ToolResult("", "read", (StandIn("[unsupported block: glow]", at("/content/0")),)),)),
        ),
        ({"role": "wizard", "content": "a"}, Message(Role.META, (), carried={"role": "wizard"})),
        ({}, Message(Role.META, (), carried={"role": None})),
    ],
)
def test_messages(message: JsonObject, expected: Message) -> None:
    assert decode_message(message, NOWHERE) == expected
