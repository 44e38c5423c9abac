"""Codex's items carry themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.core.dialects import responses
from sessionkit.core.dialects.codex import decode_item, forgetting, recorded
from sessionkit.core.model import NOWHERE, Media, Message, Text, Thinking, ToolCall, ToolResult, Unsupported

if TYPE_CHECKING:
    from sessionkit.core.model import Json

JsonObject = dict[str, Any]
PNG = "data:image/png;base64,iVBORw0KGgo="
ASSET = {"asset_path": f"images/{'0' * 64}.png", "width": 1, "height": 1, "asset_prefix": "data:image/png;base64,"}
SPILLED = {"type": "input_image", **ASSET, "asset_field": "image_url", "detail": "high"}


def carrier(item: JsonObject) -> Message | Text | Media | Thinking | ToolCall | ToolResult:
    message = decode_item(item, NOWHERE)
    [block] = message.content
    return message if "role" in item else block  # type: ignore[return-value]  # neither unsupported nor a command


@pytest.mark.parametrize(
    ("item", "members"),
    [
        (
            {
                "type": "message",
                "status": "s",
                "id": "msg",
                "role": "user",
                "content": "a",
                "internal_chat_message_metadata_passthrough": {},
            },
            {"type": "message", "status": "s", "id": "msg", "role": "user", "content": None},
        ),
        ({"role": "user", "content": "a", "id": None, "content_item_kinds": ["user.text"]}, {"role": "user", "content": None}),
        (
            {"type": "function_call", "id": "fc", "name": "n", "namespace": "s", "arguments": "{}", "call_id": "x", "status": None},
            {"type": "function_call", "id": "fc", "name": "n", "namespace": "s", "arguments": "{}", "call_id": "x"},
        ),
        (
            {"type": "local_shell_call", "call_id": "x", "action": {"command": ["ls"], "env": None}},
            {"type": "local_shell_call", "call_id": "x", "action": {"command": ["ls"], "env": None}},
        ),
        (
            {"type": "function_call_output", "call_id": "x", "output": "a"},
            {"type": "function_call_output", "call_id": "x", "output": None},
        ),
        (
            {
                "type": "reasoning",
                "id": "rs",
                "summary": [],
                "content": [{"type": "reasoning_text", "text": "t"}],
                "encrypted_content": "g",
            },
            {
                "type": "reasoning",
                "id": "rs",
                "summary": [],
                "content": [{"type": "reasoning_text", "text": "t"}],
                "encrypted_content": "g",
            },
        ),
        ({"type": "compaction", "encrypted_content": "g"}, {"type": "compaction", "encrypted_content": "g"}),
        (
            {"type": "image_generation_call", "id": "i", "result": "iVBORw0KGgo=", "status": "s"},
            {"type": "image_generation_call", "id": "i", "result": None, "status": "s"},
        ),
        (
            {"type": "computer_call", "call_id": "x", "action": {"type": "see", "shot": PNG}},
            {"type": "computer_call", "call_id": "x", "action": {"type": "see", "shot": None}},
        ),
    ],
)
def test_items(item: JsonObject, members: JsonObject) -> None:
    found = recorded(carrier(item).carried)
    assert found == members
    assert list(found or ()) == list(members)


@pytest.mark.parametrize(
    ("part", "members"),
    [
        ({"type": "input_text", "text": "a"}, {"type": "input_text", "text": None}),
        (
            {"type": "output_text", "text": "a", "annotations": [], "logprobs": None},
            {"type": "output_text", "text": None, "annotations": []},
        ),
        ({"type": "refusal", "refusal": "a"}, {"type": "refusal", "refusal": None}),
        ({"type": "input_image", "image_url": PNG, "detail": "high"}, {"type": "input_image", "image_url": None, "detail": "high"}),
        (SPILLED, {"type": "input_image", "image_url": None, "detail": "high"}),
        ({"type": "input_image", "file_id": "file-1", "image_url": None}, {"type": "input_image", "file_id": "file-1"}),
        (
            {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERi0="},
            {"type": "input_file", "filename": "a.pdf", "file_data": None},
        ),
    ],
)
def test_parts(part: JsonObject, members: JsonObject) -> None:
    spoken = decode_item({"type": "message", "role": "user", "content": [part]}, NOWHERE)
    given = decode_item({"type": "function_call_output", "call_id": "x", "output": [part]}, NOWHERE).content[0]
    assert isinstance(given, ToolResult)
    for block in (*spoken.content, *given.content):
        assert isinstance(block, Text | Media)
        found = recorded(block.carried)
        assert found == members
        assert list(found or ()) == list(members)


def test_an_unknown_part_of_an_output_carries_itself() -> None:
    part = {"type": "encrypted_content", "encrypted_content": "g"}
    [result] = decode_item({"type": "function_call_output", "call_id": "x", "output": [part]}, NOWHERE).content
    assert isinstance(result, ToolResult)
    [text] = result.content
    assert isinstance(text, Text)
    assert text.text == "[unsupported block: encrypted_content]"
    assert recorded(text.carried) == part


def test_a_part_without_its_text() -> None:
    part = {"type": "input_text", "text": 5}
    [block] = decode_item({"role": "user", "content": [part]}, NOWHERE).content
    assert isinstance(block, Unsupported)
    assert block.carried == part


@pytest.mark.parametrize("item", [{"type": "web_search_call", "id": "w"}, {"type": "glow", "shot": PNG}])
def test_what_is_unknown_is_decoded_as_always(item: JsonObject) -> None:
    assert decode_item(item, NOWHERE) == responses.decode_item(item, NOWHERE)
    assert isinstance(decode_item(item, NOWHERE).content[0], Unsupported)


def test_what_others_wrote_has_no_members() -> None:
    assert recorded({"id": "m"}) is None


@pytest.mark.parametrize(
    "item",
    [
        {"type": "message", "id": "m", "role": "user", "content": "a"},
        {"type": "message", "id": f"msg_{'m' * 61}", "role": "user", "content": "a"},
        {"type": "message", "id": ["msg"], "role": "user", "content": "a"},
        {"type": "message", "id": "", "role": "user", "content": "a"},
        {"type": "message", "status": 1, "role": "user", "content": "a"},
        {"type": "function_call", "id": "item", "name": "n", "arguments": "{}", "call_id": "x"},
        {"type": "function_call", "name": {}, "arguments": "{}", "call_id": "x"},
        {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "g"},
    ],
)
def test_what_no_host_would_take_back_carries_nothing(item: JsonObject) -> None:
    assert recorded(carrier(item).carried) is None


def test_members_that_are_forgotten() -> None:
    carried: dict[str, Json] = {"id": "fc", "recorded": {"type": "function_call", "id": "fc"}}
    assert forgetting(carried, frozenset({"id"})) == {"id": "fc", "recorded": {"type": "function_call"}}
    assert forgetting({"id": "fc"}, frozenset({"id"})) == {"id": "fc"}
