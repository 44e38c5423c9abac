"""Plain files: messages of any provider, one or a whole conversation on a line."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import UsageError
from sessionkit.formats.plain import Plain
from tests.formats.outlines import JsonObject, outline, read, rebuild, skips
from tests.formats.wires import FIXTURES

if TYPE_CHECKING:
    from pathlib import Path

PICTURE = "data:image/png;base64,iVBORw0KGgo="
IMAGES: list[JsonObject] = [
    {"type": "image_url", "image_url": {"url": PICTURE}},
    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}},
    {"type": "input_image", "image_url": PICTURE},
    {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}},
    {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"},
]
READ = '{"path": "a.png"}'


@pytest.mark.parametrize(
    ("case", "told"),
    [
        (
            "chat",
            [
                "system: You review pages.",
                "user: What is this? | <image image/png>",
                'assistant: read call_1 {"path": "a.webp"}',
                "tool: call_1=<image image/webp>",
                "assistant: Two gradients.",
            ],
        ),
        (
            "anthropic",
            [
                "user: Read the page and the report. | <image image/jpeg> | <document application/pdf>",
                'assistant: read toolu_1 {"path": "a.png"}',
                "tool: toolu_1=<image image/png>",
                "user: Figure 1 | <image image/gif>",
                "assistant: The figure is a gradient.",
            ],
        ),
        (
            "responses",
            [
                "user: Look at a.png | <image image/png>",
                'assistant: view_image call_1 {"path": "b.png"}',
                "tool: call_1=<image image/png>",
                "assistant: <image None>",
                "assistant: Drawn anew.",
            ],
        ),
        (
            "gemini-contents",
            [
                "user: Describe it. | <image image/png>",
                'assistant: read_file  {"path": "b.jpg"}',
                "tool: =ok | <image image/jpeg>",
                "user: And this. | <image image/gif>",
                "assistant: A chequered square.",
            ],
        ),
    ],
)
def test_each_provider(case: str, told: list[str]) -> None:
    conversation = read(FIXTURES / "plain" / case / "session.jsonl")
    assert (outline(conversation), skips(conversation)) == (told, [])


FIRST = ["user: Which fruit? | <image image/jpeg>", "assistant: An apple."]
SECOND = ["user: Which fruit? | <image image/png>", "assistant: A pear."]


def test_conversations_of_their_own_are_strung_together() -> None:
    conversation = read(FIXTURES / "plain" / "fine-tuning" / "session.jsonl")
    assert outline(conversation) == FIRST + SECOND
    assert skips(conversation) == [
        "1: 2 lines are conversations of their own, read one after the other: choose one by the number of its line"
    ]


@pytest.mark.parametrize(("leaf", "told"), [("1", FIRST), ("2", SECOND)])
def test_one_of_them_is_chosen_by_its_line(leaf: str, told: list[str]) -> None:
    conversation = read(FIXTURES / "plain" / "fine-tuning" / "session.jsonl", leaf)
    assert (outline(conversation), skips(conversation)) == (told, [])


def user(*content: object) -> JsonObject:
    return {"role": "user", "content": [{"type": "text", "text": part} if isinstance(part, str) else part for part in content]}


@pytest.mark.parametrize(
    ("lines", "leaf", "why"),
    [
        ([{"messages": [user("1")]}, {"messages": [user("2")]}], "3", "2 lines are conversations of their own"),
        ([{"messages": [user("1")]}], "one", "1 lines are conversations of their own"),
        ([user("1"), user("2")], "1", "all its lines are one conversation"),
        ([], "1", "all its lines are one conversation"),
    ],
)
def test_no_such_line(lines: list[JsonObject], leaf: str, why: str) -> None:
    with pytest.raises(UsageError) as caught:
        rebuild(Plain(), *lines, leaf=leaf)
    assert caught.value.why == why


@pytest.mark.parametrize("image", IMAGES)
@pytest.mark.parametrize("role", ["user", "tool"])
def test_any_block_in_any_message(role: str, image: JsonObject) -> None:
    start = {"user": "user: ", "tool": "tool: x="}[role]
    line = user(image, "a") | {"role": role, "tool_call_id": "x"}
    assert outline(rebuild(Plain(), line)) == [f"{start}<image image/png> | a"]


@pytest.mark.parametrize(
    ("line", "told", "skipped"),
    [
        ({"body": {"model": "m", "messages": [user("1")]}, "custom_id": "x"}, ["user: 1"], []),
        ({"params": {"system": "S", "messages": [user("1")]}}, ["system: S", "user: 1"], []),
        ({"params": {"system": [{"type": "text", "text": "S"}], "messages": []}}, ["system: S"], []),
        ({"request": {"contents": [{"role": "user", "parts": [{"text": "1"}]}]}}, ["user: 1"], []),
        (
            {"request": {"systemInstruction": {"parts": [{"text": "S"}]}, "contents": [{"parts": [{"text": "1"}]}]}},
            ["system: S", "user: 1"],
            [],
        ),
        ({"body": {"instructions": "S", "input": [{"role": "user", "content": "1"}]}}, ["system: S", "user: 1"], []),
        (
            {"input": {"messages": [user("1")]}, "preferred_output": [{"role": "assistant", "content": "2"}], "non_preferred_output": []},
            ["user: 1", "assistant: 2"],
            ["1: the answer that was not preferred"],
        ),
        ({"messages": [user("1"), "odd"]}, ["user: 1"], []),
        ({"level": "info"}, [], ["1: neither a message nor a conversation"]),
        ({"role": "wizard", "content": "x"}, ["meta:"], ["1: message of the unknown role wizard"]),
        (user({"type": "glow", "x": 1}), ["user: ?glow"], ["1: block of the unknown type glow"]),
        ({"role": "user", "content": None}, ["user:"], []),
        ({"role": "user", "content": "1"}, ["user: 1"], []),
        ({"role": "user", "content": {"type": "text", "text": "1"}}, ["user: 1"], []),
        ({"role": "developer", "content": "1"}, ["system: 1"], []),
        ("not JSON: cut", [], ["1: not JSON: cut"]),
    ],
)
def test_odd_lines(line: JsonObject | str, told: list[str], skipped: list[str]) -> None:
    conversation = rebuild(Plain(), line)
    assert (outline(conversation), skips(conversation)) == (told, skipped)


def test_tools_of_a_request() -> None:
    assert rebuild(Plain(), {"messages": [user("1")], "tools": [{"name": "read"}]}).tools == ({"name": "read"},)


def test_an_image_in_the_definition_of_a_tool_is_read(tmp_path: Path) -> None:
    """Elsewhere long ones stay in the file; of a definition everybody expects JSON."""
    data = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(3000)).decode()
    tool = {"name": "draw", "parameters": {"examples": [{"image_url": f"data:image/png;base64,{data}"}, {"type": "image", "data": data}]}}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"messages": [user("1")], "tools": [tool]}))
    assert read(path, name=str(path)).tools == (tool,)
    added = {"role": "system", "content": "", "toolsAdded": [tool]}
    head = {"type": "session", "version": 3, "id": "s", "cwd": "/"}
    path.write_text(
        "".join(f"{json.dumps(entry)}\n" for entry in [head, {"type": "message", "id": "1", "parentId": None, "message": added}])
    )
    assert read(path).tools == (tool,)


def test_results_get_the_names_of_their_calls() -> None:
    call = {"id": "x", "type": "function", "function": {"name": "read", "arguments": READ}}
    lines: list[JsonObject | str] = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "x", "content": "ok"},
    ]
    result = rebuild(Plain(), *lines).messages[1].content[0]
    assert getattr(result, "name", None) == "read"
