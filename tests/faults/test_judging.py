"""How media are held against rules: one finding for each picture, whatever it stands in, and nothing that is never sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.base64 import encode
from sessionkit.core.sniff import sniff
from sessionkit.core.stores.local import LocalStore
from sessionkit.faults import fault_of
from sessionkit.faults.base import Choices, Severity, Spot, State, Uncured
from sessionkit.faults.open import Options
from sessionkit.faults.profiles import Wish
from tests.faults.media_bases import (
    BMP,
    HTML,
    JPEG,
    PNG,
    alone,
    briefly_read,
    of_codex,
    of_gemini,
    of_native,
    of_pi,
    of_qwen,
    pasted,
    plain,
    read,
    resumed,
)
from tests.faults.surgery import changed, done, value
from tests.faults.workshop import Session, opened
from tests.pictures import picture

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Finding
    from sessionkit.faults.case import Case

ANTHROPIC = Options(wish=Wish("anthropic"))
LABEL, UNDECODABLE = "wrong-media-type", "undecodable-image"


def found(case: Case, fault: str) -> list[Finding]:
    return list(fault_of(fault).find(case))


def cured(case: Case, fault: str) -> Session:
    findings = found(case, fault)
    assert findings
    return done(case, *(fault_of(fault).cure(case, finding, Choices()) for finding in findings))


def test_a_twin_alone_breaks_nothing(tmp_path: Path) -> None:
    session = briefly_read().with_value(9, "/toolUseResult/file/base64", encode(HTML).decode())
    with opened(tmp_path, session.with_value(11, "/toolUseResult/file/type", "image/png")) as case:
        assert found(case, UNDECODABLE) == found(case, LABEL) == []


def test_what_is_asleep_is_told_and_waits_for_an_option(tmp_path: Path) -> None:
    session = Session.recorded("claude-code/compacted").with_image(1, HTML, "image/png")
    with opened(tmp_path, session) as case:
        (finding,) = found(case, UNDECODABLE)
        assert (finding.state, finding.option, finding.counts, finding.wire) == (State.ASLEEP, "all", False, "")
        assert "HTML, not an image" in str(value(cured(case, UNDECODABLE), 9, "/message/content/0/content/0/text"))


def test_copies_that_are_asleep_are_cured_with_one_of_them(tmp_path: Path) -> None:
    session = Session.recorded("claude-code/compacted").with_image(0, HTML).with_label(0, "image/png")
    session = session.with_image(6, HTML, "image/png")
    with opened(tmp_path, session) as case:
        (finding,) = found(case, UNDECODABLE)
        assert {twin.line for twin in finding.twins} == {7, 21}
        after = cured(case, UNDECODABLE)
    with opened(tmp_path, after) as case:
        assert found(case, UNDECODABLE) == []


def test_a_copy_that_is_asleep_belongs_to_the_live_one(tmp_path: Path) -> None:
    with opened(tmp_path, resumed().with_image(2, HTML, "image/png")) as case:
        (finding,) = found(case, UNDECODABLE)
        assert (finding.state, finding.spot.line) == (State.LIVE, 40)
        assert [twin.line for twin in finding.twins] == [12, 13, 40]


def test_equal_pictures_are_one_finding_and_cured_together(tmp_path: Path) -> None:
    session = read().with_label(0, "image/webp").with_label(6, "image/webp")
    with opened(tmp_path, session) as case:
        (finding,) = found(case, LABEL)
        assert {twin.line for twin in finding.twins} == {7, 21}
        assert cured(case, LABEL).content == read().content


def test_equal_pictures_of_which_one_is_at_fault(tmp_path: Path) -> None:
    with opened(tmp_path, read().with_label(6, "image/webp")) as case:
        (finding,) = found(case, LABEL)
        assert finding.spot.line == 21
        assert cured(case, LABEL).content == read().content


def test_the_same_remark_in_place_of_two_pictures_is_two_findings(tmp_path: Path) -> None:
    remark = "[image removed]"
    session = alone(alone(read(), 1, remark), 2, remark)
    with opened(tmp_path, session) as case:
        assert [finding.spot.line for finding in found(case, "placeholder-in-data")] == [9, 11]
        assert cured(case, "placeholder-in-data").content == read().content, "each from its own twin"


def test_two_faults_in_one_line(tmp_path: Path) -> None:
    session = pasted().with_label(0, "image/webp").with_image(1, HTML, "image/png")
    with opened(tmp_path, session) as case:
        after = done(case, *(fault_of(id_).cure(case, found(case, id_)[0], Choices()) for id_ in (LABEL, UNDECODABLE)))
    assert value(after, 3, "/message/content/1/source/media_type") == "image/png"
    assert "HTML" in str(value(after, 3, "/message/content/3/text"))
    assert changed(session, after) == {3}


def test_the_first_line(tmp_path: Path) -> None:
    session = plain().with_value(1, "/content/1/source/media_type", "image/png")
    with opened(tmp_path, session, ANTHROPIC) as case:
        (finding,) = found(case, LABEL)
        assert (finding.spot, finding.severity, finding.option) == (Spot(1, "/content/1/source/data"), Severity.BRICKS, "")
        assert cured(case, LABEL).content == plain().content


def test_the_last_line_without_a_line_feed(tmp_path: Path) -> None:
    whole = Session.recorded("plain/anthropic", 3)
    good = Session((*whole.lines[:2], whole.lines[2].rstrip(b"\n")))
    with opened(tmp_path, good.with_label(2, "image/webp")) as case:
        assert cured(case, LABEL).content == good.content


def test_what_the_model_said_is_left_to_its_own_fault(tmp_path: Path) -> None:
    block = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": encode(JPEG).decode()}}
    session = read().with_items(23, "/message/content", block)
    with opened(tmp_path, session) as case:
        assert found(case, LABEL) == []
        assert [finding.spot.line for finding in found(case, "assistant-image")] == [23]


WEIGHTS = [
    (briefly_read(), LABEL, (Severity.DEGRADES, "")),
    (of_pi(), LABEL, (Severity.BRICKS, "")),
    (of_qwen(), LABEL, (Severity.HARMLESS, LABEL)),
    (of_gemini(), LABEL, (Severity.HARMLESS, LABEL)),
    (of_codex(), LABEL, (Severity.HARMLESS, LABEL)),
    (of_native(), LABEL, (Severity.HARMLESS, "")),
    (briefly_read(), UNDECODABLE, (Severity.DEGRADES, "")),
    (of_codex(), UNDECODABLE, (Severity.HARMLESS, UNDECODABLE)),
    (of_qwen(), UNDECODABLE, (Severity.BRICKS, "")),
    (of_native(), UNDECODABLE, (Severity.HARMLESS, "")),
]


@pytest.mark.parametrize(("session", "fault", "weight"), WEIGHTS)
def test_who_minds(session: Session, fault: str, weight: tuple[Severity, str], tmp_path: Path) -> None:
    data = PNG if fault == LABEL else HTML
    with opened(tmp_path, session.with_image(1, data, "image/jpeg")) as case:
        finding = next(finding for finding in found(case, fault) if finding.image and finding.image.declared == "image/jpeg")
        assert (finding.severity, finding.option) == weight


@pytest.mark.parametrize(("fault", "data"), [("image-too-many-pixels", picture("PNG", "1", size=(9000, 20))), (UNDECODABLE, BMP)])
def test_what_is_spilled_must_be_restored_first(fault: str, data: bytes, tmp_path: Path) -> None:
    name = AssetName.of(data, sniff(data))
    with LocalStore(tmp_path / "images") as store:
        store.put(name, data)
        store.flush()
    session = Session.recorded("native/spilled").with_value(2, "/message/content/1/asset_path", name.reference)
    with opened(tmp_path, session, ANTHROPIC) as case:
        (finding,) = found(case, fault)
        assert (finding.severity, finding.cure, finding.counts) == (Severity.BRICKS, "", True)
        assert "restore" in finding.obstacle
        assert fault_of(fault).cure(case, finding, Choices()) == Uncured(finding.obstacle)


def test_a_finding_describes_its_image(tmp_path: Path) -> None:
    with opened(tmp_path, briefly_read().with_image(1, PNG, "image/jpeg")) as case:
        (finding,) = found(case, LABEL)
        image = finding.image
        assert image is not None
        assert (image.declared, image.detected, image.bytes, image.base64_length) == (
            "image/jpeg",
            "image/png",
            len(PNG),
            len(encode(PNG)),
        )
        assert image.size is not None
        assert (image.size.width, image.size.height) == (48, 32)
        assert finding.wire == "messages.5.content.0.content.0"


def test_thousands_of_equal_pictures_take_no_square_of_time(tmp_path: Path) -> None:
    block = {"type": "image", "source": {"type": "base64", "media_type": "image/webp", "data": encode(PNG).decode()}}
    lines = (json.dumps({"role": "user", "content": [block] * 10}).encode() + b"\n",) * 300
    with opened(tmp_path, Session(lines), ANTHROPIC) as case:
        (finding,) = found(case, LABEL)
        assert len(finding.twins) == 2999
        fault = fault_of(LABEL)
        cure = fault.cure(case, finding, Choices())
        assert isinstance(cure, tuple)
        assert len(cure) == 3000
