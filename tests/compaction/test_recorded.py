"""What sessions tell of compactions: the numbers that recorded agents wrote down, and lines that are odd."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.compaction.recorded import Kind, Recorded, find_recorded
from sessionkit.compaction.recorded.past import Links, Past
from sessionkit.core.entries import Defect, Entry, read_entries
from sessionkit.core.model import Origin
from sessionkit.core.streams import open_source
from sessionkit.formats import Format, detect, read_head
from sessionkit.formats.claude_code import ClaudeCode
from sessionkit.formats.codex import Codex
from sessionkit.formats.gemini_cli import GeminiCli
from sessionkit.formats.native import Native
from sessionkit.formats.pi import Pi
from sessionkit.formats.plain import Plain
from sessionkit.formats.qwen_code import QwenCode
from tests.formats.wires import FIXTURES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.formats.outlines import JsonObject


def of_file(path: Path) -> tuple[Recorded, ...]:
    with open_source(path) as stream:
        return find_recorded(detect(read_head(path)), read_entries(stream), "session.jsonl")


def at(line: int, entry: str = "") -> Origin:
    return Origin("session.jsonl", line, entry)


@pytest.mark.parametrize(
    ("case", "recorded"),
    [
        (
            "pi/compacted",
            Recorded(
                at(31, "c854c654"), tokens_before=1242, kept=13, first_kept="b8a156a0", summary_tokens=6, images_before=9, images_after=2
            ),
        ),
        ("pi/v1", Recorded(at(5), tokens_before=1200, kept=2, summary_tokens=8, images_before=2, images_after=1)),
        (
            "claude-code/compacted",
            Recorded(
                at(28, "166ad0fa-613a-404b-b0c2-c9396a8b78ab"),
                trigger="manual",
                tokens_before=1242,
                tokens_after=598,
                kept=1,
                first_kept="c6724683-53f8-4c8b-b699-9551fd60e2c8",
                summary_tokens=6,
                images_before=7,
                images_after=0,
            ),
        ),
        (
            "codex/compacted",
            Recorded(
                at(56),
                tokens_before=10942,
                tokens_after=6113,
                kept=1,
                first_kept="msg_01a22c9a-0128-7c31-8a8a-a40f3393c0f6",
                summary_tokens=6,
                images_before=9,
                images_after=0,
            ),
        ),
        (
            "qwen-code/compacted",
            Recorded(
                at(31, "df5d087e-aa0a-4584-915e-3b365ddf1661"),
                tokens_before=8542,
                tokens_after=1084,
                kept=0,
                summary_tokens=17,
                images_before=7,
                images_after=0,
            ),
        ),
        ("native/generation-a", Recorded(at(5, "e4"), tokens_before=4000, kept=1, summary_tokens=6, images_before=2, images_after=1)),
        ("native/camel-case", Recorded(at(8, "e7"), tokens_before=900, kept=2, summary_tokens=5, images_before=1, images_after=0)),
        ("ink/session", Recorded(at(5, "a5"), kept=2, summary_tokens=7, images_before=2, images_after=2)),
        ("ink/parallel", Recorded(at(5, "b5"), kept=1, summary_tokens=5, images_before=1, images_after=1)),
    ],
)
def test_recorded_sessions(case: str, recorded: Recorded) -> None:
    assert of_file(FIXTURES / case / "session.jsonl") == (recorded,)


def find(book: Format, *lines: JsonObject | str) -> list[Recorded]:
    entries = (Entry(line, number) if isinstance(line, dict) else Defect(number, line) for number, line in enumerate(lines, 1))
    return [*find_recorded(book, entries, "session.jsonl")]


PIXEL = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}


def claude(id_: str, parent: str | None, **more: object) -> JsonObject:
    return {"uuid": id_, "parentUuid": parent, "type": "user", "sessionId": "s", "message": {"role": "user", "content": id_}} | more


def test_claude_code_clears_old_results_in_memory() -> None:
    told = {"trigger": "auto", "preTokens": 53284, "tokensSaved": 21331, "compactedToolIds": ["toolu_1"]}
    system = {"type": "system", "subtype": "microcompact_boundary"}
    assert find(
        ClaudeCode(),
        claude("a", None),
        claude("b", "a", **system, microcompactMetadata=told),
        claude("c", "b", **system, microcompactMetadata="?"),
    ) == [Recorded(at(2, "b"), Kind.CLEARING, "auto", 53284, 31953), Recorded(at(3, "c"), Kind.CLEARING)]


def test_a_boundary_whose_summary_never_came() -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto", "preTokens": -1}}
    assert find(ClaudeCode(), claude("a", None), claude("b", None, **boundary), claude("c", "b")) == [
        Recorded(at(2, "b"), trigger="auto", images_before=0)
    ]


def item(text: str, **more: object) -> JsonObject:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]} | more


def rollout(type_: str, **payload: object) -> JsonObject:
    return {"timestamp": "2026-01-05T09:00:00.000Z", "type": type_, "payload": payload}


def test_codex_kept_all_prompts_in_older_generations() -> None:
    count = {"type": "token_count", "info": {"last_token_usage": {"input_tokens": 5, "output_tokens": 1, "total_tokens": 6}}}
    [one, other] = find(
        Codex(),
        rollout("response_item", **item("look")),
        rollout("response_item", **item("again")),
        rollout("compacted", message="abcde"),
        rollout("event_msg", **count),
        "not JSON",
        rollout("compacted", message="", replacement_history=[]),
    )
    assert one == Recorded(at(3), kept=2, summary_tokens=2, images_before=0, images_after=0)
    assert other == Recorded(at(6), kept=0, images_before=0, images_after=0)


def qwen(id_: str, parent: str | None, role: str, *parts: JsonObject, **more: object) -> JsonObject:
    return {"uuid": id_, "parentUuid": parent, "sessionId": "s", "type": "user", "message": {"role": role, "parts": [*parts]}} | more


def test_qwen_code_may_give_pictures_back() -> None:
    contents = [
        {"role": "user", "parts": [{"text": "abcd"}]},
        {"role": "model", "parts": [{"text": "Got it."}]},
        {"role": "user", "parts": [PIXEL]},
    ]
    failed = {"info": {"originalTokenCount": 9, "newTokenCount": 9, "compressionStatus": 2}}
    lines = [
        qwen("a", None, "user", PIXEL, PIXEL),
        qwen("b", "a", "user", type="system", systemPayload=failed),
        qwen("c", "b", "user", type="system", systemPayload={"compressedHistory": contents, "info": "?"}),
    ]
    assert find(QwenCode(), *lines) == [Recorded(at(3, "c"), kept=1, summary_tokens=1, images_before=2, images_after=1)]


def gemini(id_: str, type_: str, *content: JsonObject, **more: object) -> JsonObject:
    return {"id": id_, "type": type_, "content": [*content]} | more


def test_gemini_cli_sets_a_list_that_begins_with_a_summary() -> None:
    said = [gemini("a", "user", PIXEL), gemini("b", "gemini", {"text": "A dot."}, tokens={"total": 70}), gemini("c", "user", PIXEL)]
    summary = gemini("s", "user", {"text": "abcdefgh"})
    lines = [{"sessionId": "s", "projectHash": "p"}, *said, {"$set": {"messages": [summary, said[2]]}}]
    assert find(GeminiCli(), *lines) == [
        Recorded(at(5), tokens_before=70, kept=1, first_kept="c", summary_tokens=2, images_before=2, images_after=1)
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"$set": {"messages": []}},
        {"$set": {"messages": [gemini("a", "user")]}},
        {"$set": {"messages": [gemini("a", "user"), gemini("b", "user"), gemini("c", "user")]}},
        {"$set": {"summary": "abc"}},
        {"$rewindTo": "b"},
    ],
)
def test_other_changes_of_gemini_cli_are_none(change: JsonObject) -> None:
    assert find(GeminiCli(), {"sessionId": "s", "projectHash": "p"}, gemini("a", "user"), gemini("b", "user"), change) == []


def test_a_native_compaction_on_a_branch_that_was_left() -> None:
    def line(id_: str, parent: str | None, **more: object) -> JsonObject:
        return {"type": "message", "id": id_, "parentId": parent, "message": {"role": "user", "content": id_}} | more

    pixel = [{"type": "image", "mimeType": "image/png", "data": "AAAA"}]
    lines = [
        {"type": "session_info", "id": "h", "cwd": "/", "createdAt": "2026", "metadata": {"current_id": "a"}},
        line("a", "h", message={"role": "user", "content": pixel}),
        line("b", "a", message={"role": "user", "content": pixel}),
        {"type": "leaf", "id": "l", "leafId": "a"},
        line("c", "b", type="compaction", summary="abcd", metadata={"covered_count": 1}),
        line("d", "h", type="compaction", summary="abcd"),
    ]
    assert find(Native(), *lines) == [
        Recorded(at(5, "c"), kept=1, first_kept="b", summary_tokens=1, images_before=2, images_after=1),
        Recorded(at(6, "d"), kept=0, summary_tokens=1, images_before=0, images_after=0),
    ]


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 3), st.integers(0, 9)), max_size=30))
def test_what_is_left_unread_makes_no_difference(drawn: list[tuple[bool, int, int]]) -> None:
    header = {"type": "session", "version": 3, "id": "s"}
    entries = [Entry(header, 1), *(Entry(pi(at, *entry), at + 2) for at, entry in enumerate(drawn))]
    reached = Past(Pi(), entries, "", Links("id", "parentId", lambda value: [str(value["first"])] if "first" in value else None))
    whole = Past(Pi(), entries, "", None)
    for stop in range(2, len(entries) + 1):
        assert reached.until(stop, str(stop - 2)) == whole.until(stop, "")


def pi(at: int, is_compaction: bool, up: int, kept: int) -> JsonObject:
    place = {"id": str(at), "parentId": str(at - up)}
    if is_compaction:
        return place | {"type": "compaction", "summary": "s", "firstKeptEntryId": str(at - kept), "first": at - kept}
    return place | {"type": "message", "message": {"role": "user", "content": str(at)}}


def test_files_of_messages_tell_of_none() -> None:
    assert find(Plain(), {"role": "user", "content": "a"}) == []
