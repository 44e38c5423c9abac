"""Claude Code: what the model sees of a session, held against what it sent, and of sessions that are odd."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Role
from sessionkit.errors import UsageError
from sessionkit.formats.claude_code import ClaudeCode
from tests.formats.outlines import JsonObject, outline, read, rebuild, skips
from tests.formats.wires import FIXTURES, LEFT_OUT, Piece, held, sent

if TYPE_CHECKING:
    from collections.abc import Callable


def without_system(pieces: list[Piece]) -> list[Piece]:
    """Attachments go out as messages of the system, whose texts are made when they are sent."""
    return [piece for piece in pieces if piece[0] != "system"]


def without_reminder(pieces: list[Piece]) -> list[Piece]:
    """A reminder is put at the head of the first message when it is sent."""
    assert pieces[0] == ("user", LEFT_OUT)
    return pieces[1:]


def without_last_line_ends(pieces: list[Piece]) -> list[Piece]:
    """Texts that are merged into one message get a line end."""
    return [(role, text.removesuffix("\n")) for role, text in pieces]


@pytest.mark.parametrize(
    ("case", "leaf", "wire", "differences"),
    [
        ("session", "30aa0818-986f-4341-b9b0-c06885b4b396", "claude-code-session-anthropic", [without_system, without_reminder]),
        (
            "compacted",
            "6efce5ff-9adf-4e9d-9448-0b2ff0b83d36",
            "claude-code-compacted-anthropic",
            [without_system, without_reminder, without_last_line_ends],
        ),
    ],
)
def test_what_claude_code_sent_next(case: str, leaf: str, wire: str, differences: list[Callable[[list[Piece]], list[Piece]]]) -> None:
    pieces = sent(wire)
    for difference in differences:
        pieces = difference(pieces)
    assert held(read(FIXTURES / "claude-code" / case / "session.jsonl", leaf)) == pieces


def test_compaction_tells_what_it_kept() -> None:
    [summary] = [
        message for message in read(FIXTURES / "claude-code" / "compacted" / "session.jsonl").messages if message.role is Role.COMPACTION
    ]
    assert (summary.kept, summary.tokens_before) == (1, 1242)


def test_everything_beside_the_chain() -> None:
    conversation = read(FIXTURES / "claude-code" / "parallel" / "session.jsonl")
    assert outline(conversation) == [
        "compaction+2: The pages were compared.",
        "user: Which one is newer?",
        "assistant: The second one.",
        "user: Read both icons.",
        "assistant: (Two of them.)",
        'assistant: Read toolu_1 {"file_path": "a.png"}',
        'assistant: Read toolu_2 {"file_path": "b.gif"}',
        "tool: toolu_1=<image image/png>",
        "tool: toolu_2=<image image/gif>",
        "user/note: [Image: original 16x10, displayed at 8x5.]",
        "user/note: And this one? | <image image/png>",
        "assistant: The same but for the colour.",
    ]
    assert skips(conversation) == []


def test_usage_counts_once_for_the_blocks_of_a_reply() -> None:
    conversation = read(FIXTURES / "claude-code" / "parallel" / "session.jsonl")
    billed = [message.usage and message.usage.sum for message in conversation.messages if message.role is Role.ASSISTANT]
    assert billed == [12, None, None, 1250, 1300]


def link(id_: str, parent: str | None, **more: object) -> JsonObject:
    return {"uuid": id_, "parentUuid": parent, "type": "user", "sessionId": "s", "isSidechain": False} | more


def user(id_: str, parent: str | None, content: object = None, **more: object) -> JsonObject:
    return link(id_, parent, message={"role": "user", "content": content or id_}, **more)


def assistant(id_: str, parent: str | None, *blocks: JsonObject, reply: str = "", **more: object) -> JsonObject:
    content = list(blocks) or [{"type": "text", "text": id_}]
    return link(id_, parent, type="assistant", message={"role": "assistant", "id": reply or id_, "content": content}, **more)


def call(id_: str) -> JsonObject:
    return {"type": "tool_use", "id": id_, "name": "T", "input": {}}


def result(id_: str) -> list[JsonObject]:
    return [{"type": "tool_result", "tool_use_id": id_, "content": f"of {id_}"}]


def boundary(id_: str, **metadata: object) -> JsonObject:
    return link(id_, None, type="system", subtype="compact_boundary", compactMetadata=metadata)


@pytest.mark.parametrize(
    ("lines", "told", "skipped"),
    [
        ([], [], []),
        ([{"type": "mode", "sessionId": "s"}], [], []),
        ([user("1", None), assistant("2", "1")], ["user: 1", "assistant: 2"], []),
        ([user("1", None), user("2", "1"), user("3", "1")], ["user: 1", "user: 3"], []),
        ([user("1", "x"), user("2", "1")], ["user: 1", "user: 2"], ["1: its parent x is missing"]),
        ([user("1", "2"), user("2", "1")], ["user: 1", "user: 2"], ["1: its parents run in a circle: entry 2 comes again"]),
        ([user("1", None), user("1", None, "again")], ["user: again"], ["1: entry of the same id on line 2 takes its place"]),
        ([user("1", None), user("2", None)], ["user: 2"], []),
        (
            [user("1", None), user("2", None), user("3", None)],
            ["user: 3"],
            ["2: root of another tree, out of reach of this branch"],
        ),
        ([user("1", None), user("2", "1", isMeta=True)], ["user: 1", "user/note: 2"], []),
        ([user("1", None), user("2", "1"), user("3", "1", isMeta=True)], ["user: 1", "user: 2"], []),
        ([user("1", None), user("2", "1"), user("3", "1", isSidechain=True)], ["user: 1", "user: 2"], []),
        ([user("1", None, isSidechain=True), assistant("2", "1", isSidechain=True)], ["user: 1", "assistant: 2"], []),
        ([user("1", None), user("2", "1", isSidechain=True), user("3", "2")], ["user: 1", "user: 3"], []),
        ([user("1", None), link("2", "1", type="shiny"), user("3", "2")], ["user: 1", "user: 3"], ["2: entry of the unknown type shiny"]),
        ([user("1", None), {"type": "brand-new"}], ["user: 1"], ["2: entry of the unknown type brand-new"]),
        ([user("1", None), assistant("2", "1", isApiErrorMessage=True)], ["user: 1"], []),
        ([user("1", None), link("2", "1")], ["user: 1"], ["2: entry without a message"]),
        ([user("1", None), user("2", "1", sessionId="t")], ["user: 1", "user: 2"], []),
        ([user("1", None, sessionId="t"), user("2", None)], ["user: 2"], ["1: records of another session, t"]),
        ([assistant("1", None, {"type": "sparkle"})], ["assistant: ?sparkle"], ["1: block of the unknown type sparkle"]),
    ],
)
def test_odd_chains(lines: list[JsonObject], told: list[str], skipped: list[str]) -> None:
    conversation = rebuild(ClaudeCode(), *lines)
    assert outline(conversation) == told
    assert skips(conversation) == skipped


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        pytest.param(
            [
                assistant("1", None, call("a"), reply="r"),
                assistant("2", "1", call("b"), reply="r"),
                user("3", "1", result("a")),
                user("4", "2", result("b")),
            ],
            ["assistant: T a {}", "assistant: T b {}", "tool: a=of a", "tool: b=of b"],
            id="first result off the chain",
        ),
        pytest.param(
            [
                assistant("1", None, call("a"), reply="r"),
                assistant("2", "1", call("b"), reply="r"),
                user("3", "2", result("b")),
                user("4", "1", result("a")),
                user("5", "3"),
            ],
            ["assistant: T a {}", "assistant: T b {}", "tool: b=of b", "tool: a=of a", "user: 5"],
            id="second result off the chain",
        ),
        pytest.param(
            [
                assistant("1", None, call("a"), reply="r"),
                assistant("2", None, call("b"), reply="r"),
                user("3", "2", result("b")),
                user("4", "1", result("a")),
            ],
            ["assistant: T a {}", "assistant: T b {}", "tool: b=of b", "tool: a=of a"],
            id="a call off the chain",
        ),
        pytest.param(
            [
                assistant("1", None, call("a"), reply="r"),
                assistant("copy", "1", call("a"), reply="r"),
                user("3", "1", result("a")),
                user("4", "1", result("a")),
            ],
            ["assistant: T a {}", "tool: a=of a"],
            id="copies do not count",
        ),
        pytest.param(
            [assistant("1", None, call("a"), call("b")), user("2", "1", [*result("a"), {"type": "text", "text": "note"}, *result("b")])],
            ["assistant: T a {} | T b {}", "tool: a=of a", "user: note", "tool: b=of b"],
            id="text between results",
        ),
    ],
)
def test_parallel_calls(lines: list[JsonObject], told: list[str]) -> None:
    assert outline(rebuild(ClaudeCode(), *lines)) == told


def test_a_chain_is_the_same_whether_or_not_it_is_the_whole_session() -> None:
    calls = assistant("2", "1", call("a")), assistant("3", "2", call("b"), reply="2")
    whole = [user("1", None), *calls, user("4", "3", result("a")), user("5", "4", result("b")), assistant("6", "5")]
    aside = link("x", None, type="progress")
    assert outline(rebuild(ClaudeCode(), *whole)) == outline(rebuild(ClaudeCode(), aside, *whole))


OLD = [
    user("1", None),
    assistant("2", "1", call("a"), reply="r"),
    assistant("3", "2", call("b"), reply="r"),
    user("4", "2", result("a")),
    user("5", "3", result("b")),
]


def summary(parent: str = "B") -> JsonObject:
    return user("S", parent, isCompactSummary=True)


@pytest.mark.parametrize(
    ("lines", "told", "skipped"),
    [
        ([boundary("B"), summary()], ["compaction: S"], []),
        (
            [boundary("B", preservedMessages={"anchorUuid": "S", "uuids": ["1"]}), summary(), user("6", "S")],
            ["compaction+1: S", "user: 1", "user: 6"],
            [],
        ),
        ([boundary("B", preservedMessages={"anchorUuid": "S", "uuids": []}), summary()], ["compaction: S"], []),
        (
            [boundary("B", preservedMessages={"anchorUuid": "S", "uuids": ["x", "1"]}), summary()],
            ["compaction+1: S", "user: 1"],
            ["6: the entry x, which it kept, is missing"],
        ),
        (
            [boundary("B", preservedMessages={"anchorUuid": "lost", "uuids": ["1"]}), summary()],
            ["compaction+1: S", "user: 1"],
            [],
        ),
        (
            [boundary("B", preservedSegment={"anchorUuid": "S", "headUuid": "2", "tailUuid": "5"}), summary()],
            ["compaction+4: S", "assistant: T a {}", "assistant: T b {}", "tool: a=of a", "tool: b=of b"],
            [],
        ),
        (
            [boundary("B", preservedSegment={"anchorUuid": "S", "headUuid": "x", "tailUuid": "5"}), summary()],
            ["compaction: S"],
            ["6: no chain leads from 5 up to x, which it kept"],
        ),
        ([boundary("B"), summary(), boundary("C"), summary("C") | {"uuid": "T"}], ["compaction: S"], []),
        ([link("B", "5", type="system", subtype="compact_boundary"), summary()], ["compaction: S"], []),
    ],
)
def test_compactions(lines: list[JsonObject], told: list[str], skipped: list[str]) -> None:
    conversation = rebuild(ClaudeCode(), *OLD, *lines)
    assert outline(conversation) == told
    assert skips(conversation) == skipped


def test_another_leaf_is_another_branch() -> None:
    lines = [user("1", None), user("2", "1"), user("3", "1")]
    assert outline(rebuild(ClaudeCode(), *lines, leaf="2")) == ["user: 1", "user: 2"]
    with pytest.raises(UsageError, match="no entry has the id 'x'"):
        rebuild(ClaudeCode(), *lines, leaf="x")
