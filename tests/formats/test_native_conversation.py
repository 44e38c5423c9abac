"""my-pi-agent: three generations, two spellings, and images with or beside their references."""

from __future__ import annotations

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.model import Inline, Media, Stored, ToolCall, ToolResult
from sessionkit.core.pixels import Size
from sessionkit.formats.native import Native
from tests.formats.outlines import JsonObject, outline, read, rebuild, skips
from tests.formats.wires import FIXTURES

ASSET = AssetName("0" * 64, "png")
HEADER: JsonObject = {"type": "session_info", "id": "s", "cwd": "/", "createdAt": "t"}


@pytest.mark.parametrize(
    ("case", "leaf", "told"),
    [
        ("generation-a", None, ["compaction+1: The chart was compared.", "tool: call_1=<image image/gif>"]),
        (
            "generation-a",
            "e3",
            [
                "user: Is the chart right? | <image image/png>",
                'assistant:  | read call_1 {"path": "chart.gif"}',
                "tool: call_1=<image image/gif>",
            ],
        ),
        ("generation-b", None, ["compaction+1: The chart was compared.", "tool: call_1=<image image/png>"]),
        (
            "spilled",
            None,
            [
                "user: Is the chart right? | <image image/png>",
                'assistant:  | read call_1 {"path": "chart.png"}',
                "tool: call_1=<image image/jpeg> | <image image/png>",
                "assistant: Two bars have swapped places.",
            ],
        ),
        (
            "camel-case",
            None,
            [
                "system: Be brief.",
                "compaction+1: One icon was read.",
                "tool: call_2=no such file",
                "assistant: One is missing.",
                "user/branch_summary: A guess was given up.",
                "meta:",
                "user: And this? | <image image/gif>",
            ],
        ),
        (
            "camel-case",
            "e5",
            [
                "system: Be brief.",
                "user: Compare the icons.",
                'assistant: read call_1 {"path": "a.png"} | read call_2 "{\\"path\\":"',
                "tool: call_1=<image image/png>",
                "tool: call_2=no such file",
            ],
        ),
    ],
)
def test_fixture(case: str, leaf: str | None, told: list[str]) -> None:
    conversation = read(FIXTURES / "native" / case / "session.jsonl", leaf)
    assert (outline(conversation), skips(conversation)) == (told, [])


def test_results_get_the_name_of_their_call_which_keeps_its_text() -> None:
    _, answer, result, _ = read(FIXTURES / "native" / "spilled" / "session.jsonl").messages
    [call] = [block for block in answer.content if isinstance(block, ToolCall)]
    assert call.raw == '{"path":"chart.png"}'
    assert [block.name for block in result.content if isinstance(block, ToolResult)] == ["read"]


@pytest.mark.parametrize(
    ("block", "source", "size"),
    [
        ({"mime_type": "image/png", "asset_path": ASSET.reference, "width": 3, "height": 2}, Stored(ASSET), Size(3, 2)),
        ({"mimeType": "image/png", "assetPath": ASSET.reference}, Stored(ASSET), None),
        ({"mime_type": "image/png", "data": "QUJD", "asset_path": ASSET.reference}, Inline("QUJD"), None),
        ({"mime_type": "image/png", "data": None, "asset_path": ASSET.reference}, Stored(ASSET), None),
    ],
    ids=["on disk", "camel case", "both", "null and path"],
)
def test_image(block: JsonObject, source: Inline | Stored, size: Size | None) -> None:
    [message] = rebuild(Native(), HEADER, entry("1", content=[{"type": "image", **block}])).messages
    [image] = message.content
    assert isinstance(image, Media)
    assert (image.source, image.size, image.media_type) == (source, size, "image/png")


def entry(id_: str, parent: str | None = None, **message: object) -> JsonObject:
    return {"type": "message", "id": id_, "parentId": parent, "message": {"role": "user", "content": id_} | message}


def compaction(id_: str, parent: str, **metadata: object) -> JsonObject:
    return {"type": "compaction", "id": id_, "parentId": parent, "summary": "S", "metadata": metadata}


TAIL = {"role": "user", "content": "t"}


@pytest.mark.parametrize(
    ("lines", "told", "skipped"),
    [
        ([HEADER], [], []),
        ([HEADER, entry("1"), entry("2", "1")], ["user: 1", "user: 2"], []),
        ([HEADER | {"metadata": {"current_id": "1"}}, entry("1"), entry("2", "1")], ["user: 1"], []),
        (
            [HEADER | {"metadata": {"current_id": "x"}}, entry("1")],
            ["user: 1"],
            ["1: it names the entry x as the newest, which is missing"],
        ),
        ([HEADER, entry("1"), entry("2", "1"), {"type": "leaf", "leafId": "1", "parentId": "2"}], ["user: 1"], []),
        ([HEADER, entry("1", "1")], ["user: 1"], ["2: its parents run in a circle: entry 1 comes again"]),
        ([HEADER, entry("1", role="ghost")], ["meta:"], ["2: message of the unknown role ghost"]),
        ([HEADER, {"type": "aura", "id": "1"}], ["meta:"], ["2: entry of the unknown type aura"]),
        ([HEADER, entry("1", content=None)], ["user:"], []),
        ([HEADER, entry("1"), compaction("2", "1")], ["compaction: S"], []),
        ([HEADER, entry("1"), compaction("2", "1", retained_tail=[None, TAIL])], ["compaction+1: S", "user: t"], []),
        (
            [
                HEADER,
                entry("1", role="assistant", content=None, metadata={"tool_calls": [None, {"function": {"name": "f", "arguments": {}}}]}),
            ],
            ["assistant: f  {}"],
            [],
        ),
        ([HEADER, entry("1"), compaction("2", "1", retained_tail=[])], ["compaction: S"], []),
        ([HEADER, entry("1"), compaction("2", "1", covered_count=0, retained_tail=[])], ["compaction: S", "user: 1"], []),
        (
            [HEADER, entry("1"), compaction("2", "1", covered_count=9, retained_tail=[TAIL]), entry("3", "2")],
            ["compaction+1: S", "user: t", "user: 3"],
            [],
        ),
        (
            [HEADER, entry("1"), compaction("2", "1", retained_tail=[TAIL]), entry("3", "2"), compaction("4", "3", retained_tail=[])],
            ["compaction: S"],
            [],
        ),
    ],
)
def test_odd_sessions(lines: list[JsonObject], told: list[str], skipped: list[str]) -> None:
    conversation = rebuild(Native(), *lines)
    assert (outline(conversation), skips(conversation)) == (told, skipped)
