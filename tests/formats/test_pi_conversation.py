"""Pi: what the model sees of a session, held against what Pi sent, and of sessions that are odd."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Role, Usage
from sessionkit.errors import UsageError
from sessionkit.formats.pi import Pi
from tests.formats.outlines import JsonObject, outline, read, rebuild, skips
from tests.formats.wires import FIXTURES, LEFT_OUT, Piece, held, sent

if TYPE_CHECKING:
    from collections.abc import Callable

HEADER: JsonObject = {"type": "session", "version": 3, "id": "s"}
IMAGE: JsonObject = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}


def without_system(pieces: list[Piece]) -> list[Piece]:
    """The system prompt stands in the message's sections, and some interfaces take it apart from the messages."""
    return [piece for piece in pieces if piece[0] != "system"]


def with_images_in_results(pieces: list[Piece]) -> list[Piece]:
    """Chat takes no images in results, so Pi sends those of a result behind it, in a message of the user that says so."""
    back: list[Piece] = []
    for role, text in pieces:
        follows = back[-1:] and back[-1] == ("user", "Attached image(s) from tool result:")
        if follows:
            back.pop()
        is_image = text.startswith("sha256:")
        back.append(("tool", text) if is_image and (follows or back[-1][0] == "tool") else (role, text))
    return back


@pytest.mark.parametrize(
    ("case", "leaf", "wire", "differences"),
    [
        ("session", "ca76dbc8", "pi-openai-chat", [without_system, with_images_in_results]),
        ("session", "d02af2bb", "pi-openai-responses", [without_system]),
        ("session", "e14ef23d", "pi-gemini", []),
        ("session", "94ffdd7a", "pi-anthropic", []),
        ("compacted", "a3d7d41f", "pi-compacted-openai-chat", [without_system, with_images_in_results]),
    ],
)
def test_what_pi_sent_next(case: str, leaf: str, wire: str, differences: list[Callable[[list[Piece]], list[Piece]]]) -> None:
    pieces = sent(wire)
    for difference in differences:
        pieces = difference(pieces)
    assert without_system(held(read(FIXTURES / "pi" / case / "session.jsonl", leaf))) == pieces


@pytest.mark.parametrize("case", ["session", "compacted"])
def test_prompt_of_the_system_stands_in_sections(case: str) -> None:
    [system] = [message for message in read(FIXTURES / "pi" / case / "session.jsonl").messages if message.role is Role.SYSTEM]
    assert system.carried["sections"] == {"preamble": LEFT_OUT}


def test_usage_stop_reason_and_model_are_those_of_the_answer() -> None:
    answer = read(FIXTURES / "pi" / "session" / "session.jsonl", "94ffdd7a").messages[-2]
    assert answer.usage == Usage(input=1200, output=42, total=1242)
    assert (answer.stop_reason, answer.model and answer.model.api) == ("stop", "google-generative-ai")


def test_first_version_keeps_from_an_index() -> None:
    assert outline(read(FIXTURES / "pi" / "v1" / "session.jsonl")) == [
        "compaction+2: The button's label is cut off.",
        'assistant: read call_1 {"path": "button.png"}',
        "tool: call_1=Read image file [image/png] | <image image/png>",
        "user/note: Stay in src/.",
    ]


def test_everything_that_an_entry_can_be() -> None:
    conversation = read(FIXTURES / "pi" / "branches" / "session.jsonl")
    assert outline(conversation) == [
        "system: Be brief.",
        "meta:",
        "user: Look at the icon.",
        'assistant: (It is small.) | I read it. | read call_1 {"path": "icon.png"}',
        "tool: call_1=Read image file [image/png] | <image image/png>",
        "user/shell: $ make → ok",
        "user/shell: $ env → SECRET=1",
        "user/note: Stay in src/. | <image image/gif>",
        "user/branch_summary: The other way was tried.",
        "user: This was edited.",
        "assistant: Edited too.",
        "meta:",
        "meta:",
        "meta:",
        "system:",
        "user: Go on.",
    ]
    assert skips(conversation) == []
    assert conversation.tools == ({"name": "read", "description": "second"}, {"name": "write"})


