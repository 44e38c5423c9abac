"""Conversations of any kind, for laws that hold for all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from sessionkit.core.assets import AssetName
from sessionkit.core.model import (
    Inline,
    Media,
    MediaKind,
    Message,
    Role,
    Shell,
    StopReason,
    Stored,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unsupported,
    Uri,
    Usage,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.core.model import Block, MediaSource

texts = st.text(max_size=12) | st.sampled_from(["", "abcd", "看图", "😀\ud83d", "Привет", "한국어"])
sources = st.builds(Inline, st.text("ABC", max_size=9)) | st.builds(Uri, texts)
media = st.builds(
    Media, st.sampled_from(MediaKind), sources, st.sampled_from([None, "image/png", "application/pdf", "", "junk"]), carried=st.just({})
)
arguments = st.dictionaries(texts, texts | st.integers() | st.floats() | st.none(), max_size=3)
calls = st.builds(ToolCall, texts, texts, arguments, st.none() | texts)
results = st.builds(ToolResult, texts, texts, st.lists(st.builds(Text, texts) | media, max_size=3).map(tuple))
thoughts = st.builds(Thinking, texts, st.text("S", max_size=3000))
blocks = st.builds(Text, texts) | media | calls | results | thoughts | st.builds(Shell, texts, texts) | st.builds(Unsupported, texts)
usages = st.builds(Usage, input=st.integers(0, 9), total=st.integers(0, 9), estimated=st.booleans())
messages = st.builds(
    Message,
    st.sampled_from(Role),
    st.lists(blocks, max_size=4).map(tuple),
    usage=st.none() | usages,
    stop_reason=st.none() | st.sampled_from(StopReason),
    kept=st.integers(0, 3),
)
conversations = st.lists(messages, max_size=6)

STORED = Stored(AssetName("0" * 64, "png"))


def with_source(conversation: Sequence[Message], source: MediaSource) -> list[Message]:
    """The same conversation, with its media somewhere else."""
    return [replace(message, content=tuple(_moved(block, source) for block in message.content)) for message in conversation]


def _moved(block: Block, source: MediaSource) -> Block:
    match block:
        case Media():
            return replace(block, source=source)
        case ToolResult():
            moved = (replace(part, source=source) if isinstance(part, Media) else part for part in block.content)
            return replace(block, content=tuple(moved))
        case _:
            return block
