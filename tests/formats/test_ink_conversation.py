"""Ink: several results in one message, and compactions that hold what they keep."""

from __future__ import annotations

import pytest

from sessionkit.formats.ink import Ink
from tests.formats.outlines import JsonObject, outline, read, rebuild, skips
from tests.formats.wires import FIXTURES


def entry(id_: str, parent: str | None, **more: object) -> JsonObject:
    return {"type": "message", "id": id_, "parentId": parent, "message": {"role": "user", "content": id_}} | more


@pytest.mark.parametrize(
    ("case", "leaf", "told"),
    [
        (
            "session",
            None,
            [
                "compaction+2: Two pictures were compared.",
                "tool: call_1=Read image file [image/png] | <image image/png> | call_2=Read image file [image/webp] | <image image/webp>",
                "assistant: The colours are inverted.",
                "user: Now the footer.",
            ],
        ),
        (
            "parallel",
            None,
            [
                "compaction+1: Two icons were read.",
                "assistant: One was too large. | <image image/png>",
                "user: Now this one: | <image image/gif>",
            ],
        ),
        (
            "parallel",
            "b4",
            [
                "user: Read both.",
                'assistant: read call_1 {"path": "a.png"} | read call_2 {"path": "b.gif"}',
                "tool: call_1=<image image/png> | call_2=Read image file [b.gif]\nImage omitted: too large",
                "user: A branch that was left.",
            ],
        ),
    ],
)
def test_fixture(case: str, leaf: str | None, told: list[str]) -> None:
    conversation = read(FIXTURES / "ink" / case / "session.jsonl", leaf)
    assert (outline(conversation), skips(conversation)) == (told, [])


@pytest.mark.parametrize(
    ("lines", "told", "skipped"),
    [
        ([], [], []),
        ([entry("1", None), entry("2", "1", type="ping")], ["user: 1", "meta:"], ["2: entry of the unknown type ping"]),
        ([entry("2", "x")], ["user: 2"], ["1: its parent x is missing"]),
        (
            [{"type": "message", "id": 1, "message": {"role": "user", "content": "a"}}, entry("2", None, parentId=1)],
            ["user: a", "user: 2"],
            [],
        ),
        ([entry("1", None, message={"role": "toolResult", "results": []})], ["tool:"], []),
        ([entry("1", None, message={"role": "toolResult", "results": [None, {"toolCallId": "c"}]})], ["tool: c="], []),
        (
            [entry("1", None), entry("2", "1", type="compaction", message=None, keptMessages=[], summary="S")],
            ["compaction: S"],
            [],
        ),
    ],
)
def test_odd_sessions(lines: list[JsonObject], told: list[str], skipped: list[str]) -> None:
    conversation = rebuild(Ink(), *lines)
    assert (outline(conversation), skips(conversation)) == (told, skipped)
