"""Conversations as no agent would write them: any block in any message, and whatever can be wrong with it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from sessionkit.core.model import (
    Conversation,
    Inline,
    Media,
    MediaKind,
    Message,
    Model,
    Origin,
    Role,
    Shell,
    StopReason,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unsupported,
    Uri,
    UserKind,
)
from tests.pictures import animation, heic, picture
from tests.providers.bodies import PNG, SCHEMA, encoded

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from sessionkit.core.model import Block, Json, MediaSource

PDF = b"%PDF-1.7\n%%EOF\n"
GOOD = [PNG, picture("PNG", size=(9, 5)), picture("JPEG"), picture("WEBP"), picture("GIF", "P")]
"""Pictures that every interface takes."""
ODD = [animation("GIF"), heic((1, 1)), picture("BMP"), picture("AVIF"), PDF, b"<svg/>", b"hello", PNG[:50], PNG[:8], b"GIF89a", b"OggS"]
CONTENTS = [*GOOD, *ODD]
SPELLINGS = ["", "A", "not base64", f"{encoded(PNG)[:40]}\r\n{encoded(PNG)[40:]}", encoded(PNG + b"x").rstrip("="), "iVBORw0KGgo-_-_"]
URIS = ["https://host/a.png", "gs://bucket/a.png", "images/0.png", "sandbox:/x", "\ud83d"]
LABELS = ["image/png", "image/jpeg", "image/jpg", "IMAGE/PNG; x=1", "application/pdf", "audio/wav", "text/plain", "junk", "", None]
TEXTS = ["", " \n\t", "\u3000", "hello", "two\nlines", "看图", "\ud83d", "a\udc00b", "\ud83d\ude00", "\0", "(see attached image)"]
IDS = ["t1", "t2", "t3", "a:1", "a_1", "", "x" * 41, "x" * 70, "x" * 70 + ":", "call_1|fc_1", "call_1|fc_2", "call_1|msg_1", "\ud83d", "ü"]
NAMES = ["read", "mcp__write"]
SIGNATURES = [
    "",
    "sig",
    "c2lnbmF0dXJl",
    "\ud83d",
    *(json.dumps({"type": "reasoning", "id": f"rs_{number}", "summary": []}) for number in (1, 2)),
]
TEXT_SIGNATURES = ["sig", "msg_1", "msg_pi_1", '{"v":1,"id":"msg_2","phase":"commentary"}', json.dumps({"id": "msg_" + "m" * 80})]
MODELS = [
    Model("anthropic", "anthropic-messages", "claude-fable-5"),
    Model("openai", "openai-completions", "gpt-5.4"),
    Model("openai", "openai-responses", "gpt-5.4"),
    Model("openai-codex", "openai-codex-responses", "gpt-5.4"),
    Model("google", "google-generative-ai", "gemini-3-pro"),
    Model("google", "google-generative-ai", "gemini-2.5-pro"),
    Model("mistral", "mistral-conversations", "large"),
]
TOOLS: list[Json] = [
    {"name": "read", "description": "Reads.", "parameters": SCHEMA},
    {"name": "write", "input_schema": {**SCHEMA, "title": "Write", "anyOf": [], "$defs": {}}},
    {"type": "function", "function": {"name": "list", "parameters": SCHEMA, "strict": True}},
    {"type": "function", "name": "find", "parameters": None, "description": "\ud83d"},
    {
        "functionDeclarations": [
            {"name": "run", "parameters": {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}},
            {"name": "stop"},
        ]
    },
    {"name": "bare", "description": ""},
    {"type": "web_search_20250305", "name": "web_search"},
]
FORMATS = ["pi", "native", "claude-code", "qwen-code", "gemini-cli", "plain"]

texts = st.sampled_from(TEXTS) | st.text(max_size=6)
_carried: SearchStrategy[dict[str, Json]] = st.fixed_dictionaries(
    {},
    optional={
        "textSignature": st.sampled_from(TEXT_SIGNATURES),
        "thoughtSignature": st.sampled_from(SIGNATURES[:4]),
        "id": st.sampled_from(["fc_1", "item"]),
        "detail": st.sampled_from(["high", "junk", None]),
    },
)
sources: SearchStrategy[MediaSource] = st.sampled_from([*map(encoded, CONTENTS), *SPELLINGS]).map(Inline)
_kinds, _labels = st.sampled_from(MediaKind), st.sampled_from(LABELS)
payloads = st.builds(Media, _kinds, sources, _labels, name=st.sampled_from(["", "a.pdf"]), carried=_carried)
"""Media as bytes, most of which are another thing than their label says."""
references = st.one_of(
    st.builds(Media, _kinds, st.sampled_from(URIS).map(Uri), _labels),
    st.builds(Media, _kinds, st.just(Uri("file-1")), _labels, carried=st.just({"file_id": "file-1"})),
    st.builds(Media, _kinds, st.just(Uri(URIS[0])), carried=st.just({"source": {"type": "url", "url": URIS[0]}})),
    st.builds(Media, _kinds, st.just(Uri("gs://bucket/a.png")), _labels, origin=st.just(Origin(pointer="/parts/0/fileData"))),
)
"""Media that others resolve: an address, a file of OpenAI's, a source of Anthropic's, a file of Google's."""
media = payloads | payloads | payloads | references
spoken = st.builds(Text, texts, carried=_carried)
_json: SearchStrategy[Json] = st.recursive(
    texts | st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=3,
)
calls = st.builds(
    ToolCall, st.sampled_from(IDS), st.sampled_from(NAMES), _json, st.none() | st.sampled_from(["{}", '{"a":1}']), carried=_carried
)
results = st.builds(
    ToolResult,
    st.sampled_from(IDS),
    st.sampled_from([*NAMES, ""]),
    st.lists(spoken | media, max_size=3).map(tuple),
    st.booleans(),
    carried=_carried,
)
thoughts = st.builds(Thinking, texts, st.sampled_from(SIGNATURES), st.booleans())
shells = st.builds(Shell, texts, texts, st.none() | st.integers(0, 2), excluded=st.booleans(), cancelled=st.booleans())
unknown = st.builds(Unsupported, st.sampled_from(["", "video_call"]), carried=_carried)
_likely = {
    Role.USER: spoken | media | spoken | shells,
    Role.ASSISTANT: spoken | calls | thoughts | media | calls,
    Role.TOOL: results,
}
anything = spoken | media | calls | results | thoughts | shells | unknown


