"""The images of sessions with what is known of each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.base64 import encode
from sessionkit.core.images import upright_size
from sessionkit.faults.exhibits import Place
from sessionkit.ops.batch import Batch
from sessionkit.ops.check import Options as CheckOptions
from sessionkit.ops.check import check
from sessionkit.ops.failed import Failed
from sessionkit.ops.gallery import Options, Show, showing
from sessionkit.ops.scan.session import scan_session
from sessionkit.ops.sources import find_one
from tests.ops.runs import FIXTURES, SESSIONS, case_of, png
from tests.pictures import picture

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.ops.gallery import Said

REPEATED_NAMES = FIXTURES / "shapes" / "stay-repeated-names" / "input.jsonl"
NO_OBJECTS = FIXTURES / "hostile" / "no-objects" / "input.jsonl"
URL_SAFE = FIXTURES / "faults" / "gemini-cli" / "noncanonical-base64" / "bad.jsonl"


def fixture(case: str) -> Path:
    return FIXTURES / case / "session.jsonl"


def inline(show: Show) -> int:
    return sum(tile.is_picture and tile.asset is None for tile in show.tiles)


def words(said: tuple[Said, ...]) -> list[str]:
    return [f"{one.who} {one.line}: {one.text}" for one in said]


@pytest.mark.parametrize("path", [*SESSIONS, REPEATED_NAMES, NO_OBJECTS, URL_SAFE], ids=case_of)
def test_it_shows_as_many_images_as_a_scan_counts(path: Path) -> None:
    source = find_one(str(path))
    with showing(source, Options()) as show:
        assert inline(show) == scan_session(source, lambda _: None).tally.images
        assert [tile.exhibit.line for tile in show.tiles] == sorted(tile.exhibit.line for tile in show.tiles)


@pytest.mark.parametrize("case", ["pi/compacted", "gemini-cli/session"])
def test_findings_are_those_of_check_and_stand_at_every_twin(case: str) -> None:
    source = find_one(str(fixture(case)))
    [checked] = check([source], CheckOptions(), Batch())
    assert not isinstance(checked, Failed)
    with showing(source, Options()) as show:
        assert set(show.findings) == set(checked.findings)
        for tile in show.tiles:
            spot = tile.exhibit.spot
            assert {finding.fault for finding in tile.findings} == {
                finding.fault for finding in show.findings if spot in (finding.spot, *finding.twins)
            }
            assert {finding for finding in show.findings if finding.spot == spot} <= set(tile.findings)
            assert all(spot in (finding.spot, *finding.twins) for finding in tile.findings)
        assert {finding.fault for finding in show.beside} <= {"doubled-results"}


@pytest.mark.parametrize(
    ("case", "tools"),
    [
        ("pi/compacted", {"read"}),
        ("codex/compacted", {"view_image"}),
        ("claude-code/compacted", {"Read"}),
        ("gemini-cli/session", {"read_file"}),
        ("qwen-code/compacted", {"read_file"}),
        ("ink/session", {"read"}),
    ],
)
def test_images_in_results_name_their_tool_on_other_branches_too(case: str, tools: set[str]) -> None:
    with showing(find_one(str(fixture(case))), Options()) as show:
        assert {tile.tool for tile in show.tiles if tile.exhibit.in_result} == tools
        assert {tile.tool for tile in show.tiles if tile.exhibit.role == "user" and tile.exhibit.place is Place.MESSAGE} <= {""}


def test_the_text_around_an_image_is_that_of_its_line_or_of_the_nearest() -> None:
    with showing(find_one(str(fixture("claude-code/session"))), Options()) as show:
        before, after = show.around.of(show.tiles[1].exhibit)
        assert words(before) == ["user 3: First the old page:", "user 3: then the new page:"]
        assert words(after)[0].startswith("user 3: What changed in the navigation bar?")
        before, after = show.around.of(show.tiles[2].exhibit)
        assert words(before)[-1] == 'call of Read 6: {"file_path":"/home/user/project/chart.webp"}'


def test_a_picture_that_cannot_be_seen_says_why(tmp_path: Path) -> None:
    truncated, bomb = picture("PNG", size=(400, 400))[:-20], bytearray(png(1))
    bomb[16:24] = b"\0\0\xc3\x50\0\0\xc3\x50"
    blocks = [(truncated, "image/png"), (bytes(bomb), "image/png"), (b"%PDF-1.4 %%EOF", "image/png"), (b"nothing", "image/png"), (b"", "")]
    content = [{"type": "image", "data": encode(data).decode(), "mimeType": kind} for data, kind in blocks]
    session = tmp_path / "a.jsonl"
    session.write_text(json.dumps({"role": "user", "content": content}) + "\n")
    with showing(find_one(str(session)), Options()) as show:
        assert [tile.trouble for tile in show.tiles] == [
            "cut off: no IEND chunk",
            "more than 120 megapixels, which are never decoded",
            "not an image: its bytes are application/pdf",
            "not an image: its bytes are of no known type",
            "empty",
        ]
        assert [tile.is_picture for tile in show.tiles] == [True, True, False, False, False]
        assert show.unique == 2


def test_repeated_images_are_counted_and_lost_assets_are_told(tmp_path: Path) -> None:
    spilled = FIXTURES / "native" / "spilled" / "session.jsonl"
    copy = tmp_path / "session.jsonl"
    copy.write_bytes(spilled.read_bytes())
    with showing(find_one(str(spilled)), Options()) as show, showing(find_one(str(copy)), Options()) as lost:
        assert {tile.trouble for tile in show.tiles} == {""}
        assert {tile.trouble for tile in lost.tiles} == {"missing"}
        assert len(show.tiles) == len(lost.tiles) > 0
        assert show.timeline
        assert lost.timeline
        assert None in lost.timeline.bytes
        assert None not in show.timeline.bytes
        with showing(find_one(str(copy)), Options(store=spilled.parent / "images")) as found:
            assert [tile.times for tile in found.tiles] == [tile.times for tile in show.tiles] == [tile.times for tile in lost.tiles]
        assert [tile.sha256 for tile in lost.tiles] == [tile.sha256 for tile in show.tiles]
        assert (show.unique, show.lost, lost.unique, lost.lost) == (2, 0, 2, 2)


@pytest.mark.parametrize(
    ("case", "cuts"),
    [
        ("pi/compacted", [(1, 31, "recorded")]),
        ("gemini-cli/session", [(21, 41, "preview")]),
        ("qwen-code/compacted", [(2, 31, "recorded"), (6, 0, "preview")]),
        ("pi/session", []),
    ],
)
def test_the_timeline_knows_recorded_compactions_and_the_next_one(case: str, cuts: list[tuple[int, int, str]]) -> None:
    with showing(find_one(str(fixture(case))), Options(window=2000)) as show:
        timeline = show.timeline
        assert timeline
        assert [(cut.at.index, cut.at.origin.line, "recorded" if cut.recorded else "preview") for cut in timeline.cuts] == cuts
        assert timeline.tokens == sum(cost.tokens for cost in timeline.costs)
        assert timeline.gate.threshold == 1600
        assert len(timeline.costs) == len(timeline.bytes) == len(timeline.images)
        live = sum(tile.exhibit.is_live for tile in show.tiles)
        assert sum(timeline.images) == live


def test_thumbnails_are_small_and_keep_their_shape() -> None:
    with showing(find_one(str(fixture("pi/session"))), Options()) as show:
        for tile in show.tiles:
            assert tile.facts
            assert tile.facts.size
            size, whole = upright_size(show.thumbnail(tile)), tile.facts.size
            assert max(size.width, size.height) == min(320, max(whole.width, whole.height))
            assert abs(size.width * whole.height - size.height * whole.width) <= max(whole.width, whole.height)