def linked(*entries: JsonObject) -> list[JsonObject]:
    """A header, and entries a, b, c … each of which follows the one before, unless it says otherwise."""
    ids = [chr(ord("a") + at) for at in range(len(entries))]
    return [HEADER, *({"id": id_, "parentId": parent} | entry for id_, parent, entry in zip(ids, [None, *ids], entries, strict=False))]


def user(text: object) -> JsonObject:
    return {"type": "message", "message": {"role": "user", "content": text}}


def assistant(text: str, **more: object) -> JsonObject:
    return {"type": "message", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]} | more}


def compaction(**more: object) -> JsonObject:
    return {"type": "compaction", "summary": "S", "tokensBefore": 9} | more


@pytest.mark.parametrize(
    ("entries", "told", "skipped"),
    [
        ([], [], []),
        ([user("hi"), {"type": "label"}], ["user: hi", "meta:"], []),
        (
            [user("hi"), {"parentId": "x"} | user("lost")],
            ["user: lost"],
            ["2: root of another tree, out of reach of this branch", "3: its parent x is missing: 1 earlier entry is out of reach"],
        ),
        ([{"parentId": "b"} | user("1"), user("2")], ["user: 1", "user: 2"], ["2: its parents run in a circle: entry b comes again"]),
        ([{"parentId": "a"} | user("me")], ["user: me"], ["2: its parents run in a circle: entry a comes again"]),
        (
            [user("1"), user("2"), {"id": "a", "parentId": None} | user("3"), {"parentId": "a"} | user("4")],
            ["user: 3", "user: 4"],
            ["2: entry of the same id on line 4 takes its place", "2: root of another tree, out of reach of this branch"],
        ),
        ([user("1"), user("2"), {"parentId": "a"} | user("3")], ["user: 1", "user: 3"], []),
        (
            [user("1"), {"parentId": None} | user("2")],
            ["user: 2"],
            ["2: root of another tree, out of reach of this branch"],
        ),
        (
            [user("1"), {"type": "shiny"}, {"type": "shiny"}, user("2")],
            ["user: 1", "meta:", "meta:", "user: 2"],
            ["3: entry of the unknown type shiny, 2 times"],
        ),
        ([{"type": "message"}], ["meta:"], ["2: entry without a message"]),
        ([{"type": "message", "message": {"role": "wizard"}}], ["meta:"], ["2: message of the unknown role wizard"]),
        ([user([{"type": "glow", "x": 1}])], ["user: ?glow"], ["2: block of the unknown type glow"]),
        ([user(None)], ["user:"], []),
        ([user(["a", {"type": "text", "text": "b"}, 7])], ["user: a | b | ?int"], ["2: block of the unknown type int"]),
        ([user({"type": "text", "text": "alone"})], ["user: alone"], []),
        ([HEADER | {"id": "other"}, {"parentId": None} | user("1")], ["user: 1"], ["2: another header: the first one counts"]),
        ([user("1"), user("2"), {"type": "leaf", "targetId": "a"}], ["user: 1"], []),
        ([user("1"), {"type": "leaf", "targetId": None}], [], ["2: root of another tree, out of reach of this branch"]),
    ],
)
def test_odd_trees(entries: list[JsonObject], told: list[str], skipped: list[str]) -> None:
    conversation = rebuild(Pi(), *linked(*entries))
    assert outline(conversation) == told
    assert skips(conversation) == skipped