def _messages(role: Role) -> SearchStrategy[Message]:
    blocks = _likely.get(role, spoken)
    return st.builds(
        Message,
        st.just(role),
        st.lists(blocks | blocks | blocks | anything, max_size=4).map(tuple),
        kind=st.sampled_from(UserKind),
        plain=st.booleans(),
        stop_reason=st.sampled_from([None, None, StopReason.STOP, StopReason.TOOL_USE, StopReason.ERROR, StopReason.ABORTED]),
        model=st.sampled_from(MODELS) if role is Role.ASSISTANT else st.none(),
        kept=st.integers(0, 2),
        carried=_carried,
    ).map(_signed_by_its_model)


def _signed_by_its_model(message: Message) -> Message:
    """Only Google's models sign so; the others' signatures have another name."""
    if message.model and message.model.provider == "google":
        return message
    return replace(message, content=tuple(map(_without_signature, message.content)))


def _without_signature(block: Block) -> Block:
    if not isinstance(block, Text):
        return block
    return replace(block, carried={name: value for name, value in block.carried.items() if name != "thoughtSignature"})


_roles = [Role.USER, Role.ASSISTANT, Role.ASSISTANT, Role.TOOL, Role.TOOL, *Role]
wild_messages = st.lists(st.one_of(*map(_messages, _roles)), max_size=8).map(tuple)
_tools = st.lists(st.sampled_from(range(len(TOOLS))), max_size=3, unique=True).map(lambda places: tuple(TOOLS[place] for place in places))
wild_conversations = st.builds(Conversation, st.sampled_from(FORMATS), wild_messages, tools=_tools)
"""Any mix: most of what it says of calls and results makes no sense."""
