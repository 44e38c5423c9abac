"""Messages of Anthropic in the neutral model."""

from __future__ import annotations

import pytest

from sessionkit.core.dialects.anthropic import decode_blocks, decode_message
from sessionkit.core.model import (
    NOWHERE,
    Block,
    Inline,
    Media,
    MediaKind,
    Origin,
    Role,
    StandIn,
    StopReason,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unsupported,
    Uri,
    Usage,
)

AT = Origin(pointer="/0")
SOURCE = {"type": "base64", "media_type": "image/png", "data": "QUJD"}


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ({"type": "text", "text": "a"}, [Text("a", AT)]),
        ({"type": "text", "text": "a", "citations": [1], "cache_control": {}}, [Text("a", AT, {"citations": [1]})]),
        ({"type": "image", "source": SOURCE}, [Media(MediaKind.IMAGE, Inline("QUJD"), "image/png", origin=AT)]),
        ({"type": "image", "source": {"data": "QUJD"}}, [Media(MediaKind.IMAGE, Inline("QUJD"), origin=AT)]),
        ({"type": "image", "source": {"type": "base64", "data": None}}, [Media(MediaKind.IMAGE, Inline(""), origin=AT)]),
        (
            {"type": "image", "source": {"type": "url", "url": "https://h/a"}},
            [Media(MediaKind.IMAGE, Uri("https://h/a"), origin=AT, carried={"source": {"type": "url", "url": "https://h/a"}})],
        ),
        (
            {"type": "document", "title": "T", "source": {"type": "file", "file_id": "f"}},
            [Media(MediaKind.DOCUMENT, Uri("f"), name="T", origin=AT, carried={"source": {"type": "file", "file_id": "f"}})],
        ),
        (
            {"type": "document", "title": "T", "source": {"type": "base64", "media_type": "application/pdf", "data": "QUJD"}},
            [Media(MediaKind.DOCUMENT, Inline("QUJD"), "application/pdf", name="T", origin=AT)],
        ),
        ({"type": "document", "source": {"type": "text", "data": "plain"}}, [Text("plain", AT)]),
        (
            {
                "type": "document",
                "source": {"type": "content", "content": [{"type": "text", "text": "x"}, {"type": "image", "source": SOURCE}]},
            },
            [
                Text("x", Origin(pointer="/0/source/content/0")),
                Media(MediaKind.IMAGE, Inline("QUJD"), "image/png", origin=Origin(pointer="/0/source/content/1")),
            ],
        ),
        ({"type": "thinking", "thinking": "t", "signature": "s"}, [Thinking("t", "s", origin=AT)]),
        ({"type": "redacted_thinking", "data": "d"}, [Thinking("", "d", redacted=True, origin=AT)]),
        ({"type": "tool_use", "id": "c", "name": "n", "input": {"b": 1, "a": 2}}, [ToolCall("c", "n", {"b": 1, "a": 2}, origin=AT)]),
        ({"type": "tool_result", "tool_use_id": "c"}, [ToolResult("c", "", (), origin=AT)]),
        (
            {"type": "tool_result", "tool_use_id": "c", "content": "x", "is_error": True},
            [ToolResult("c", "", (Text("x", Origin(pointer="/0/content")),), is_error=True, plain=True, origin=AT)],
        ),
        ({"type": "glow", "x": 1}, [Unsupported("glow", AT, {"type": "glow", "x": 1})]),
        ({"text": "no type"}, [Unsupported("", AT, {"text": "no type"})]),
    ],
)
def test_block(block: dict[str, object], expected: list[Block]) -> None:
    assert decode_blocks([block], NOWHERE) == (tuple(expected), False)


def test_what_cannot_stand_in_a_result_is_named_there() -> None:
    [result], _ = decode_blocks([{"type": "tool_result", "tool_use_id": "c", "content": [{"type": "tool_reference"}]}], NOWHERE)
    assert isinstance(result, ToolResult)
    assert [block.text for block in result.content if isinstance(block, Text)] == ["[unsupported block: tool_reference]"]
    assert [type(block) for block in result.content] == [StandIn]


@pytest.mark.parametrize(
    ("content", "roles", "plain"),
    [
        ("hi", [Role.USER], True),
        (None, [Role.USER], False),
        ([], [Role.USER], False),
        ([{"type": "text", "text": "a"}], [Role.USER], False),
        ([{"type": "tool_result"}, {"type": "tool_result"}], [Role.TOOL], False),
        ([{"type": "tool_result"}, {"type": "text", "text": "a"}], [Role.TOOL, Role.USER], False),
        ([{"type": "text", "text": "a"}, {"type": "tool_result"}], [Role.USER, Role.TOOL], False),
    ],
)
def test_user_turn(content: object, roles: list[Role], plain: bool) -> None:
    messages = decode_message({"role": "user", "content": content}, NOWHERE)
    assert [message.role for message in messages] == roles
    assert messages[0].plain is plain


def test_answer() -> None:
    usage = {"input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": 3, "cache_creation_input_tokens": 4, "service_tier": "x"}
    [message] = decode_message({"role": "assistant", "content": [], "model": "m", "stop_reason": "end_turn", "usage": usage}, NOWHERE)
    assert message.usage == Usage(input=1, output=2, cache_read=3, cache_write=4)
    assert (message.stop_reason, message.model and message.model.model) == (StopReason.STOP, "m")


def test_a_usage_that_cannot_be() -> None:
    [message] = decode_message({"role": "assistant", "content": [], "usage": {"input_tokens": 1, "output_tokens": -2}}, NOWHERE)
    assert message.usage is None


def test_unknown_role_is_carried() -> None:
    [message] = decode_message({"role": "critic", "content": "x"}, NOWHERE)
    assert (message.role, message.carried) == (Role.META, {"role": "critic"})


def test_nesting_has_an_end() -> None:
    block: dict[str, object] = {"type": "text", "text": "deep"}
    for _ in range(2000):
        block = {"type": "tool_result", "content": [{"type": "document", "source": {"type": "content", "content": [block]}}]}
    [result], _ = decode_blocks([block], NOWHERE)
    assert isinstance(result, ToolResult)
    assert [block.text for block in result.content if isinstance(block, Text)] == ["[unsupported block: tool_result]"]
