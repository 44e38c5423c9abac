from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.core.dialects.responses import decode_block, decode_item
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


def image(pointer: str = "", **carried: Json) -> Media:
    return Media(MediaKind.IMAGE, Inline("iVBORw0KGgo="), "image/png", origin=at(pointer), carried=carried)


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ({"type": "input_text", "text": "a"}, Text("a")),
        ({"type": "output_text", "text": "a", "annotations": []}, Text("a")),
        ({"type": "output_text", "text": "a", "annotations": [{"url": "u"}]}, Text("a", carried={"annotations": [{"url": "u"}]})),
        ({"type": "refusal", "refusal": "no"}, Text("no", carried={"type": "refusal"})),
        ({"type": "input_image", "image_url": PNG, "detail": "high"}, image(detail="high")),
        ({"type": "input_image", "image_url": None}, Media(MediaKind.IMAGE, Inline(""))),
        ({"type": "input_image", "image_url": "http://host/a.png"}, Media(MediaKind.IMAGE, Uri("http://host/a.png"))),
        ({"type": "input_image", "file_id": "file-1"}, Media(MediaKind.IMAGE, Uri("file-1"), carried={"file_id": "file-1"})),
        (
            {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERi0="},
            Media(MediaKind.DOCUMENT, Inline("JVBERi0="), "application/pdf", name="a.pdf"),
        ),
        ({"type": "input_file", "file_url": "https://a"}, Media(MediaKind.DOCUMENT, Uri("https://a"), carried={"file_url": "https://a"})),
        ({"type": "glow", "x": 1}, Unsupported("glow", carried={"type": "glow", "x": 1})),
    ],
)
def test_blocks(block: JsonObject, expected: object) -> None:
    assert tuple(decode_block(block, NOWHERE)) == (expected,)


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (
            {"type": "message", "role": "assistant", "id": "m", "content": [{"type": "output_text", "text": "a"}]},
            Message(Role.ASSISTANT, (Text("a", at("/content/0")),), carried={"id": "m"}),
        ),
        ({"role": "developer", "content": "a"}, Message(Role.SYSTEM, (Text("a", at("/content")),), plain=True)),
        ({"type": "message", "role": "wizard"}, Message(Role.META, (), carried={"role": "wizard"})),
        ({"type": "message"}, Message(Role.META, (), carried={"role": None})),
        (
            {"type": "image_generation_call", "id": "i", "result": "iVBORw0KGgo="},
            Message(
                Role.ASSISTANT, (Media(MediaKind.IMAGE, Inline("iVBORw0KGgo="), carried={"type": "image_generation_call", "id": "i"}),)
            ),
        ),
        (
            {"type": "web_search_call", "id": "w"},
            Message(Role.ASSISTANT, (Unsupported("web_search_call", carried={"type": "web_search_call", "id": "w"}),)),
        ),
        (
            {"type": "glow", "shots": [PNG]},
            Message(Role.ASSISTANT, (Unsupported("glow", carried={"type": "glow", "shots": [None]}), image("/shots/0"))),
        ),
    ],
)
def test_items(item: JsonObject, expected: Message) -> None:
    assert decode_item(item, NOWHERE) == expected


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (
            {"type": "function_call", "id": "f", "call_id": "x", "name": "read", "arguments": '{"a":1}'},
            ToolCall("x", "read", {"a": 1}, '{"a":1}', carried={"id": "f"}),
        ),
        (
            {"type": "custom_tool_call", "call_id": "x", "name": "sh", "input": "{}"},
            ToolCall("x", "sh", "{}", "{}", carried={"type": "custom_tool_call"}),
        ),
        (
            {"type": "local_shell_call", "call_id": "x", "action": {"command": ["ls"]}},
            ToolCall("x", "local_shell", {"command": ["ls"]}, carried={"type": "local_shell_call"}),
        ),
        ({"type": "function_call", "call_id": "x", "name": "read"}, ToolCall("x", "read", {})),
    ],
)
def test_calls(item: JsonObject, expected: ToolCall) -> None:
    assert decode_item(item, NOWHERE) == Message(Role.ASSISTANT, (expected,))


def result(*content: Text | Media, plain: bool = False, is_error: bool = False) -> ToolResult:
    return ToolResult("x", "", content, is_error, plain)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("a", result(Text("a", at("/output")), plain=True)),
        ([{"type": "input_image", "image_url": PNG}], result(image("/output/0"))),
        (PNG, result(image("/output"))),
        ({"content": "a", "success": False}, result(Text("a", at("/output/content")), plain=True, is_error=True)),
        ({"content": "a"}, result(Text("a", at("/output/content")), plain=True)),
        ({"type": "computer_screenshot", "image_url": PNG}, result(image("/output"))),
        (None, result()),
        ([{"type": "glow"}], result(StandIn("[unsupported block: glow]", at("/output/0")))),
    ],
)
def test_results(output: object, expected: ToolResult) -> None:
    item: JsonObject = {"type": "function_call_output", "call_id": "x", "output": output}
    assert decode_item(item, NOWHERE) == Message(Role.TOOL, (expected,))


def test_result_of_another_kind_of_call_carries_its_type() -> None:
    item: JsonObject = {"type": "custom_tool_call_output", "call_id": "x", "output": "a"}
    [found] = decode_item(item, NOWHERE).content
    assert isinstance(found, ToolResult)
    assert found.carried == {"type": "custom_tool_call_output"}


SUMMARY = [{"type": "summary_text", "text": "a"}, {"type": "summary_text", "text": "b"}]


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ({"summary": []}, ""),
        ({"summary": SUMMARY}, "a\n\nb"),
        ({"summary": SUMMARY, "content": [{"type": "reasoning_text", "text": "c"}]}, "c"),
    ],
)
def test_reasoning_carries_what_must_be_replayed(more: JsonObject, text: str) -> None:
    item: JsonObject = {"type": "reasoning", "id": "r", "encrypted_content": "gAAA"} | more
    [thinking] = decode_item(item, NOWHERE).content
    assert thinking == Thinking(text, "gAAA", carried={"type": "reasoning", "id": "r"} | more)
