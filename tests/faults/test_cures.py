"""What cures are made of: each changes its spans and nothing else, and the line stays JSON."""

from __future__ import annotations

import hashlib
from base64 import b64decode
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.base64 import encode
from sessionkit.faults.base import Lengths, Spot, Uncured
from sessionkit.faults.cures import (
    everywhere,
    everywhere_live,
    fill,
    label_prefix,
    put_note,
    refit,
    relabel,
    respell,
)
from sessionkit.faults.note import Note
from tests.faults.surgery import changed, done, value
from tests.faults.workshop import Session, opened
from tests.pictures import picture

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


AGENTS = ("claude-code/session", "codex/session", "gemini-cli/session", "pi/session", "qwen-code/compacted")
SMALL, WIDE = picture("PNG", size=(20, 10)), picture("PNG", size=(4000, 100))
NOTE = Note("empty")


@pytest.mark.parametrize("agent", AGENTS)
def test_relabelling_gives_back_what_was_labelled_otherwise(agent: str, tmp_path: Path) -> None:
    """A wrong label is a splice, and the right one is it the other way round."""
    recorded = Session.recorded(agent)
    right = recorded.with_label(0, "image/png")
    with opened(tmp_path, recorded.with_label(0, "image/webp")) as case:
        exhibits = everywhere(case, case.exhibit(right.picture(0)[0].spot), lambda _: True)
        alike = {exhibit.spot for exhibit in right.picture(0)}
        assert {exhibit.spot for exhibit in exhibits} >= alike
        cured = done(case, relabel(case.lines, (exhibit for exhibit in exhibits if exhibit.spot in alike), "image/png"))
    assert cured == right


@pytest.mark.parametrize(
    ("prefix", "mime", "new"),
    [
        ("data:image/png;base64,", "image/jpeg", "data:image/jpeg;base64,"),
        ("data:image;base64,", "image/jpeg", "data:image/jpeg;base64,"),
        ("data:;base64,", "image/jpeg", "data:image/jpeg;base64,"),
        ("DATA:image/png;charset=x;base64,", "image/jpeg", "DATA:image/jpeg;charset=x;base64,"),
        ("", "image/jpeg", ""),
    ],
)
def test_prefixes(prefix: str, mime: str, new: str) -> None:
    assert label_prefix(prefix, mime) == new


