"""Full decoding: why a picture cannot be shown, in words, and without harm."""

from __future__ import annotations

import gc
import io
import os
import struct
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from sessionkit.core.images import MAX_PIXELS, UndecodableError, decode_fault, header_size, thumbnail
from sessionkit.core.pixels import Size
from sessionkit.core.sniff import WEBP, sniff
from tests.pictures import HEIGHT, WIDTH, bmp, heic, images, picture

if TYPE_CHECKING:
    from pathlib import Path

PICTURES = sorted(images())
SIDEWAYS = ("tiff sideways", "webp extended")


@pytest.mark.parametrize("name", PICTURES)
def test_real_pictures_have_no_fault_and_a_size(name: str) -> None:
    _, data = images()[name]
    width, height = (9000, 1) if name == "png wide" else (HEIGHT, WIDTH) if name == "tiff sideways" else (WIDTH, HEIGHT)
    assert decode_fault(memoryview(data)) is None
    assert header_size(memoryview(data)) == Size(width, height)


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        pytest.param(b"", "not a picture in a known format", id="nothing"),
        pytest.param(b"<html>", "not a picture in a known format", id="html"),
        pytest.param(heic((10, 10)), "not a picture in a known format", id="heic"),
        pytest.param(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "not a picture in a known format", id="eps"),
        pytest.param(picture("PNG")[:300], "truncated", id="cut png"),
        pytest.param(picture("JPEG")[:-200], "Truncated", id="cut jpeg headers"),
        pytest.param(picture("JPEG")[:-50], "truncated", id="cut jpeg"),
        pytest.param(picture("PNG")[:60] + bytes(400), "broken", id="png with zeros inside"),
        pytest.param(bmp(40, 100, 100)[:200], "truncated", id="cut bmp"),
    ],
)
def test_faults(data: bytes, fault: str) -> None:
    assert fault in str(decode_fault(data))


@pytest.mark.parametrize("side", [12_000, 50_000, 2**31 - 1])
def test_a_bomb_is_refused_before_it_is_decoded(side: int) -> None:
    data = bytearray(bmp(40, 1, 1))
    data[18:26] = side.to_bytes(4, "little") * 2
    assert side * side > MAX_PIXELS
    assert decode_fault(data) == "more than 120 megapixels, which are never decoded"


@given(st.sampled_from(PICTURES), st.data())
def test_damage_is_a_short_reason_and_never_an_exception(name: str, draw: st.DataObject) -> None:
    _, whole = images()[name]
    data = bytearray(whole[: draw.draw(st.integers(0, len(whole)))] or b"x")
    data[draw.draw(st.integers(0, len(data) - 1))] ^= draw.draw(st.integers(0, 255))
    fault = decode_fault(bytes(data))
    header_size(bytes(data))
    assert fault is None or (0 < len(fault) < 200 and "\n" not in fault and " at 0x" not in fault)


LZW = picture("TIFF", compression="tiff_lzw")
SAMPLES_PER_PIXEL = b"\x15\x01\x03\0\1\0\0\0"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(LZW[:100] + b"\x55" * 40 + LZW[140:], id="libtiff complains on stderr"),
        pytest.param(LZW.replace(SAMPLES_PER_PIXEL + b"\3", SAMPLES_PER_PIXEL + b"\x09"), id="Pillow logs an error"),
        pytest.param(bmp(40, 1, 1)[:18] + struct.pack("<II", 10_000, 10_000) + bmp(40, 1, 1)[26:], id="Pillow warns of a bomb"),
    ],
)
def test_a_fault_is_told_and_nothing_is_printed(data: bytes) -> None:
    code = "import sys; from sessionkit.core.images import decode_fault; sys.exit(decode_fault(sys.stdin.buffer.read()) is None)"
    run = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


@pytest.mark.parametrize("name", PICTURES)
def test_thumbnails_are_upright_webp_of_the_same_shape(name: str) -> None:
    small = thumbnail(images()[name][1], 20)
    width, height = (20, 1) if name == "png wide" else (12, 20) if "exif" in name or name in SIDEWAYS else (20, 12)
    assert sniff(small) is WEBP
    assert header_size(small) == Size(width, height)


def test_thumbnails_stay_transparent_and_grow_nothing() -> None:
    glass = io.BytesIO()
    Image.new("RGBA", (WIDTH, HEIGHT)).save(glass, "PNG")
    with Image.open(io.BytesIO(thumbnail(glass.getvalue(), 1000))) as small:
        assert (small.mode, small.size, small.getpixel((0, 0))) == ("RGBA", (WIDTH, HEIGHT), (0, 0, 0, 0))
    with pytest.raises(UndecodableError, match="not a picture in a known format"):
        thumbnail(b"<html>", 20)


def test_stderr_is_back_after_a_tiff(capfd: pytest.CaptureFixture[str]) -> None:
    decode_fault(LZW)
    os.write(2, b"still here")
    assert capfd.readouterr().err == "still here"


def test_no_file_stays_open(tmp_path: Path) -> None:
    open_files = tmp_path.__class__("/dev/fd")
    before = len(list(open_files.iterdir()))
    for _, data in images().values():
        decode_fault(data)
        decode_fault(data[:-100])
    gc.collect()
    assert len(list(open_files.iterdir())) == before


def test_pillow_is_not_imported_before_it_is_needed() -> None:
    code = "import sys, sessionkit.core.images, sessionkit.core.pixels, sessionkit.core.sniff; sys.exit('PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
