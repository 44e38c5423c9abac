from __future__ import annotations

from typing import Any

import pytest

from sessionkit.core.dialects.gemini import decode_message, decode_part
from sessionkit.core.model import (
    NOWHERE,
    Inline,
    Media,
    MediaKind,
    Message,
    Origin,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unsupported,
    Uri,
)

JsonObject = dict[str, Any]
PNG = {"data": "iVBORw0KGgo=", "mimeType": "image/png"}


def at(pointer: str) -> Origin:
    return Origin(pointer=pointer)


def image(pointer: str, name: str = "") -> Media:
    return Media(MediaKind.IMAGE, Inline("iVBORw0KGgo="), "image/png", name=name, origin=at(pointer))


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ({"text": "a"}, Text("a")),
        ({"type": "text", "text": "a"}, Text("a")),
        ({"text": "a", "thoughtSignature": "s"}, Text("a", carried={"thoughtSignature": "s"})),
        ({"text": "a", "thought": True, "thoughtSignature": "s"}, Thinking("a", "s")),
        ({"text": "a", "thought": True}, Thinking("a")),
        ({"inlineData": PNG | {"displayName": "a.png"}}, image("/inlineData", name="a.png")),
        ({"inline_data": {"data": "iVBORw0KGgo=", "mime_type": "image/png"}}, image("/inline_data")),
        (
            {"fileData": {"fileUri": "gs://a", "mimeType": "application/pdf"}},
            Media(MediaKind.DOCUMENT, Uri("gs://a"), "application/pdf", origin=at("/fileData")),
        ),
        ({"file_data": {"file_uri": "gs://a"}}, Media(MediaKind.IMAGE, Uri("gs://a"), origin=at("/file_data"))),
        (
            {"functionCall": {"id": "x", "name": "read", "args": {"a": 1}}, "thoughtSignature": "s"},
            ToolCall("x", "read", {"a": 1}, origin=at("/functionCall"), carried={"thoughtSignature": "s"}),
        ),
        ({"function_call": {"name": "read"}}, ToolCall("", "read", {}, origin=at("/function_call"))),
        ({"executableCode": {"code": "1"}}, Unsupported("executableCode", carried={"executableCode": {"code": "1"}})),
        ({"inlineData": None}, Unsupported("inlineData", carried={"inlineData": None})),
        ({}, Unsupported("")),
    ],
)
def test_parts(part: JsonObject, expected: object) -> None:
    assert tuple(decode_part(part, NOWHERE)) == (expected,)


HERE = "/functionResponse/response"


def result(*content: Text | Media, plain: bool = False, is_error: bool = False) -> ToolResult:
    return ToolResult("x", "read", content, is_error, plain, at("/functionResponse"))


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ({"output": "a"}, result(Text("a", at(HERE)), plain=True)),
        ({"output": ""}, result()),
        ({}, result()),
        (None, result()),
        ({"error": "a"}, result(Text("a", at(HERE)), plain=True, is_error=True)),
        ({"output": "a", "b": 1}, result(Text('{"output":"a","b":1}', at(HERE)), plain=True)),
        ({"output": "data:image/png;base64,iVBORw0KGgo="}, result(image(f"{HERE}/output"))),
        ({"output": {"shot": PNG, "n": 1.0}}, result(Text('{"output":{"shot":null,"n":1}}', at(HERE)), image(f"{HERE}/output/shot"))),
        (
            {"content": [{"type": "image", **PNG}, {"type": "text", "text": "a"}, {"type": "glow"}]},
            result(image(f"{HERE}/content/0"), Text("a", at(f"{HERE}/content/1")), Text('{"type":"glow"}', at(f"{HERE}/content/2"))),
        ),
    ],
)
def test_what_a_tool_said(response: object, expected: ToolResult) -> None:
    part: JsonObject = {"functionResponse": {"id": "x", "name": "read", "response": response}}
    assert tuple(decode_part(part, NOWHERE)) == (expected,)


def test_parts_of_results_at_any_depth() -> None:
    parts: object = [{"inlineData": PNG}]
    for _ in range(5000):
        parts = [{"functionResponse": {"name": "inner", "parts": parts}}]
    [found] = decode_part({"functionResponse": {"name": "read", "parts": parts}}, NOWHERE)
    assert isinstance(found, ToolResult)
    assert [type(block) for block in found.content] == [Media]


def test_responses_may_be_deep() -> None:
    response: object = PNG
    for _ in range(5000):
        response = [response]
    [found] = decode_part({"functionResponse": {"name": "read", "response": {"output": response}}}, NOWHERE)
    assert isinstance(found, ToolResult)
    assert [type(block) for block in found.content] == [Text, Media]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"role": "model", "parts": [{"text": "a"}]}, [Message(Role.ASSISTANT, (Text("a", at("/parts/0")),))]),
        ({"parts": {"text": "a"}}, [Message(Role.USER, (Text("a", at("/parts")),))]),
        ({"role": "system", "parts": "a"}, [Message(Role.SYSTEM, (Text("a", at("/parts")),))]),
        ({"role": "user", "parts": []}, [Message(Role.USER, ())]),
        ({"role": "user"}, [Message(Role.USER, ())]),
        ({"role": "wizard", "parts": []}, [Message(Role.META, (), carried={"role": "wizard"})]),
    ],
)
def test_contents(content: JsonObject, expected: list[Message]) -> None:
    assert list(decode_message(content, NOWHERE)) == expected


def test_images_behind_a_result_belong_to_it_and_texts_do_not() -> None:
    response = {"functionResponse": {"name": "read", "response": {}}}
    parts = [{"text": "a"}, response, {"inlineData": PNG}, response, {"inlineData": PNG}, {"text": "b"}, {"inlineData": PNG}]
    messages = decode_message({"role": "user", "parts": parts}, NOWHERE)
    assert [(message.role, len(message.content)) for message in messages] == [(Role.USER, 1), (Role.TOOL, 2), (Role.USER, 2)]
    assert [len(block.content) for block in messages[1].content if isinstance(block, ToolResult)] == [1, 1]
