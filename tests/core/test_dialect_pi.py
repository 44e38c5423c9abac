"""Blocks and messages of Pi in the neutral model."""

from __future__ import annotations

import pytest

from sessionkit.core.dialects.pi import decode_blocks
from sessionkit.core.dialects.pi_messages import decode_message, replace_content
from sessionkit.core.model import (
    NOWHERE,
    Block,
    Inline,
    Media,
    MediaKind,
    Origin,
    Role,
    Shell,
    StopReason,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unsupported,
    Usage,
    UserKind,
)

AT = Origin(pointer="/0")


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ({"type": "text", "text": "a"}, Text("a", AT)),
        ({"type": "text", "text": "a", "textSignature": "s"}, Text("a", AT, {"textSignature": "s"})),
        ({"type": "text"}, Unsupported("text", AT, {"type": "text"})),
        ({"type": "image", "data": "QUJD", "mimeType": "image/png"}, Media(MediaKind.IMAGE, Inline("QUJD"), "image/png", origin=AT)),
        ({"type": "image", "data": None, "mimeType": "text/html"}, Media(MediaKind.IMAGE, Inline(""), "text/html", origin=AT)),
        ({"type": "thinking", "thinking": "t", "thinkingSignature": "s"}, Thinking("t", "s", origin=AT)),
        ({"type": "thinking", "thinking": "", "thinkingSignature": "s", "redacted": True}, Thinking("", "s", redacted=True, origin=AT)),
        ({"type": "toolCall", "id": "c", "name": "n", "arguments": {"b": 1}}, ToolCall("c", "n", {"b": 1}, origin=AT)),
        (
            {"type": "toolCall", "id": "c", "name": "n", "arguments": {}, "thoughtSignature": "s"},
            ToolCall("c", "n", {}, origin=AT, carried={"thoughtSignature": "s"}),
        ),
    ],
)
def test_block(block: dict[str, object], expected: Block) -> None:
    assert decode_blocks([block], NOWHERE) == ((expected,), False)


@pytest.mark.parametrize(
    ("content", "texts", "plain"),
    [
        (None, [], False),
        ("", [""], True),
        ("a", ["a"], True),
        (["a", {"type": "text", "text": "b"}], ["a", "b"], False),
        ({"type": "text", "text": "a"}, ["a"], False),
    ],
)
def test_content(content: object, texts: list[str], plain: bool) -> None:
    blocks, is_plain = decode_blocks(content, NOWHERE)
    assert ([block.text for block in blocks if isinstance(block, Text)], is_plain) == (texts, plain)


@pytest.mark.parametrize(
    ("message", "role", "kind"),
    [
        ({"role": "system"}, Role.SYSTEM, UserKind.PROMPT),
        ({"role": "user"}, Role.USER, UserKind.PROMPT),
        ({"role": "custom"}, Role.USER, UserKind.NOTE),
        ({"role": "hookMessage"}, Role.USER, UserKind.NOTE),
        ({"role": "bashExecution"}, Role.USER, UserKind.SHELL),
        ({"role": "assistant"}, Role.ASSISTANT, UserKind.PROMPT),
        ({"role": "toolResult"}, Role.TOOL, UserKind.PROMPT),
        ({"role": "ghost"}, Role.META, UserKind.PROMPT),
        ({"role": None}, Role.META, UserKind.PROMPT),
        ({}, Role.META, UserKind.PROMPT),
    ],
)
def test_role(message: dict[str, object], role: Role, kind: UserKind) -> None:
    decoded = decode_message(message, NOWHERE)
    assert (decoded.role, decoded.kind) == (role, kind)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("stop", StopReason.STOP),
        ("length", StopReason.LENGTH),
        ("toolUse", StopReason.TOOL_USE),
        ("error", StopReason.ERROR),
        ("aborted", StopReason.ABORTED),
        ("tired", None),
        (None, None),
    ],
)
def test_stop_reason(said: object, meant: StopReason | None) -> None:
    assert decode_message({"role": "assistant", "stopReason": said}, NOWHERE).stop_reason is meant


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4, "totalTokens": 11}, Usage(1, 2, 3, 4, 11)),
        ({"input": 1, "output": 2.0, "cacheRead": None}, Usage(1, 2)),
        ({}, Usage()),
        ({"input": 1, "totalTokens": -1}, None),
        ({"input": 1, "totalTokens": float("nan")}, None),
        ({"input": float("inf"), "output": 2}, None),
        ({"input": 10**12, "output": 2}, Usage(10**12, 2)),
        ({"input": 10**12 + 1, "output": 2}, None),
        ({"input": "1", "output": 2}, None),
        ({"input": True, "output": 2}, None),
        (None, None),
        ([1], None),
    ],
)
def test_usage(usage: object, expected: Usage | None) -> None:
    assert decode_message({"role": "assistant", "usage": usage}, NOWHERE).usage == expected


def test_command() -> None:
    raw = {"role": "bashExecution", "command": "c", "output": "o", "exitCode": 2, "cancelled": True, "fullOutputPath": "/logs/o"}
    assert decode_message(raw, NOWHERE).content == (Shell("c", "o", 2, cancelled=True, truncated_to="/logs/o"),)


def test_another_content_stands_in_every_result() -> None:
    results: dict[str, object] = {
        "role": "toolResult",
        "results": [{"toolCallId": "a", "content": "x"}, {"toolCallId": "b", "content": []}],
    }
    changed = replace_content(decode_message(results, NOWHERE), "new", NOWHERE)
    texts = [[text for text in block.content if isinstance(text, Text)] for block in changed.content if isinstance(block, ToolResult)]
    assert texts == [[Text("new")], [Text("new")]]
