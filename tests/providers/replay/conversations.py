"""Conversations as bad as they come, with media that are real, broken, missing or elsewhere."""

from __future__ import annotations

import base64
from typing import Any

from hypothesis import strategies as st

from sessionkit.core.assets import AssetName
from sessionkit.core.model import (
    Conversation,
    Inline,
    Media,
    MediaKind,
    Message,
    Model,
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
    UserKind,
)
from tests.pictures import animation, picture

_SMALL = (4, 3)
_BYTES = (*(picture(kind, size=_SMALL) for kind in ("PNG", "JPEG", "GIF", "BMP")), animation("GIF"), b"%PDF-1.4\n%%EOF\n", b"?", b"")
_PRIVATE = {"thoughtSignature": "c2ln", "textSignature": "msg_1", "id": "i", "status": "completed"}

texts = st.sampled_from(["", " \n", "a", "看图", "😀\ud83d", "x\ud800y"])
ids = st.sampled_from(["", "a", "b", "a:1", "a_1", "call_1|fc_2", "call_1|fc_3", "x" * 50, "x" * 70])
names = st.sampled_from(["read", "list"])
carried = st.sampled_from([{}, {}, _PRIVATE])
sources = st.sampled_from(
    [*(Inline(base64.b64encode(data).decode()) for data in _BYTES), Inline("?"), Uri("https://h/a"), Stored(AssetName("0" * 64, "png"))]
)
declared = [None, "image/png", "image/jpg", "audio/mp3"]
media = st.builds(
    Media, st.sampled_from(MediaKind), sources, st.sampled_from([None, "image/png", "image/jpg", "audio/mp3"]), carried=carried
)
arguments = st.none() | texts | st.dictionaries(texts, texts | st.floats(allow_nan=False), max_size=2)
calls = st.builds(ToolCall, ids, names, arguments, carried=carried)
said = st.builds(Text, texts, carried=carried)
results = st.builds(ToolResult, ids, names | st.just(""), st.lists(said | media, max_size=3).map(tuple), st.booleans(), carried=carried)
thoughts = st.builds(Thinking, texts, st.sampled_from(["", "c2ln"]), carried=carried)
others = st.builds(Shell, texts, texts, excluded=st.booleans()) | st.builds(Unsupported, texts)
blocks = st.one_of(said, media, calls, results, thoughts, others)
models = st.sampled_from([None, Model("v", "anthropic-messages", "m"), Model("v", "google-generative-ai", "gemini-3")])


def _messages(role: Role, block: st.SearchStrategy[Any]) -> st.SearchStrategy[Message]:
    return st.builds(
        Message,
        st.just(role),
        st.lists(block, max_size=3).map(tuple),
        kind=st.sampled_from(UserKind) if role is Role.USER else st.just(UserKind.PROMPT),
        stop_reason=st.none() | st.none() | st.sampled_from(StopReason),
        model=models,
        carried=carried,
    )


_likely = {
    Role.USER: said | media,
    Role.ASSISTANT: st.one_of(said, thoughts, calls, calls),
    Role.TOOL: results,
}
messages = st.one_of(
    *(_messages(role, block) for role, block in _likely.items()),
    st.sampled_from(Role).flatmap(lambda role: _messages(role, blocks)),
)
formats = st.sampled_from(["pi", "claude-code", "native", "plain", "codex"])
conversations = st.builds(Conversation, formats, st.lists(messages, max_size=8).map(tuple))
"""Of any format, though no session of theirs could be so bad."""
