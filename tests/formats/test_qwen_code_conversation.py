"""qwen-code: what the model sees of a session, held against what qwen-code sent, and of sessions that are odd."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Model, Usage
from sessionkit.errors import UsageError
from sessionkit.formats.qwen_code import QwenCode
from tests.formats.outlines import JsonObject, outline, read, rebuild, skips
from tests.formats.wires import FIXTURES, LEFT_OUT, Piece, held, sent

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.model import Conversation

GREETING = [("system", LEFT_OUT), ("user", LEFT_OUT), ("assistant", "Got it. Thanks for the context!")]
IMAGE: JsonObject = {"inlineData": {"data": "iVBORw0KGgo=", "mimeType": "image/png"}}


def without_greeting(pieces: list[Piece]) -> list[Piece]:
    """The prompt, and a pair of messages that tells the surroundings, are built at each request and never recorded."""
    assert pieces[: len(GREETING)] == GREETING
    return pieces[len(GREETING) :]


@pytest.mark.parametrize(("lines", "wire"), [(27, "qwen-code-before-compression-openai-chat"), (37, "qwen-code-compacted-openai-chat")])
def test_what_qwen_code_sent_next(lines: int, wire: str, tmp_path: Path) -> None:
    session = tmp_path / "session.jsonl"
    content = (FIXTURES / "qwen-code" / "compacted" / "session.jsonl").read_bytes()
    session.write_bytes(b"".join(content.splitlines(keepends=True)[:lines]))
    assert held(read(session)) == without_greeting(sent(wire))


def test_a_leaf_before_the_compression_is_the_history_that_it_replaced() -> None:
    session = FIXTURES / "qwen-code" / "compacted" / "session.jsonl"
    assert held(read(session, "ee74af20-b0a4-43e1-9ea8-967133c8d7b8")) == without_greeting(sent("qwen-code-before-compression-openai-chat"))


@pytest.mark.parametrize(
    ("leaf", "told"),
    [
        (None, ["user: Compare the icons. | <image image/png>", "user: Look at this one instead. | <image image/webp>"]),
        (
            "q5",
            [
                "user: Compare the icons. | <image image/png>",
                'assistant: (I read them.) | read_file call_1 {"file_path": "old.gif"} | read_file call_2 {"file_path": "gone.webp"}',
                "tool: call_1=<image image/gif>",
                "tool: call_2!File not found.",
                "assistant: One is missing.",
            ],
        ),
    ],
)
def test_branches(leaf: str | None, told: list[str]) -> None:
    conversation = read(FIXTURES / "qwen-code" / "fragments" / "session.jsonl", leaf)
    assert (outline(conversation), skips(conversation)) == (told, [])


def test_records_glued_together_are_read_one_by_one(tmp_path: Path) -> None:
    session = tmp_path / "session.jsonl"
    content = (FIXTURES / "qwen-code" / "fragments" / "session.jsonl").read_text()
    session.write_text(content.replace("\n", ""))
    assert held(read(session, "q5")) == held(read(FIXTURES / "qwen-code" / "fragments" / "session.jsonl", "q5"))


def test_fragments_give_their_last_usage_and_first_model() -> None:
    answer = read(FIXTURES / "qwen-code" / "fragments" / "session.jsonl", "q2").messages[1]
    assert answer.usage == Usage(input=600, output=25, cache_read=100, total=725)
    assert answer.model == Model("qwen", "openai-completions", "qwen3.5-plus")
    assert [block.origin.pointer for block in answer.content] == [
        "/message/parts/0",
        "/message/parts/0/functionCall",
        "/message/parts/1/functionCall",
    ]


def test_unknown_leaf() -> None:
    with pytest.raises(UsageError, match="no entry has the id 'x'"):
        rebuild(QwenCode(), *linked(user("1")), leaf="x")


def linked(*records: JsonObject) -> list[JsonObject]:
    """Records a, b, c … each of which follows the one before, unless it says otherwise."""
    ids = [chr(ord("a") + at) for at in range(len(records))]
    chained = zip(ids, [None, *ids], records, strict=False)
    return [{"uuid": id_, "parentUuid": parent, "sessionId": "s"} | record for id_, parent, record in chained]


def record(type_: str, role: str, *parts: object) -> JsonObject:
    return {"type": type_, "message": {"role": role, "parts": [{"text": part} if isinstance(part, str) else part for part in parts]}}


def user(*parts: object) -> JsonObject:
    return record("user", "user", *parts)


def system(subtype: str, **payload: object) -> JsonObject:
    return {"type": "system", "subtype": subtype, "systemPayload": payload}


def compression(*texts: str, **info: object) -> JsonObject:
    contents = [{"role": "user", "parts": [{"text": text}, IMAGE]} for text in texts]
    return system("chat_compression", compressedHistory=contents, info=info)


@pytest.mark.parametrize(
    ("records", "told", "skipped"),
    [
        ([], [], []),
        ([user("1"), system("rewind"), user("2"), system("custom_title")], ["user: 1", "user: 2"], []),
        ([user("1"), user("2"), {"parentUuid": "a"} | user("3")], ["user: 1", "user: 3"], []),
        (
            [user("1"), {"parentUuid": "gone"} | user("2")],
            ["user: 2"],
            ["1: root of another tree, out of reach of this branch", "2: its parent gone is missing: 1 earlier entry is out of reach"],
        ),
        ([{"parentUuid": "b"} | user("1"), user("2")], ["user: 1", "user: 2"], ["1: its parents run in a circle: entry b comes again"]),
        (
            [user("1"), {"uuid": "a"} | user("2", IMAGE), {"parentUuid": "a"} | user("3")],
            ["user: 1 | 2 | <image image/png>", "user: 3"],
            [],
        ),
        ([user("1"), {"sessionId": "t"} | user("2")], ["user: 1", "user: 2"], ["2: record of another session, t"]),
        ([user("1"), {"type": "shiny", "message": None}], ["user: 1"], ["2: entry of the unknown type shiny"]),
        ([user("1"), record("mid_turn_user_message", "user", "2")], ["user: 1", "user: 2"], []),
        ([user("1"), record("realtime_message", "user", "2")], ["user: 1"], []),
        ([{"type": "assistant", "message": {"parts": [{"text": "1"}]}}], ["assistant: 1"], []),
        ([{"type": "user", "message": "1"}, {"type": "user", "message": {"role": "user", "parts": "2"}}], ["user: 2"], []),
        ([record("user", "wizard", "1")], ["meta:"], ["1: message of the unknown role wizard"]),
        ([user({"executableCode": {"code": "1"}})], ["user: ?executableCode"], ["1: block of the unknown type executableCode"]),
        ([user("1"), compression("S"), user("2")], ["user: S | <image image/png>", "user: 2"], []),
        ([user("1"), compression("S"), compression("T"), user("2")], ["user: T | <image image/png>", "user: 2"], []),
        ([user("1"), compression(), user("2")], ["user: 1", "user: 2"], []),
        ([system("agent_bootstrap", history=[{"role": "user", "parts": [{"text": "1"}]}]), user("2")], ["user: 1", "user: 2"], []),
    ],
)
def test_odd_sessions(records: list[JsonObject], told: list[str], skipped: list[str]) -> None:
    conversation = rebuild(QwenCode(), *linked(*records))
    assert (outline(conversation), skips(conversation)) == (told, skipped)


def test_lines_that_are_no_records_are_passed_over() -> None:
    [first, last] = linked(user("1"), user("2"))
    conversation = rebuild(QwenCode(), first, "not JSON: cut", last, {"type": "user"})
    assert (outline(conversation), skips(conversation)) == (["user: 1", "user: 2"], ["2: not JSON: cut"])


def usages(conversation: Conversation) -> list[Usage | None]:
    return [message.usage for message in conversation.messages]


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"promptTokenCount": 9, "candidatesTokenCount": 2, "totalTokenCount": 11}, Usage(input=9, output=2, total=11)),
        ({"promptTokenCount": 9}, Usage(input=9, total=9)),
        ({}, Usage()),
        (None, None),
    ],
)
def test_usage(usage: object, expected: Usage | None) -> None:
    answer = record("assistant", "model", "1") | {"usageMetadata": usage}
    assert usages(rebuild(QwenCode(), *linked(answer))) == [expected]


def test_size_after_a_compression_is_an_estimate() -> None:
    assert usages(rebuild(QwenCode(), *linked(compression("S", "T", newTokenCount=7)))) == [None, Usage(total=7, estimated=True)]
