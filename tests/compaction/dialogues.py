"""Conversations as agents leave them: calls in flight, late, repeated and lost results, talk between results, earlier compactions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from sessionkit.core.model import Inline, Media, MediaKind, Message, Role, Shell, Text, Thinking, ToolCall, ToolResult, Uri, UserKind

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from sessionkit.core.model import Block

PAYLOAD = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
ids = st.sampled_from("abcde")
words = st.text(max_size=6) | st.sampled_from(
    ["", "a" * 40, "看图 now", "😀\ud83d", f"data:image/png;base64,{PAYLOAD}", "[image]", "r" * 2100]
)
media = st.builds(
    Media,
    st.sampled_from(MediaKind),
    st.builds(Inline, st.just(PAYLOAD)) | st.builds(Uri, st.just("gs://bucket/file")),
    st.sampled_from([None, "", "image/png", "image/jpeg", "application/pdf", "text]", "IMAGE/PNG; x=1"]),
    name=st.sampled_from(["", "login.png"]),
    carried=st.just({}),
)
texts = st.builds(Text, words, carried=st.just({}))
calls = st.builds(ToolCall, ids, st.sampled_from(["read", "edit", "bash"]), st.fixed_dictionaries({"path": words}), carried=st.just({}))
results = st.builds(
    ToolResult, ids, st.sampled_from(["read", "bash"]), st.lists(texts | media, max_size=3).map(tuple), st.booleans(), carried=st.just({})
)
thoughts = st.builds(Thinking, words, carried=st.just({}))
runs = st.builds(Shell, words, words, st.sampled_from([None, 0, 2]), st.booleans())


def _messages(role: Role, blocks: SearchStrategy[Block], **more: SearchStrategy[object]) -> SearchStrategy[Message]:
    content = st.lists(blocks, max_size=3).map(tuple)
    return st.builds(Message, st.just(role), content, carried=st.just({}), **more)


users = _messages(Role.USER, texts | media, kind=st.sampled_from([UserKind.PROMPT, UserKind.NOTE, UserKind.BRANCH_SUMMARY]))
shells = st.builds(Message, st.just(Role.USER), st.tuples(runs), kind=st.just(UserKind.SHELL), carried=st.just({}))
assistants = _messages(Role.ASSISTANT, texts | thoughts | calls | calls)
tools = _messages(Role.TOOL, results)
compactions = st.builds(Message, st.just(Role.COMPACTION), st.tuples(texts), kept=st.integers(0, 3), carried=st.just({}))
others = _messages(Role.SYSTEM, texts) | st.builds(Message, st.just(Role.META), st.just(()), carried=st.just({}))
rounds = st.tuples(assistants, tools)
dialogues = st.lists(
    rounds | rounds | st.tuples(users) | st.tuples(assistants) | st.tuples(shells) | st.tuples(others) | st.tuples(compactions), max_size=12
).map(lambda parts: tuple(message for part in parts for message in part))
"""Tuples of messages; ids of calls repeat."""
