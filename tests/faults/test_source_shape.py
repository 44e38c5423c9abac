"""Blocks with a part missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import sniff
from sessionkit.core.stores.local import LocalStore
from sessionkit.faults import fault_of
from sessionkit.faults.base import Choices, Severity
from tests.faults.media_bases import HTML, JPEG, block_of, briefly_read, of_codex, of_gemini, of_pi, of_qwen, pasted, read
from tests.faults.surgery import done, value
from tests.faults.workshop import Session, opened

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Finding

FAULT = fault_of("source-shape")
SOURCE = "/message/content/0/content/0/source"


def found(session: Session, folder: Path) -> list[Finding]:
    with opened(folder, session) as case:
        return list(FAULT.find(case))


def cured(session: Session, folder: Path) -> Session:
    with opened(folder, session) as case:
        return done(case, *(FAULT.cure(case, finding, Choices()) for finding in FAULT.find(case)))


SHAPES = {
    # pointer of a Claude Code block, what is put there (None: taken out), weight, cause
    "no data": ("/data", None, Severity.BRICKS, "its source has no data"),
    "null": ("/data", 0, Severity.BRICKS, "its data is no string"),
    "no source": ("", None, Severity.BRICKS, "it has no source"),
    "no media type": ("/media_type", None, Severity.DEGRADES, "its source names no media type"),
    "an unknown type": ("/type", "asset", Severity.DEGRADES, "its source is of an unknown type"),
}


@pytest.mark.parametrize("row", SHAPES.values(), ids=SHAPES)
def test_claude_code(row: tuple[str, object, Severity, str], tmp_path: Path) -> None:
    step, put, severity, cause = row
    good = briefly_read()
    session = good.without(9, SOURCE + step) if put is None else good.with_value(9, SOURCE + step, put)
    (finding,) = found(session, tmp_path)
    assert (finding.severity, finding.cause) == (severity, cause)
    after = cured(session, tmp_path)
    assert value(after, 9, SOURCE) == value(good, 9, SOURCE), "the order of members may be another"
    assert after.lines[:8] + after.lines[9:] == good.lines[:8] + good.lines[9:]


@pytest.mark.parametrize(
    ("session", "number", "severity"),
    [
        (of_pi(), 3, Severity.BRICKS),
        (of_codex(), 3, Severity.DEGRADES),
        (of_qwen(), 2, Severity.HARMLESS),
        (of_gemini(), 0, Severity.BRICKS),
    ],
    ids=["pi", "codex", "qwen-code", "gemini-cli"],
)
def test_no_data(session: Session, number: int, severity: Severity, tmp_path: Path) -> None:
    one = session.picture(number)[0]
    assert one.value is not None
    (finding,) = found(session.without(one.line, one.value), tmp_path)
    assert (finding.severity, finding.cure, finding.is_lossless) == (severity, "note in its place", True)


def test_gemini_has_its_data_beside_the_call(tmp_path: Path) -> None:
    good = of_gemini()
    session = good.without(13, "/content/1/inlineData/data")
    (finding,) = found(session, tmp_path)
    assert finding.cure == "bytes of its twin"
    assert value(cured(session, tmp_path), 13, "/content/1") == value(good, 13, "/content/1")


def test_a_type_that_its_bytes_do_not_tell(tmp_path: Path) -> None:
    session = pasted().with_image(1, HTML, "image/png").without(3, "/message/content/3/source/media_type")
    (finding,) = found(session, tmp_path)
    assert finding.cure == "note in its place"
    assert "HTML, not an image" in str(value(cured(session, tmp_path), 3, "/message/content/3/text"))


def test_neither_type_nor_data_is_an_empty_image(tmp_path: Path) -> None:
    session = pasted().with_text(1, "").without(3, "/message/content/3/source/media_type")
    assert found(session, tmp_path) == []
    with opened(tmp_path, session) as case:
        assert [finding.spot.line for finding in fault_of("image-empty").find(case)] == [3]


def test_a_reference_under_a_type_of_its_own(tmp_path: Path) -> None:
    good = pasted().with_image(1, JPEG)
    name = AssetName.of(JPEG, sniff(JPEG))
    with LocalStore(tmp_path / "images") as store:
        store.put(name, JPEG)
        store.flush()
    line, block = block_of(good, 1)
    session = good.with_value(line, f"{block}/source", {"type": "asset", "media_type": "image/jpeg", "asset_path": name.reference})
    (finding,) = found(session, tmp_path)
    assert finding.cure == "its source made whole"
    assert value(cured(session, tmp_path), line, f"{block}/source") == value(good, line, f"{block}/source")


def test_equal_pictures_are_made_whole_together(tmp_path: Path) -> None:
    session = read().with_value(7, f"{SOURCE}/type", "asset").with_value(21, f"{SOURCE}/type", "asset")
    assert len(found(session, tmp_path)) == 1
    assert cured(session, tmp_path).content == read().content


def test_what_only_a_vendor_resolves_is_whole(tmp_path: Path) -> None:
    session = pasted().with_value(3, "/message/content/3/source", {"type": "url", "url": "https://example.com/a.png"})
    assert found(session, tmp_path) == []
