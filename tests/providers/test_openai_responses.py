"""Prompts as OpenAI's Responses API takes them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.core.model import Media, MediaKind, Message, Origin, Text, Thinking, ToolCall, ToolResult, Uri
from sessionkit.providers.base import OpenAIDetail, Prompt, Style, Target
from sessionkit.providers.openai_responses import CodexResponses, OpenAIResponses
from tests.providers.prompts import EXAMPLE, PDF, assistant, call, placed, png, result, sent, sent_messages, tool, user

if TYPE_CHECKING:
    from sessionkit.core.model import Json

JsonObject = dict[str, Any]
TARGET = Target("openai", "openai-responses", "gpt-4.1")
RESPONSES = OpenAIResponses()
IMAGE: JsonObject = {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,QUJD"}
DOCUMENT: JsonObject = {"type": "input_file", "filename": "document.pdf", "file_data": "data:application/pdf;base64,JVBERg=="}
REASONING: JsonObject = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"}


def text(value: str) -> dict[str, Json]:
    return {"type": "input_text", "text": value}


def answer(value: str, id_: str, **more: str) -> Json:
    content: Json = [{"type": "output_text", "text": value, "annotations": []}]
    return {"type": "message", "role": "assistant", "content": content, "status": "completed", "id": id_, **more}


def thought(item: Json = REASONING) -> Thinking:
    return Thinking("", json.dumps(item))


def test_the_order_of_members() -> None:
    image = '{"type":"input_image","detail":"auto","image_url":"data:image/png;base64,QUJD"}'
    assert sent(RESPONSES, EXAMPLE, TARGET) == (
        '{"model":"gpt-4.1","input":[{"role":"system","content":"Be brief."},'
        f'{{"role":"user","content":[{{"type":"input_text","text":"old:"}},{image},{{"type":"input_text","text":"what changed?"}}]}},'
        '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Reading.","annotations":[]}],'
        '"status":"completed","id":"msg_pi_1"},'
        '{"type":"function_call","call_id":"t1","name":"read","arguments":"{\\"path\\":\\"a.png\\"}"},'
        '{"type":"function_call","call_id":"t2","name":"read","arguments":"{\\"path\\":\\"b.png\\"}"},'
        '{"type":"function_call_output","call_id":"t1","output":'
        f'[{{"type":"input_text","text":"Read image file [image/png]"}},{image}]}},'
        '{"type":"function_call_output","call_id":"t2","output":"no such file"}],"store":false,'
        '"tools":[{"type":"function","name":"read","description":"Reads a file.","parameters":'
        '{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},"strict":false}]}'
    )


def test_nothing_but_messages() -> None:
    body = sent(RESPONSES, Prompt((user(Text("hi"), plain=True),)), Target("openai", "openai-responses"))
    assert json.loads(body) == {"model": "MODEL", "input": [{"role": "user", "content": [text("hi")]}], "store": False}


def test_reasoning_models_are_told_by_a_developer() -> None:
    body = json.loads(sent(RESPONSES, Prompt((), "Be brief."), Target("openai", "openai-responses", "gpt-5.2")))
    assert body["input"] == [{"role": "developer", "content": "Be brief."}]


@pytest.mark.parametrize(
    ("blocks", "items"),
    [
        ((Text("a"), Text("b"), Text("c")), [answer("a", "msg_pi_0"), answer("b", "msg_pi_0_1"), answer("c", "msg_pi_0_2")]),
        ((Text("a", carried={"textSignature": '{"v":1,"id":"msg_1"}'}),), [answer("a", "msg_1")]),
        (
            (Text("a", carried={"textSignature": '{"v":1,"id":"msg_1","phase":"commentary"}'}), Text("b")),
            [answer("a", "msg_1", phase="commentary"), answer("b", "msg_pi_0_1")],
        ),
        ((Text("a", carried={"textSignature": "msg_1"}),), [answer("a", "msg_1")]),
        ((Text("a", carried={"textSignature": '{"v":1'}),), [answer("a", "msg_pi_0")]),
        ((Text("a", carried={"textSignature": '{"v":1,"id":5}'}),), [answer("a", "msg_pi_0")]),
        ((Text("a", carried={"textSignature": f'{{"v":1,"id":"{"m" * 64}"}}'}),), [answer("a", "m" * 64)]),
        (
            (thought(), Text("a"), thought({**REASONING, "id": "rs_2"}), call("c", "n")),
            [
                REASONING,
                answer("a", "msg_pi_0"),
                {**REASONING, "id": "rs_2"},
                {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{}"},
            ],
        ),
        ((Text("a"), thought()), [answer("a", "msg_pi_0")]),
        ((Thinking("t", "reasoning_content"), Thinking("t"), thought([]), Text("a")), [answer("a", "msg_pi_0")]),
        (
            (ToolCall("c", "n", {}, '{ "a": 1 }', carried={"id": "fc_1"}), ToolCall("d", "n", {}, carried={"id": "other"})),
            [
                {"type": "function_call", "id": "fc_1", "call_id": "c", "name": "n", "arguments": '{ "a": 1 }'},
                {"type": "function_call", "call_id": "d", "name": "n", "arguments": "{}"},
            ],
        ),
    ],
)
def test_turns(blocks: tuple[Text | Thinking | ToolCall, ...], items: list[Json]) -> None:
    assert sent_messages(RESPONSES, TARGET, assistant(*blocks)) == items


def test_ids_that_are_too_long_are_shortened_and_stay_apart() -> None:
    texts = [Text("a", carried={"textSignature": json.dumps({"v": 1, "id": f"msg_{'m' * 64}{end}"})}) for end in "abba\ud800"]
    ids = [item["id"] for text in texts for item in sent_messages(RESPONSES, TARGET, assistant(text))]
    assert all(id_.startswith("msg_") and len(id_) <= 64 for id_ in ids)
    assert [ids.index(id_) for id_ in ids] == [0, 1, 1, 0, 4]


def test_ids_count_every_message_and_every_result() -> None:
    items = sent_messages(
        RESPONSES, TARGET, user(Text("a")), assistant(call("t1"), call("t2")), tool(result("t1"), result("t2")), assistant(Text("b"))
    )
    assert items[-1] == answer("b", "msg_pi_4")


@pytest.mark.parametrize(("block", "include"), [(thought(), {"include": ["reasoning.encrypted_content"]}), (Thinking("t", "s"), {})])
def test_encrypted_reasoning_is_asked_for_where_it_is_sent(block: Thinking, include: JsonObject) -> None:
    body = json.loads(sent(RESPONSES, Prompt((assistant(block, Text("a")),)), TARGET))
    del body["model"], body["input"]
    assert body == {"store": False, **include}


@pytest.mark.parametrize(
    ("media", "part"),
    [
        (PDF, DOCUMENT),
        (replace(PDF, name="a.pdf"), {**DOCUMENT, "filename": "a.pdf"}),
        (replace(png(), carried={"detail": "low"}), {**IMAGE, "detail": "low"}),
        (replace(png(), carried={"detail": ["low"]}), IMAGE),
        (Media(MediaKind.IMAGE, Uri("https://h/a.png")), {**IMAGE, "image_url": "https://h/a.png"}),
        (
            Media(MediaKind.IMAGE, Uri("file-1"), carried={"file_id": "file-1"}),
            {"type": "input_image", "detail": "auto", "file_id": "file-1"},
        ),
        (Media(MediaKind.DOCUMENT, Uri("file-1"), carried={"file_id": "file-1"}), {"type": "input_file", "file_id": "file-1"}),
        (Media(MediaKind.DOCUMENT, Uri("https://h/a.pdf")), {"type": "input_file", "file_url": "https://h/a.pdf"}),
    ],
)
def test_media(media: Media, part: Json) -> None:
    asked, given = sent_messages(RESPONSES, TARGET, user(media), tool(result("t1", media)))
    assert asked == {"role": "user", "content": [part]}
    assert given == {"type": "function_call_output", "call_id": "t1", "output": [part]}


def test_detail_that_is_asked_for() -> None:
    image = replace(png(), carried={"detail": "low"})
    body = json.loads(sent(RESPONSES, Prompt((user(image),)), TARGET, Style(detail=OpenAIDetail.HIGH)))
    assert body["input"][0]["content"][0]["detail"] == "high"


@pytest.mark.parametrize(
    ("held", "output"),
    [
        ((), "(no tool output)"),
        ((Text("a"), Text("b")), "a\nb"),
        ((png(),), [IMAGE]),
        ((Text("a"), Text("b"), png(), png(), Text("c"), PDF), [text("a\nb"), IMAGE, IMAGE, text("c"), DOCUMENT]),
    ],
)
def test_result(held: tuple[Text | Media, ...], output: Json) -> None:
    [written] = sent_messages(RESPONSES, TARGET, tool(result("t1", *held, is_error=True)))
    assert written == {"type": "function_call_output", "call_id": "t1", "output": output}


def at(pointer: str) -> Origin:
    return Origin(pointer=pointer)


def test_every_part_knows_where_it_comes_from() -> None:
    image = replace(png(), origin=at("/image"))
    given = ToolResult("t1", "read", (Text("a", at("/a")), Text("b", at("/b")), image), origin=at("/result"))
    messages = (
        user(Text("a", at("/text"))),
        assistant(Text("b", at("/said")), replace(thought(), origin=at("/thought")), ToolCall("t1", "read", {}, origin=at("/call"))),
        tool(given),
    )
    assert placed(RESPONSES, TARGET, *(replace(message, origin=at(f"/{number}")) for number, message in enumerate(messages))) == {
        "0": "/0",
        "0.content.0": "/text",
        "1": "/said",
        "2": "/thought",
        "3": "/call",
        "4": "/result",
        "4.output.0": "/a",
        "4.output.1": "/image",
    }


def test_settings_of_codex() -> None:
    target = Target("openai-codex", "openai-codex-responses", "gpt-5.2-codex")
    body = json.loads(sent(CodexResponses(), EXAMPLE, target))
    assert [*body] == [
        "model",
        "input",
        "store",
        "stream",
        "text",
        "include",
        "prompt_cache_key",
        "tool_choice",
        "parallel_tool_calls",
        "tools",
    ]
    assert (body["text"], body["include"], body["tool_choice"]) == ({"verbosity": "low"}, ["reasoning.encrypted_content"], "auto")
    assert (body["store"], body["stream"], body["parallel_tool_calls"]) == (False, True, True)
    assert body["input"] == json.loads(sent(RESPONSES, EXAMPLE, target))["input"]


def cache_key(*messages: Message, system: str = "") -> Json:
    key: Json = json.loads(sent(CodexResponses(), Prompt(messages, system), TARGET))["prompt_cache_key"]
    return key


def test_the_cache_key_stays_while_a_conversation_grows() -> None:
    assert cache_key(user(Text("a"))) == cache_key(user(Text("a")), assistant(Text("b")))
    assert len({cache_key(user(Text("a"))), cache_key(user(Text("b"))), cache_key(user(Text("a")), system="s"), cache_key()}) == 4
