from __future__ import annotations

import pytest

from sessionkit.core.model import Block, Inline, Media, MediaKind, Message, Role, Shell, Text, Thinking, ToolCall, ToolResult
from sessionkit.ops.compact.saying import says

PICTURE = Media(MediaKind.IMAGE, Inline("AAAA"))


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ((), ""),
        ((Text("  look\n\tat it "), PICTURE, Text("now")), "look at it now"),
        ((Text("x" * 999),), "x" * 200),
        ((Text(" " * 10_000), Text(" " * 10_000 + "late")), "late"),
        ((Shell("make test", "ok"),), "make test"),
        ((Thinking("hm"), ToolCall("1", "read", {}), ToolCall("2", "edit", {})), "read(…), edit(…)"),
        ((ToolResult("1", "read", (Text("secret"),)), ToolResult("2", "", ())), "result of read, result"),
        ((PICTURE, Media(MediaKind.DOCUMENT, Inline("AAAA"))), "image, document"),
    ],
)
def test_how_a_message_begins(blocks: tuple[Block, ...], expected: str) -> None:
    assert says(Message(Role.USER, blocks)) == expected
