"""All media of a session, wherever they stand; which of them are one picture, and which the next request holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.entries import Entry
from sessionkit.core.media.finder import find_sites, look_at
from sessionkit.core.media.triage import Candidate, long_runs
from sessionkit.core.model import Inline, Stored, Uri, media_of
from sessionkit.faults.base import Spot, State
from sessionkit.faults.exhibits import Flaw, Place
from sessionkit.faults.open import open_case
from sessionkit.faults.search import exhibits_of
from sessionkit.ops.targets import Mirror
from tests.faults.workshop import FIXTURES, RECORDED, Session, opened
from tests.ops.runs import age, migrate_one

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sessionkit.faults.exhibits import Exhibit

NOT_LOOKED_FOR = {"stay-audio-video", "stay-not-canonical", "long-strings-anywhere"}
"""Sounds, and long strings that no image or document begins like."""
SHAPES = [path for path in sorted((FIXTURES / "shapes").glob("*/input.jsonl")) if path.parent.name not in NOT_LOOKED_FOR]


@pytest.mark.parametrize("path", [*RECORDED, *SHAPES], ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_whatever_can_be_spilled_is_an_exhibit(path: Path) -> None:
    for line, raw in enumerate(path.read_bytes().splitlines(keepends=True), 1):
        data = bytearray(raw)
        sites = find_sites(look_at(data, Candidate(0, len(data), tuple(long_runs(data, 0, len(data))))))
        if not raw.startswith(b"{") or b"}{" in raw:
            continue
        found = {exhibit.value for exhibit in exhibits(json.loads(raw), line)}
        assert found >= {site.pointer() for site in sites}


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_what_is_live_is_what_the_conversation_holds(path: Path) -> None:
    with open_case(path) as case:
        held = list(media_of(case.conversation.messages))
        assert sorted(map(source, case.gallery.live)) == sorted(str(media.source) for media in held)
        assert all(exhibit.place is not Place.TWIN for exhibit in case.gallery.live)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_a_spilled_session_has_the_same_exhibits(path: Path, tmp_path: Path) -> None:
    inline = tmp_path / "inline.jsonl"
    inline.write_bytes(path.read_bytes())
    target = migrate_one(age(inline), Mirror(tmp_path / "spilled")).transfer.target
    assert target
    with open_case(inline) as before, open_case(target) as after:
        assert [(one.line, one.block, one.owner, one.number, one.state, one.place) for one in after.exhibits] == [
            (one.line, one.block, one.owner, one.number, one.state, one.place) for one in before.exhibits
        ]
        assert [after.facts(one) for one in after.exhibits] == [before.facts(one) for one in before.exhibits]
        assert [after.base64_length(one) for one in after.exhibits] == [before.base64_length(one) for one in before.exhibits]
        assert all(isinstance(one.media.source, Stored) for one in after.exhibits)


IMAGE = '"type":"image"'
BROKEN = [
    # (block, value, flaw) of the block that stands as the only one in a content
    (f"{{{IMAGE}}}", None, Flaw.NO_SOURCE),
    (f'{{{IMAGE},"source":null}}', None, Flaw.NO_SOURCE),
    (f'{{{IMAGE},"source":{{"type":"base64","media_type":"image/png"}}}}', None, Flaw.NO_DATA),
    (f'{{{IMAGE},"source":{{"type":"base64","media_type":"image/png","data":null}}}}', "/source/data", Flaw.NO_DATA),
    (f'{{{IMAGE},"source":{{"type":"base64","data":"AAAA"}}}}', "/source/data", Flaw.NO_TYPE),
    (f'{{{IMAGE},"source":{{"type":"asset","media_type":"image/png","data":"AAAA"}}}}', "/source/data", Flaw.UNKNOWN_SOURCE),
    (f'{{{IMAGE},"source":{{"type":"base64","media_type":"image/png","data":5}}}}', "/source/data", Flaw.NOT_TEXT),
    (f'{{{IMAGE},"source":{{"type":"base64","media_type":"image/png","data":""}}}}', "/source/data", Flaw.NONE),
    (f'{{{IMAGE},"data":"[image 1]","mimeType":"image/png"}}', "/data", Flaw.NONE),
    (f'{{{IMAGE},"data":"AAAA"}}', "/data", Flaw.NO_TYPE),
    (f'{{{IMAGE},"mimeType":"image/png"}}', None, Flaw.NO_DATA),
    ('{"type":"input_image","image_url":"/tmp/a.png"}', "/image_url", Flaw.NONE),
    ('{"type":"input_image","image_url":null}', "/image_url", Flaw.NO_DATA),
    ('{"type":"input_image","image_url":""}', "/image_url", Flaw.NONE),
    ('{"type":"input_image","detail":"high"}', None, Flaw.NO_DATA),
    ('{"inlineData":{"mimeType":"image/png"}}', None, Flaw.NO_DATA),
    ('{"inlineData":null}', None, Flaw.NO_DATA),
    ('{"type":"image_url","image_url":{"url":"attachment://0"}}', "/image_url/url", Flaw.NONE),
]


@pytest.mark.parametrize(("block", "value", "flaw"), BROKEN, ids=[row[0] for row in BROKEN])
def test_broken_blocks_are_exhibits(block: str, value: str | None, flaw: Flaw) -> None:
    (found,) = exhibits({"role": "user", "content": [json.loads(block)]})
    assert (found.block, found.value, found.flaw) == ("/content/0", value and f"/content/0{value}", flaw)
    assert found.spot == Spot(1, "/content/0" + (value or ""))


NO_EXHIBITS = [
    '{"type":"document","source":{"type":"text","data":"words"}}',
    '{"type":"text","text":"data:image/png;base64,AAAA"}',
    '{"type":"tool_use","id":"t","name":"f","input":{"image":"data:image/png;base64,AAAA"}}',
    '{"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}}',
    '{"type":"image"}',
]


@pytest.mark.parametrize("value", NO_EXHIBITS)
def test_what_is_none(value: str) -> None:
    assert not exhibits({"role": "assistant", "anything": json.loads(value)})


def test_addresses_and_files_of_the_vendor_are_exhibits() -> None:
    blocks = [
        {"type": "image", "source": {"type": "url", "url": "https://host/a.png"}},
        {"type": "input_image", "file_id": "file-1"},
    ]
    assert [exhibit.media.source for exhibit in exhibits({"role": "user", "content": blocks})] == [Uri("https://host/a.png"), Uri("file-1")]


def test_who_speaks_and_whether_it_is_a_result() -> None:
    for case, told in {
        "claude-code/session": ["user", "user", "tool result", "tool result"],
        "pi/session": ["user", "user", *["tool result"] * 7],
        "codex/session": ["user", "user", *["tool result"] * 7],
        "gemini-cli/session": ["user", *["tool result"] * 7],
    }.items():
        found = [one for one in Session.recorded(case).exhibits if one.place is Place.MESSAGE]
        assert [f"{one.role}{' result' * one.in_result}" for one in found] == told


def test_claude_code_has_a_twin_on_the_same_line() -> None:
    with open_case(FIXTURES / "claude-code" / "session" / "session.jsonl") as case:
        for message in (one for one in case.exhibits if one.in_result):
            (twin,) = case.gallery.twins(message)
            assert (twin.line, twin.value) == (message.line, "/toolUseResult/file/base64")
            assert case.gallery.twins(twin) == (message,)


def test_twins_stay_twins_when_one_is_damaged(tmp_path: Path) -> None:
    session = Session.recorded("claude-code/session").with_value(7, "/message/content/0/content/0/source/data", "[image]")
    with opened(tmp_path, session) as case:
        message = case.exhibit(Spot(7, "/message/content/0/content/0/source/data"))
        assert [twin.value for twin in case.gallery.twins(message)] == ["/toolUseResult/file/base64"]
        assert not case.gallery.copies(message)
        assert message.is_live


def test_mcp_twins_are_told_apart_by_their_order() -> None:
    block = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "two"}, block, block]}
    found = exhibits({"type": "user", "uuid": "u", "message": {"role": "user", "content": [result]}, "toolUseResult": [block, block]})
    assert [(one.owner, one.number, one.place.value) for one in found] == [
        ("t", 0, "message"),
        ("t", 1, "message"),
        ("t", 0, "twin"),
        ("t", 1, "twin"),
    ]


def test_gemini_copies_are_one_picture() -> None:
    with open_case(FIXTURES / "gemini-cli" / "session" / "session.jsonl") as case:
        first = next(one for one in case.exhibits if one.in_result)
        places = [(twin.line, twin.place.value, twin.state.value) for twin in case.gallery.twins(first)]
        assert places == [(8, "message", "asleep"), (40, "copy", "live"), (40, "copy", "live")]


def codex(payload: Mapping[str, object], type_: str = "response_item") -> bytes:
    return json.dumps({"timestamp": "2026-01-02T03:04:05.678Z", "type": type_, "payload": payload}).encode() + b"\n"


def test_codex_twins_are_found_on_lines_nearby(tmp_path: Path) -> None:
    url, made = "data:image/png;base64,AAAA", "BBBB"
    prompt = {"type": "message", "id": "m", "role": "user", "content": [{"type": "input_image", "image_url": url}] * 2}
    lines = (
        codex({"id": "s"}, "session_meta"),
        codex(prompt),
        codex({"type": "user_message", "message": "x", "images": [url, url]}, "event_msg"),
        codex({"type": "image_generation_call", "id": "ig", "status": "completed", "result": made}),
        codex({"type": "image_generation_end", "call_id": "ig", "result": made}, "event_msg"),
    )
    with opened(tmp_path, b"".join(lines)) as case:
        twins = {one.spot: [(twin.line, twin.value) for twin in case.gallery.twins(one)] for one in case.exhibits}
    assert twins == {
        Spot(2, "/payload/content/0/image_url"): [(3, "/payload/images/0")],
        Spot(2, "/payload/content/1/image_url"): [(3, "/payload/images/1")],
        Spot(3, "/payload/images/0"): [(2, "/payload/content/0/image_url")],
        Spot(3, "/payload/images/1"): [(2, "/payload/content/1/image_url")],
        Spot(4, "/payload/result"): [(5, "/payload/result")],
        Spot(5, "/payload/result"): [(4, "/payload/result")],
    }


def test_a_pdf_of_claude_code_has_its_twin_on_the_line_before(tmp_path: Path) -> None:
    lines = list(Session.recorded("claude-code/session").lines)
    entry = json.loads(lines[6])
    pdf = "JVBERi0xLjQKJSVFT0YK"
    twin = entry | {"toolUseResult": {"type": "pdf", "file": {"base64": pdf, "originalSize": 15}}}
    twin["message"] = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "PDF file read"}]}
    block = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": pdf}}
    after = entry | {"uuid": "after", "parentUuid": entry["uuid"], "isMeta": True, "message": {"role": "user", "content": [block]}}
    del after["toolUseResult"]
    lines[6:7] = [json.dumps(twin).encode() + b"\n", json.dumps(after).encode() + b"\n"]
    with opened(tmp_path, b"".join(lines)) as case:
        message = case.exhibit(Spot(8, "/message/content/0/source/data"))
        assert [(one.line, one.value) for one in case.gallery.twins(message)] == [(7, "/toolUseResult/file/base64")]


def test_an_unknown_session_may_send_all_it_has(tmp_path: Path) -> None:
    block = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    with opened(tmp_path, json.dumps({"who": "knows", "x": [block], "toolUseResult": [block]}).encode()) as case:
        assert (case.format, case.profile.id) == ("unknown", "portable")
        assert [one.state for one in case.exhibits] == [State.LIVE, State.ASLEEP]


def source(exhibit: Exhibit) -> str:
    return str(exhibit.media.source)


def exhibits(value: dict[str, object], line: int = 1) -> list[Exhibit]:
    return list(exhibits_of(Entry(value, line), ""))


def test_sources_are_told_without_their_prefix() -> None:
    found = exhibits({"content": [{"type": "input_image", "image_url": "data:image/jpeg;base64,AAAA"}]})
    assert [(one.prefix, one.media.source, one.text, one.media.media_type) for one in found] == [
        ("data:image/jpeg;base64,", Inline("AAAA"), "AAAA", "image/jpeg")
    ]