SPELLINGS: dict[str, Callable[[str], str]] = {
    "line breaks": lambda text: text[:76] + "\n" + text[76:],
    "no padding": lambda text: text.rstrip("="),
    "url-safe": lambda text: text.replace("+", "-").replace("/", "_"),
    "a data URL": lambda text: f"data:image/gif;base64,{text}",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("agent", AGENTS)
def test_other_spellings_become_canonical(agent: str, spelling: str, tmp_path: Path) -> None:
    right = Session.recorded(agent).with_image(0, SMALL)
    if agent.startswith("codex") and spelling == "a data URL":
        return  # there it belongs
    wrong = right.with_text(0, SPELLINGS[spelling](encode(SMALL).decode()))
    with opened(tmp_path, wrong) as case:
        exhibits = [case.exhibit(exhibit.spot) for exhibit in right.picture(0)]
        cured = done(case, respell(case.lines, exhibits))
    assert cured == right


def test_escapes_become_canonical(tmp_path: Path) -> None:
    data = picture("JPEG")
    right = Session.recorded("claude-code/session").with_image(0, data)
    wrong = right.with_line(3, right.lines[2].replace(encode(data), encode(data).replace(b"/", b"\\/")))
    assert wrong != right
    with opened(tmp_path, wrong) as case:
        cured = done(case, respell(case.lines, [case.exhibit(right.picture(0)[0].spot)]))
    assert cured == right


@pytest.mark.parametrize("agent", AGENTS)
def test_other_bytes_keep_the_old_ones(agent: str, tmp_path: Path) -> None:
    old, new = picture("JPEG", size=(30, 30)), SMALL
    before = Session.recorded(agent).with_image(0, old)
    with opened(tmp_path, before) as case:
        exhibits = [case.exhibit(exhibit.spot) for exhibit in before.picture(0)]
        cure = fill(case.lines, exhibits, new)
        assert done(case, cure) == before.with_image(0, new)
        assert not isinstance(cure, Uncured)
        kept = [splice.kept for splice in cure if splice.kept]
        assert len(kept) == len(exhibits)
        assert {(one.asset.digest, one.asset.ext, one.data) for one in kept} == {(hashlib.sha256(old).hexdigest(), "jpg", old)}


SOURCES = ["/message/content/1/source", "/message/content/1/source/data", "/message/content/1/source/media_type"]


@pytest.mark.parametrize("pointer", SOURCES)
def test_a_source_is_made_whole(pointer: str, tmp_path: Path) -> None:
    with opened(tmp_path, Session.recorded("claude-code/session").without(3, pointer)) as case:
        exhibit = next(one for one in case.exhibits if one.line == 3)
        cured = done(case, fill(case.lines, [exhibit], SMALL))
    expected = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": encode(SMALL).decode()}}
    assert value(cured, 3, "/message/content/1") == expected


@pytest.mark.parametrize(
    ("agent", "text"),
    [
        ("claude-code/session", "text"),
        ("pi/session", "text"),
        ("gemini-cli/session", "text"),
        ("codex/session", ""),
        ("qwen-code/compacted", ""),
    ],
)
def test_a_smaller_picture_tells_the_model(agent: str, text: str, tmp_path: Path) -> None:
    before = Session.recorded(agent).with_image(0, WIDE)
    with opened(tmp_path, before) as case:
        (first, *_) = exhibits = [case.exhibit(exhibit.spot) for exhibit in before.picture(0)]
        cured = done(case, refit(case.lines, exhibits, case.format))
    with opened(tmp_path, cured) as case:
        facts = case.facts(case.exhibit(first.spot))
        assert facts
        assert facts.size
        assert (facts.size.width, facts.size.height) == (2000, 50)
    outer, _, at = first.block.rpartition("/")
    items = value(cured, first.line, outer)
    assert isinstance(items, list)
    told = [item["text"] for item in items[int(at) + 1 :][:1] if isinstance(item, dict) and "text" in item]
    note = "[Image: original 4000x100, displayed at 2000x50. Multiply coordinates by 2.00 to map to original image.]"
    assert (note in told) is bool(text)


def test_what_cannot_be_made_smaller(tmp_path: Path) -> None:
    session = Session.recorded("claude-code/session").with_image(0, WIDE[:200])
    with opened(tmp_path, session) as case:
        assert isinstance(refit(case.lines, [case.exhibits[0]], case.format), Uncured)


NOTED = [
    # agent, number of the picture, what stands in its place
    ("claude-code/session", 0, {"type": "text", "text": "NOTE"}),
    ("claude-code/session", 2, {"type": "text", "text": "NOTE"}),
    ("pi/session", 0, {"type": "text", "text": "NOTE"}),
    ("codex/session", 0, {"type": "input_text", "text": "NOTE"}),
    ("codex/session", 3, {"type": "input_text", "text": "NOTE"}),
    ("gemini-cli/session", 0, {"text": "NOTE"}),
    ("gemini-cli/session", 2, {"text": "NOTE"}),
    ("qwen-code/compacted", 0, {"text": "NOTE"}),
]


@pytest.mark.parametrize(("agent", "number", "block"), NOTED)
def test_notes(agent: str, number: int, block: dict[str, str], tmp_path: Path) -> None:
    data = picture("PNG", size=(50, 40))
    before = Session.recorded(agent).with_image(number, data)
    name = f"images/{hashlib.sha256(data).hexdigest()}.png"
    with opened(tmp_path, before) as case:
        first = case.exhibit(before.picture(number)[0].spot)
        exhibits = everywhere_live(case, first)
        cured = done(case, put_note(case.lines, exhibits, case.note(first, "too odd")))
    text = f"[image removed: too odd; image/png 50x40, {len(data)} bytes; kept as {name}]"
    block = {name: text if value == "NOTE" else value for name, value in block.items()}
    for exhibit in exhibits:
        expected = {**file(before, exhibit.line), "base64": ""} if exhibit.block == "/toolUseResult/file" else block
        assert value(cured, exhibit.line, exhibit.block) == expected
    assert changed(before, cured) == {exhibit.line for exhibit in exhibits}
    assert {exhibit.spot for exhibit in exhibits} >= {exhibit.spot for exhibit in before.picture(number)}


def file(session: Session, line: int) -> dict[str, object]:
    found = value(session, line, "/toolUseResult/file")
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(("output", "told"), [("", "[image removed: empty]"), ("seen", "seen\n[image removed: empty]")])
def test_a_note_in_a_result_of_qwen_code_is_said_by_the_tool(output: str, told: str, tmp_path: Path) -> None:
    before = Session.recorded("qwen-code/compacted").with_value(7, "/message/parts/0/functionResponse/response/output", output)
    with opened(tmp_path, before) as case:
        exhibit = next(one for one in case.exhibits if one.line == 7)
        cured = done(case, put_note(case.lines, [exhibit], NOTE))
    response = value(cured, 7, "/message/parts/0/functionResponse")
    assert isinstance(response, dict)
    assert (response["parts"], response["response"]) == ([], {"output": told.replace("empty]", f"empty; kept as {kept(before, 7)}]")})


def kept(session: Session, line: int) -> str:
    exhibit = next(one for one in session.exhibits if one.line == line)
    return f"images/{hashlib.sha256(b64decode(exhibit.text)).hexdigest()}.png"


def test_what_is_no_base64_is_kept_as_its_text(tmp_path: Path) -> None:
    with opened(tmp_path, Session.recorded("codex/session").with_text(0, "not\\base64 €")) as case:
        cure = put_note(case.lines, [case.exhibits[0]], NOTE)
    assert not isinstance(cure, Uncured)
    (splice,) = cure
    assert splice.kept
    assert splice.kept.data == "data:image/png;base64,not\\base64 €".encode()
    assert splice.kept.asset.reference == f"images/{hashlib.sha256(splice.kept.data).hexdigest()}.bin"


@pytest.mark.parametrize(
    ("address", "note"),
    [
        (
            "data:image/png;base64," + encode(SMALL).decode(),
            f"[image removed: empty; kept as images/{hashlib.sha256(SMALL).hexdigest()}.png]",
        ),
        ("data:image/png;base64,x", "[image removed]"),
        ("data:image/png;base64,", "[image removed: empty]"),
        ("x", "-"),
    ],
)
def test_codex_keeps_the_length_of_its_lines(address: str, note: str, tmp_path: Path) -> None:
    before = Session.recorded("codex/session").with_value(8, "/payload/content/1", {"type": "input_image", "image_url": address})
    with opened(tmp_path, before) as case:
        cured = done(case, put_note(case.lines, [case.exhibits[0]], NOTE, Lengths.KEPT), lengths=Lengths.KEPT)
    assert [len(line) for line in cured.lines] == [len(line) for line in before.lines]
    assert value(cured, 8, "/payload/content/1") == {"type": "input_text", "text": note}


def test_spots_are_found_again(tmp_path: Path) -> None:
    with opened(tmp_path, Session.recorded("pi/session")) as case:
        for exhibit in case.exhibits:
            assert case.exhibit(exhibit.spot) is exhibit
        with pytest.raises(KeyError):
            case.exhibit(Spot(1))