@pytest.mark.parametrize(
    ("entries", "told", "skipped"),
    [
        ([user("1"), user("2"), compaction(firstKeptEntryId="b")], ["compaction+1: S", "user: 2"], []),
        ([user("1"), compaction(firstKeptEntryId="b"), user("3")], ["compaction: S", "user: 3"], []),
        (
            [user("1"), compaction(firstKeptEntryId="x"), user("3")],
            ["compaction: S", "user: 3"],
            ["3: the entry x from which it keeps is missing: nothing before it is kept"],
        ),
        ([user("1"), compaction(firstKeptEntryId="a", retainedTail=[]), user("3")], ["compaction: S", "user: 3"], []),
        ([user("1"), compaction(retainedTail=[user("t")["message"], 5])], ["compaction+1: S", "user: t"], []),
        (
            [user("1"), compaction(firstKeptEntryId="a"), user("3"), compaction(firstKeptEntryId="a", summary="T")],
            ["compaction+2: T", "user: 1", "user: 3"],
            [],
        ),
        (
            [
                {"type": "message", "message": {"role": "system", "content": "old"}},
                user("1"),
                compaction(firstKeptEntryId="a", systemMessage={"role": "system", "content": "new"}),
            ],
            ["system: new", "compaction+1: S", "user: 1"],
            [],
        ),
        (
            [user("1"), {"type": "context_edit", "targetId": "a", "replacement": None}, compaction(firstKeptEntryId="a")],
            ["compaction+1: S", "meta:"],
            [],
        ),
        ([{"type": "branch_summary", "summary": ""}], ["meta:"], []),
    ],
)
def test_compactions(entries: list[JsonObject], told: list[str], skipped: list[str]) -> None:
    conversation = rebuild(Pi(), *linked(*entries))
    assert outline(conversation) == told
    assert skips(conversation) == skipped


def edit(target: str, replacement: object) -> JsonObject:
    return {"type": "context_edit", "targetId": target, "replacement": replacement}


@pytest.mark.parametrize(
    ("edits", "told", "skipped"),
    [
        ([edit("a", {"content": "new"})], ["user: new", "assistant: A", "meta:"], []),
        ([edit("a", {"content": [IMAGE]})], ["user: <image image/png>", "assistant: A", "meta:"], []),
        ([edit("b", {"content": "B"})], ["user: 1", "assistant: B", "meta:"], []),
        ([edit("a", None)], ["assistant: A", "meta:"], []),
        ([edit("a", None), edit("a", {"content": "back"})], ["user: back", "assistant: A", "meta:", "meta:"], []),
        ([edit("b", {"content": "B"}), edit("c", {"content": "not shown"})], ["user: 1", "assistant: B", "meta:", "meta:"], []),
        ([edit("a", "odd")], ["user: 1", "assistant: A", "meta:"], []),
        ([edit("a", {})], ["user: 1", "assistant: A", "meta:"], []),
        ([edit("", None)], ["user: 1", "assistant: A", "meta:"], ["4: it edits the entry , which is not on this branch"]),
        ([edit("x", None)], ["user: 1", "assistant: A", "meta:"], ["4: it edits the entry x, which is not on this branch"]),
    ],
)
def test_context_edits(edits: list[JsonObject], told: list[str], skipped: list[str]) -> None:
    conversation = rebuild(Pi(), *linked(user("1"), assistant("A"), *edits))
    assert outline(conversation) == told
    assert skips(conversation) == skipped


def test_origins_lead_to_entries_and_blocks() -> None:
    conversation = rebuild(Pi(), *linked(user(["x"]), edit("a", {"content": [IMAGE]}), compaction(retainedTail=[user("t")["message"]])))
    assert [(m.origin.entry, m.origin.line, m.origin.pointer) for m in conversation.messages] == [("c", 4, ""), ("c", 4, "/retainedTail/0")]
    edited = rebuild(Pi(), *linked(user(["x"]), edit("a", {"content": [IMAGE]})), leaf="b").messages[0]
    assert (edited.origin.pointer, edited.content[0].origin.entry, edited.content[0].origin.pointer) == (
        "/message",
        "b",
        "/replacement/content/0",
    )


def test_lines_that_are_no_entries_are_passed_over() -> None:
    conversation = rebuild(Pi(), HEADER, "not JSON: cut", *linked(user("hi"))[1:])
    assert (outline(conversation), skips(conversation)) == (["user: hi"], ["2: not JSON: cut"])


def test_another_leaf_is_another_branch() -> None:
    entries = linked(user("1"), user("2"), {"parentId": "a"} | user("3"))
    assert outline(rebuild(Pi(), *entries, leaf="b")) == ["user: 1", "user: 2"]


@pytest.mark.parametrize(("leaf", "count"), [("x", 7), ("", 7), ("a", 0)])
def test_unknown_leaf_names_the_newest(leaf: str, count: int) -> None:
    with pytest.raises(UsageError) as caught:
        rebuild(Pi(), *linked(*(user(str(at)) for at in range(count))), leaf=leaf)
    assert caught.value.why == ("the newest are g, f, e, d, c" if count else "its entries have no ids")
