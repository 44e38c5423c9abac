"""More images and pages than a request may have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.base64 import encode
from sessionkit.faults import fault_of
from sessionkit.faults.base import Choices, Severity
from sessionkit.faults.open import NO_OPTIONS, Options
from sessionkit.faults.profiles import Wish
from tests.faults.media_bases import of_codex, of_pi, plain, read
from tests.faults.sending import told
from tests.faults.surgery import changed, done, value
from tests.faults.workshop import Session, opened

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Finding

ANTHROPIC = Options(wish=Wish("anthropic"))


def found(session: Session, folder: Path, options: Options = NO_OPTIONS) -> list[Finding]:
    with opened(folder, session, options) as case:
        return list(fault_of("too-many-images").find(case))


@pytest.mark.parametrize(("images", "gone"), [(100, 0), (101, 11), (105, 15)])
def test_edges(images: int, gone: int, tmp_path: Path) -> None:
    findings = found(of_pi().grown(0, images - 9), tmp_path)
    assert [(finding.severity, finding.option) for finding in findings] == [(Severity.BRICKS, "")] * gone


def test_larger_models_take_more(tmp_path: Path) -> None:
    assert found(of_pi().grown(0, 96), tmp_path, Options(wish=Wish(media=600))) == []


def test_claude_code_leaves_the_oldest_out_by_itself(tmp_path: Path) -> None:
    findings = found(read().grown(0, 98), tmp_path)
    assert {(finding.severity, finding.option) for finding in findings} == {(Severity.HARMLESS, "too-many-images")}


def test_others_take_so_many(tmp_path: Path) -> None:
    assert found(of_codex().grown(0, 200), tmp_path) == []


def test_pages_count_too(tmp_path: Path) -> None:
    pages = b"".join(b"%d 0 obj\n<</Type/Page/Parent 1 0 R>>\nendobj\n" % number for number in range(2, 100))
    session = plain().with_value(1, "/content/2/source/data", encode(b"%PDF-1.7\n" + pages + b"%%EOF\n").decode())
    assert len(found(session, tmp_path, ANTHROPIC)) == 2, "an image and a document of 98 pages, before two images"
    assert found(session, tmp_path, Options(wish=Wish("anthropic", media=101))) == []


def test_the_newest_stay(tmp_path: Path) -> None:
    session = of_pi().grown(0, 96)
    with opened(tmp_path, session) as case:
        fault = fault_of("too-many-images")
        after = done(case, *(fault.cure(case, finding, Choices()) for finding in fault.find(case)))
    assert changed(session, after) == {5}
    kinds = [value(after, 5, f"/message/content/{at}/type") for at in range(1, 99)]
    assert kinds == ["text"] * 15 + ["image"] * 83
    assert str(value(after, 5, "/message/content/1/text")).startswith("[image removed: over 100 images; image/png 320x200, 3022 bytes; ")
    assert value(after, 9, "/message/content/1/type") == "image", "an equal picture that is newer stays"
    with opened(tmp_path, after) as case:
        assert told(case) == []
        assert list(fault.find(case)) == []


def test_what_was_read_loses_its_twin_too(tmp_path: Path) -> None:
    session = read().grown(6, 98)
    with opened(tmp_path, session) as case:
        fault = fault_of("too-many-images")
        after = done(case, *(fault.cure(case, finding, Choices()) for finding in fault.find(case)))
    assert [value(after, line, "/toolUseResult/file/base64") for line in (7, 9, 11, 13, 15, 18, 21)] == [""] * 7
