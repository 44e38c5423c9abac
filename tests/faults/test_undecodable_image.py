"""Bytes that are no picture, and what they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.pictures import Depth
from sessionkit.core.sniff import PNG as PNG_TYPE
from sessionkit.core.sniff import sniff
from sessionkit.faults import fault_of
from sessionkit.faults.base import Choices, Lengths
from sessionkit.faults.open import NO_OPTIONS, Options
from sessionkit.faults.originals import held_bytes
from tests.faults.media_bases import BMP, HTML, PNG, SVG, alone, briefly_read, of_codex, of_gemini, of_pi
from tests.faults.surgery import done, value
from tests.faults.workshop import Session, opened
from tests.pictures import animation, heic, picture

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Finding

FAULT = fault_of("undecodable-image")
CONTENTS = {
    # content: what the note says of it
    "HTML": (HTML, "HTML, not an image"),
    "HTML in capitals": (b"\xef\xbb\xbf \n<HTML><body>", "HTML, not an image"),
    "JSON": (b'{"error":{"message":"not found"}}', "JSON, not an image"),
    "half of a JSON": (b'{"error":{"mess', "text, not an image"),
    "text": ("Fehler: fünf".encode(), "text, not an image"),
    "text of which the head ends in a letter": (("x" + "ü" * 600).encode(), "text, not an image"),
    "SVG": (SVG, "SVG, not an image"),
    "PDF": (b"%PDF-1.7\n%%EOF\n", "PDF, not an image"),
    "sound": (b"OggS" + bytes(60), "OGG, not an image"),
    "unknown": (bytes(range(1, 200)), "unknown bytes, not an image"),
    "HEIC": (heic((4, 3)), "type image/heic is not accepted"),
    "a PNG without an end": (PNG[:-12], "truncated PNG"),
    "a JPEG without an end": (picture("JPEG")[:-2], "truncated JPEG"),
    "a GIF without an end": (picture("GIF", "P")[:-1], "truncated GIF"),
    "a WebP without an end": (picture("WEBP")[:-8], "truncated WEBP"),
    "a PNG of no size": (PNG[:16] + bytes(8) + PNG[24:], "unreadable PNG"),
}
SOUND = {
    "bytes behind the end": PNG + b"trailing junk",
    "an animation": animation("GIF"),
    "a WebP": picture("WEBP"),
}


def found(session: Session, folder: Path, options: Options = NO_OPTIONS) -> list[Finding]:
    with opened(folder, session, options) as case:
        return list(FAULT.find(case))


def cured(session: Session, folder: Path) -> Session:
    with opened(folder, session) as case:
        return done(case, *(FAULT.cure(case, finding, Choices()) for finding in FAULT.find(case)))


@pytest.mark.parametrize(("data", "name"), CONTENTS.values(), ids=CONTENTS)
def test_what_is_there_is_named(data: bytes, name: str, tmp_path: Path) -> None:
    after = cured(of_pi().with_image(3, data, "image/png"), tmp_path)
    note = str(value(after, 11, "/message/content/1/text"))
    assert note.startswith(f"[image removed: {name}; ")
    assert note.isascii()


@pytest.mark.parametrize("data", SOUND.values(), ids=SOUND)
def test_what_is_sound_is_not_at_fault(data: bytes, tmp_path: Path) -> None:
    assert found(of_pi().with_image(3, data), tmp_path) == []


def test_a_cause_has_the_numbers(tmp_path: Path) -> None:
    (finding,) = found(of_pi().with_image(3, picture("PNG", size=(300, 300))[:5000], "image/png"), tmp_path)
    assert finding.cause == "the PNG is cut off: no IEND chunk (5,000 bytes)"
    (finding,) = found(of_pi().with_image(3, HTML, "image/png"), tmp_path)
    assert finding.cause == "its 102 bytes are HTML, not an image"


@pytest.mark.parametrize("data", [BMP, picture("TIFF"), picture("AVIF")], ids=["bmp", "tiff", "avif"])
def test_a_picture_that_can_be_converted(data: bytes, tmp_path: Path) -> None:
    after = cured(briefly_read().with_image(1, data, "image/png"), tmp_path)
    message, twin = after.picture(1)
    converted = held_bytes(message)
    assert converted is not None
    assert converted == held_bytes(twin)
    assert (sniff(converted), message.media.media_type, twin.media.media_type) == (PNG_TYPE, "image/png", "image/png")
    told = str(value(after, 9, "/message/content/0/content/1/text"))
    assert told.endswith(f"[Image converted from {sniff(data).mime} to image/png.]")


def test_other_vendors_take_other_types(tmp_path: Path) -> None:
    assert found(of_gemini().with_image(1, heic((4, 3))), tmp_path) == []


def test_what_says_itself_what_it_is_belongs_to_another_fault(tmp_path: Path) -> None:
    session = briefly_read().with_image(1, BMP)
    assert found(session, tmp_path) == []
    with opened(tmp_path, session) as case:
        assert [finding.spot.line for finding in fault_of("unsupported-media-type").find(case)] == [9]


def test_damage_inside_is_only_found_where_pixels_are_looked_at(tmp_path: Path) -> None:
    data = picture("PNG", size=(200, 200))
    session = briefly_read().with_image(1, data[:1000] + bytes(500) + data[1500:])
    assert found(session, tmp_path) == []
    (finding,) = found(session, tmp_path, Options(depth=Depth.PIXELS))
    assert "unreadable" in finding.cause


def test_a_healthy_twin_gives_its_bytes(tmp_path: Path) -> None:
    session = alone(briefly_read(), 1, "aGVsbG8=")
    (finding,) = found(session, tmp_path)
    assert (finding.cure, finding.is_lossless) == ("bytes of its twin", True)
    assert cured(session, tmp_path).content == briefly_read().content


def test_a_line_of_codex_keeps_its_length(tmp_path: Path) -> None:
    session = of_codex().with_image(3, b"not found", "image/png")
    with opened(tmp_path, session) as case:
        (finding,) = FAULT.find(case)
        after = done(case, FAULT.cure(case, finding, Choices(lengths=Lengths.KEPT)), lengths=Lengths.KEPT)
    assert [len(line) for line in after.lines] == [len(line) for line in session.lines]
    assert value(after, 18, "/payload/output/0") == {"type": "input_text", "text": "[image removed]"}
