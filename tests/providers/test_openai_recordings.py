"""Items of Codex go out as they were recorded."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from sessionkit.core.dialects.codex import decode_item
from sessionkit.core.model import NOWHERE, Media, MediaKind, Message, Role, Text, ToolCall, ToolResult
from sessionkit.providers.base import OpenAIDetail, Prompt, Style, Target
from sessionkit.providers.openai_responses import OpenAIResponses
from tests.providers.prompts import png, result, sent, sent_messages, tool, user

JsonObject = dict[str, Any]
TARGET = Target("openai", "openai-responses", "gpt-4.1")
RESPONSES = OpenAIResponses()

RECORDED: list[dict[str, Any]] = [
    {"type": "message", "id": "msg_1", "role": "developer", "content": "Be brief."},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}]},
    {
        "type": "message",
        "role": "user",
        "content": [
            {"type": "input_text", "text": "<image>"},
            {"type": "input_image", "image_url": "data:image/png;base64,QUJD", "detail": "high"},
            {"type": "input_text", "text": "</image>"},
            {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERg=="},
            {"type": "input_image", "file_id": "file-1"},
            {"type": "input_image", "image_url": "https://h/a.png"},
            {"type": "input_audio", "input_audio": {"id": "x"}},
        ],
    },
    {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "t"}], "encrypted_content": "gAAA"},
    {"type": "message", "status": "completed", "id": "msg_2", "role": "assistant", "phase": "commentary", "content": "b"},
    {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "b", "annotations": [{"url": "u"}]}, {"type": "output_text", "text": "c"}],
    },
    {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]},
    {"type": "function_call", "status": "completed", "id": "fc_1", "name": "n", "arguments": '{ "a": 1 }', "call_id": "c1"},
    {"type": "custom_tool_call", "id": "ctc_1", "name": "sh", "input": "ls", "call_id": "c2"},
    {"type": "local_shell_call", "id": "lsh_1", "call_id": "c3", "status": "completed", "action": {"type": "exec", "command": ["ls"]}},
    {"type": "function_call_output", "id": "fco_1", "call_id": "c1", "output": "a"},
    {"type": "function_call_output", "call_id": "c1", "output": ""},
    {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}]},
    {
        "type": "custom_tool_call_output",
        "call_id": "c2",
        "name": "sh",
        "output": [
            {"type": "input_image", "image_url": "data:image/png;base64,QUJD", "detail": "original"},
            {"type": "encrypted_content", "encrypted_content": "gAAA"},
        ],
    },
    {
        "type": "computer_call_output",
        "call_id": "c5",
        "output": {"type": "computer_screenshot", "image_url": "data:image/png;base64,QUJD"},
    },
    {"type": "tool_search_output", "call_id": "c4", "tools": [{"type": "function", "name": "n"}]},
    {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "q"}},
    {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": "QUJD"},
    {"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAA"},
]


@pytest.mark.parametrize("item", RECORDED)
def test_items_come_back(item: JsonObject) -> None:
    [written] = sent_messages(RESPONSES, TARGET, decode_item(item, NOWHERE))
    assert json.dumps(written) == json.dumps(item)


CALL: JsonObject = {"type": "function_call", "id": "fc_1", "name": "n", "arguments": "{}", "call_id": "a:1"}
OUTPUT: JsonObject = {"type": "function_call_output", "id": "fco_1", "call_id": "a:1", "output": [{"type": "input_text", "text": "a"}]}


def test_another_id_of_a_call() -> None:
    [call] = decode_item(CALL, NOWHERE).content
    [given] = decode_item(OUTPUT, NOWHERE).content
    assert isinstance(call, ToolCall)
    assert isinstance(given, ToolResult)
    messages = (Message(Role.ASSISTANT, (replace(call, id="a_1"),)), Message(Role.TOOL, (replace(given, call_id="a_1"),)))
    assert sent_messages(RESPONSES, TARGET, *messages) == [{**CALL, "call_id": "a_1"}, {**OUTPUT, "call_id": "a_1"}]


def test_what_was_put_into_them() -> None:
    """Placeholders, corrected types, and texts that lost something."""
    image = {"type": "input_image", "image_url": "data:image/jpg;base64,QUJD", "detail": "high"}
    message = decode_item({"type": "message", "role": "user", "content": [image, {"type": "input_text", "text": "a\ud800"}]}, NOWHERE)
    picture, words = message.content
    assert isinstance(picture, Media)
    assert isinstance(words, Text)
    changed = replace(message, content=(replace(picture, media_type="image/jpeg"), replace(words, text="a"), Text("(image omitted)")))
    [written] = sent_messages(RESPONSES, TARGET, changed)
    assert written["content"] == [
        {"type": "input_image", "image_url": "data:image/jpeg;base64,QUJD", "detail": "high"},
        {"type": "input_text", "text": "a"},
        {"type": "input_text", "text": "(image omitted)"},
    ]


def test_an_image_that_turned_out_to_be_a_document() -> None:
    image = {"type": "input_image", "image_url": "data:image/png;base64,JVBERg==", "detail": "high"}
    [picture] = decode_item({"role": "user", "content": [image]}, NOWHERE).content
    assert isinstance(picture, Media)
    document = replace(picture, kind=MediaKind.DOCUMENT, media_type="application/pdf")
    [written] = sent_messages(RESPONSES, TARGET, user(document))
    assert written["content"] == [{"type": "input_file", "filename": "document.pdf", "file_data": "data:application/pdf;base64,JVBERg=="}]


def test_a_result_that_was_made_up_has_the_type_of_its_call() -> None:
    call = decode_item({"type": "custom_tool_call", "name": "sh", "input": "ls", "call_id": "t1"}, NOWHERE)
    _, given, other = sent_messages(RESPONSES, TARGET, call, tool(result("t1"), result("t2")))
    assert (given["type"], other["type"]) == ("custom_tool_call_output", "function_call_output")


def test_a_message_that_another_speaks_now() -> None:
    message = decode_item({"type": "message", "role": "assistant", "content": []}, NOWHERE)
    [written] = sent_messages(RESPONSES, TARGET, replace(message, role=Role.USER, content=(png(),)))
    assert written["role"] == "user"
    assert "type" not in written


@pytest.mark.parametrize(("model", "role"), [("gpt-5.2-codex", "developer"), ("gpt-4.1", "system")])
def test_instructions_that_were_not_recorded_as_an_item(model: str, role: str) -> None:
    message = Message(Role.SYSTEM, (Text("Be brief."),), plain=True)
    assert sent_messages(RESPONSES, replace(TARGET, model=model), message) == [{"role": role, "content": "Be brief."}]


def test_detail_that_is_asked_for() -> None:
    message = decode_item({"role": "user", "content": [{"type": "input_image", "image_url": "https://h/a.png", "detail": "high"}]}, NOWHERE)
    body = json.loads(sent(RESPONSES, Prompt((message,)), TARGET, Style(detail=OpenAIDetail.LOW)))
    assert body["input"][0]["content"][0]["detail"] == "low"


def test_media_of_an_item_of_an_unknown_type_are_no_items() -> None:
    message = decode_item({"type": "glow", "shot": "data:image/png;base64,iVBORw0KGgo="}, NOWHERE)
    assert [type(block) for block in message.content][1:] == [Media]
    assert sent_messages(RESPONSES, TARGET, message) == [{"type": "glow", "shot": None}]
