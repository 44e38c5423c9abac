"""Sides that are too long, alone and among many images."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.pixels import Size, pixel_size
from sessionkit.core.sniff import PNG, sniff
from sessionkit.faults import fault_of
from sessionkit.faults.base import Choices, Resizing
from sessionkit.faults.open import NO_OPTIONS, Options
from sessionkit.faults.originals import held_bytes
from sessionkit.faults.profiles import Wish
from tests.faults.media_bases import briefly_read, of_codex, of_gemini, of_native, of_pi, of_qwen, read
from tests.faults.surgery import done, value
from tests.faults.workshop import Session, opened
from tests.pictures import picture

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Finding

UNASKED = Choices()
MANY, TOO_MANY = "many-image-pixels", "image-too-many-pixels"


def found(session: Session, folder: Path, options: Options = NO_OPTIONS) -> dict[str, list[Finding]]:
    with opened(folder, session, options) as case:
        return {id_: list(fault_of(id_).find(case)) for id_ in (MANY, TOO_MANY)}


def sided(session: Session, width: int, height: int) -> Session:
    return session.with_image(2, picture("PNG", "1", size=(width, height)))


EDGES = [
    # images, size, many-image-pixels, image-too-many-pixels
    (21, (2001, 20), 1, 0),
    (21, (20, 2001), 1, 0),
    (21, (2000, 231), 0, 0),
    (20, (2001, 20), 0, 0),
    (23, (2600, 300), 1, 0),
    (7, (8000, 20), 0, 0),
    (7, (8001, 20), 0, 1),
    (7, (20, 8001), 0, 1),
    (21, (8000, 20), 1, 0),
    (21, (8001, 20), 0, 1),
]


@pytest.mark.parametrize(("images", "size", "expected"), [(images, size, more) for images, size, *more in EDGES])
def test_edges(images: int, size: tuple[int, int], expected: list[int], tmp_path: Path) -> None:
    session = sided(read(), *size).grown(0, images - 7)
    assert [len(findings) for findings in found(session, tmp_path).values()] == expected


def test_a_side_that_only_the_screen_shows(tmp_path: Path) -> None:
    one = sided(read(), 9000, 20)
    good = read().picture(2)[0]
    assert good.value is not None
    assert found(one.with_value(good.line, good.value, good.text), tmp_path)[TOO_MANY] == []


@pytest.mark.parametrize("session", [of_codex(), of_qwen(), of_gemini()], ids=["codex", "qwen-code", "gemini-cli"])
def test_vendors_that_do_not_mind(session: Session, tmp_path: Path) -> None:
    assert found(sided(session, 9000, 20), tmp_path) == {MANY: [], TOO_MANY: []}


def test_where_nobody_knows_the_vendor_it_waits_for_its_name(tmp_path: Path) -> None:
    session = of_native().with_image(1, picture("PNG", "1", size=(9000, 20)))
    assert [finding.option for finding in found(session, tmp_path)[TOO_MANY]] == [TOO_MANY]
    assert [finding.option for finding in found(session, tmp_path, Options(wish=Wish("bedrock")))[TOO_MANY]] == [""]


def cured(session: Session, folder: Path, choices: Choices = UNASKED) -> Session:
    with opened(folder, session) as case:
        fault = fault_of(TOO_MANY)
        return done(case, *(fault.cure(case, finding, choices) for finding in fault.find(case)))


def test_a_smaller_picture_and_what_the_model_must_know(tmp_path: Path) -> None:
    after = cured(sided(briefly_read(), 9000, 90), tmp_path)
    message, twin = after.picture(2)
    data = held_bytes(message)
    assert data == held_bytes(twin)
    assert data is not None
    assert (sniff(data), pixel_size(data, PNG)) == (PNG, Size(2000, 20))
    told = "[Image: original 9000x90, displayed at 2000x20. Multiply coordinates by 4.50 to map to original image.]"
    assert value(after, 11, "/message/content/0/content/1") == {"type": "text", "text": told}


def test_a_note_where_no_picture_may_be_made_smaller(tmp_path: Path) -> None:
    after = cured(sided(of_pi(), 9000, 90), tmp_path, Choices(resizing=Resizing.REFUSED))
    note = value(after, 9, "/message/content/1/text")
    assert str(note).startswith("[image removed: side over 8000 px; image/png 9000x90, ")
    assert value(after, 9, "/message/content/1/type") == "text"


def test_what_is_no_whole_picture_has_no_side(tmp_path: Path) -> None:
    session = read().with_image(2, picture("PNG", "1", size=(9000, 90))[:200], "image/png")
    assert found(session, tmp_path)[TOO_MANY] == []
