"""Header sizes read by hand, with Pillow as the oracle."""

from __future__ import annotations

import io
import struct
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from sessionkit.core import sniff as types
from sessionkit.core.pixels import Size, pixel_size
from sessionkit.core.sniff import MediaType, sniff
from tests.pictures import bmp, heic, images, picture

PICTURES = sorted(images())
PIXEL_TYPES = (types.PNG, types.JPEG, types.GIF, types.WEBP, types.BMP, types.TIFF, types.AVIF, types.HEIC)


def _size_in_pillow(data: bytes) -> Size | None:
    try:
        with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(data)) as image:
            return Size(*image.size)
    except (OSError, SyntaxError, ValueError, TypeError, struct.error):
        return None


@pytest.mark.parametrize("name", PICTURES)
def test_equal_to_pillow(name: str) -> None:
    _, data = images()[name]
    assert pixel_size(memoryview(data), sniff(data)) == _size_in_pillow(data)


@pytest.mark.parametrize("name", PICTURES)
def test_cut_short_anywhere_the_size_is_right_or_unknown(name: str) -> None:
    _, data = images()[name]
    media, whole = sniff(data), _size_in_pillow(data)
    sizes = [pixel_size(data[:length], media) for length in range(min(len(data), 1000))]
    assert set(sizes) <= {whole, None}
    assert sizes[:10] == [None] * 10 or media is types.GIF


@given(st.sampled_from([name for name in PICTURES if not name.startswith("tiff")]), st.data())
def test_what_pillow_still_opens_when_it_is_cut_has_the_same_size(name: str, draw: st.DataObject) -> None:
    _, whole = images()[name]
    data = whole[: draw.draw(st.integers(0, len(whole)))]
    in_pillow = _size_in_pillow(data)
    assert in_pillow is None or pixel_size(data, sniff(whole)) == in_pillow


@given(st.sampled_from(PIXEL_TYPES), st.binary(max_size=100))
def test_no_bytes_make_it_raise(media: MediaType, data: bytes) -> None:
    size = pixel_size(data, media)
    assert size is None or (size.width > 0 and size.height > 0)


@given(st.sampled_from(PICTURES), st.lists(st.tuples(st.integers(0, 200), st.integers(0, 255)), max_size=8))
def test_no_damaged_header_makes_it_raise(name: str, damage: list[tuple[int, int]]) -> None:
    _, whole = images()[name]
    data = bytearray(whole)
    for place, byte in damage:
        data[place % len(data)] = byte
    size = pixel_size(data, sniff(whole))
    assert size is None or (size.width > 0 and size.height > 0)


def _png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" + struct.pack(">II", width, height)


def _jpeg(*segments: bytes) -> bytes:
    frame = b"\xff\xc0\0\x11\x08" + struct.pack(">HH", 480, 640)
    return b"\xff\xd8" + b"".join(segments) + frame


@pytest.mark.parametrize(
    ("data", "size"),
    [
        pytest.param(_png(50_000, 50_000), Size(50_000, 50_000), id="a bomb is only a number"),
        pytest.param(_png(0, 5), None, id="no width"),
        pytest.param(_png(5, 0), None, id="no height"),
        pytest.param(_png(2**31 - 1, 1), Size(2**31 - 1, 1), id="the widest"),
        pytest.param(_png(2**31, 1), None, id="absurd"),
        pytest.param(_jpeg(), Size(640, 480), id="frame at once"),
        pytest.param(_jpeg(b"\xff\xe0\0\x04ab"), Size(640, 480), id="behind a segment"),
        pytest.param(_jpeg(b"\xff\xe1\0\x0a\xff\xc0\0\x11\x08\0\1\0"), Size(640, 480), id="a frame inside a segment"),
        pytest.param(_jpeg(b"\xff\xc4\0\x02"), Size(640, 480), id="a Huffman table is no frame"),
        pytest.param(_jpeg(b"\xff\xff\xff"), Size(640, 480), id="fill bytes"),
        pytest.param(_jpeg(b"\xff\xe0\0\x02\0\0junk\xff\0"), Size(640, 480), id="junk"),
        pytest.param(_jpeg(b"\xff\x01\xff\xd0"), Size(640, 480), id="markers without a length"),
        pytest.param(_jpeg(b"\xff\xd9"), None, id="ends before a frame"),
        pytest.param(_jpeg(b"\xff\xda\0\x02"), None, id="scan before a frame"),
        pytest.param(_jpeg(b"\xff\xe0\xff\xff"), None, id="segment longer than the file"),
        pytest.param(_jpeg(b"\xff\xe0\0\x02" * 20_000), None, id="too many segments"),
        pytest.param(bmp(40, 7, -5), Size(7, 5), id="rows from the top"),
        pytest.param(heic((512, 512), (512, 512), (4032, 3024), (320, 240)), Size(4032, 3024), id="tiles and a thumbnail"),
        pytest.param(heic(), None, id="no extents"),
        pytest.param(b"<svg width='10' height='10'>", None, id="svg"),
        pytest.param(b"%PDF-1.7", None, id="pdf"),
        pytest.param(b"", None, id="nothing"),
    ],
)
def test_headers(data: bytes, size: Size | None) -> None:
    assert pixel_size(data, sniff(data)) == size


def test_a_webp_that_lies_about_its_stream_is_unreadable() -> None:
    data = picture("WEBP").replace(b"\x9d\x01\x2a", b"\x9d\x01\x2b")
    assert pixel_size(data, types.WEBP) is None
