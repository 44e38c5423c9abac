"""Files that are whole, and files that end early, told without decoding them."""

from __future__ import annotations

import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core import sniff as types
from sessionkit.core.sniff import MediaType, sniff
from sessionkit.core.wholeness import is_animated, missing_end, png_damage
from tests.pictures import animation, images, picture

PICTURES = sorted(images())
WITH_AN_END = ("png", "jpg", "gif", "webp", "pdf")
PDF = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\nstartxref\n9\n%%EOF\n"
SAMPLES = {name: data for name, (ext, data) in images().items() if ext in WITH_AN_END} | {"pdf": PDF}
LABELLED = picture("JPEG", comment=b"x" * 100 + b"\xff\xda\0\x02" + b"\xff\xd9")


def end_of(data: bytes) -> int:
    """Bytes without what may be missing: the pad byte of a RIFF, the line break of a PDF, the pictures behind a JPEG's first."""
    return len(data.rstrip(b"\n")) if data.startswith(b"%PDF") else len(data)


@pytest.mark.parametrize("name", PICTURES)
def test_a_real_picture_is_whole_whatever_stands_behind_it(name: str) -> None:
    _, data = images()[name]
    for tail in (b"", b"\0" * 100, b"Trailing text; and more!"):
        assert missing_end(data + tail, sniff(data)) == ""


@given(st.sampled_from([name for name in sorted(SAMPLES) if name != "jpeg several pictures"]), st.data())
def test_a_file_cut_off_anywhere_is_not(name: str, draw: st.DataObject) -> None:
    data = SAMPLES[name]
    cut = data[: draw.draw(st.integers(0, end_of(data) - 1))]
    assert missing_end(cut, sniff(data)) != ""


@pytest.mark.parametrize(
    ("data", "missing"),
    [
        pytest.param(picture("PNG")[:-12], "no IEND chunk", id="png"),
        pytest.param(picture("PNG")[:-1], "no IEND chunk", id="png without its last checksum"),
        pytest.param(picture("PNG")[:36], "it ends in a header", id="png without a chunk"),
        pytest.param(picture("JPEG")[:-2], "no end of image", id="jpeg"),
        pytest.param(picture("JPEG")[:100], "no scan", id="jpeg header"),
        pytest.param(LABELLED, "", id="jpeg with an end in its header"),
        pytest.param(LABELLED[:-2], "no end of image", id="cut jpeg with an end in its header"),
        pytest.param(LABELLED[:150], "no scan", id="jpeg header with an end in it"),
        pytest.param(picture("GIF")[:-1], "no trailer", id="gif"),
        pytest.param(picture("WEBP")[:-10], "10 bytes are missing", id="webp"),
        pytest.param(picture("WEBP")[:-1], "1 byte is missing", id="webp without its last byte"),
        pytest.param(PDF, "", id="whole pdf"),
        pytest.param(PDF + b"\0" * 4000, "", id="padded pdf"),
        pytest.param(PDF + PDF[:30] * 100, "no %%EOF", id="pdf with an end at its beginning"),
    ],
)
def test_what_is_missing(data: bytes, missing: str) -> None:
    assert missing_end(data, sniff(data)) == missing


@pytest.mark.parametrize("media", [types.BMP, types.TIFF, types.AVIF, types.HEIC, types.SVG, types.BIN, types.WAV])
def test_other_types_have_no_end(media: MediaType) -> None:
    assert missing_end(b"x", media) == ""


@given(st.sampled_from([types.PNG, types.JPEG, types.GIF, types.WEBP, types.PDF]), st.binary(max_size=200))
def test_no_bytes_make_it_raise(media: MediaType, data: bytes) -> None:
    missing_end(data, media)
    is_animated(data, media)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(picture("PNG")[:33] + struct.pack(">I4sI", 0, b"juNk", 0) * 500_000, id="png of empty chunks"),
        pytest.param(b"\xff\xd8" + b"\xff\xe0\0\x02" * 2_000_000, id="jpeg of empty segments"),
        pytest.param(b"GIF89a" + bytes(7) + b"!\xff\0" * 500_000, id="gif of empty extensions"),
        pytest.param(b"GIF89a" + bytes(20_000_000), id="gif of zeros"),
        pytest.param(b"%PDF-1.7" + b" " * 20_000_000, id="pdf of blanks"),
    ],
)
def test_hostile_files_are_walked_through(data: bytes) -> None:
    assert missing_end(data, sniff(data)) != ""
    assert not is_animated(data, sniff(data))


@pytest.mark.parametrize(
    ("data", "animated"),
    [
        *(pytest.param(animation(kind), True, id=kind) for kind in ("PNG", "GIF", "WEBP")),
        *(pytest.param(picture(kind), False, id=f"still {kind}") for kind in ("PNG", "GIF", "WEBP", "JPEG", "AVIF")),
        pytest.param(picture("WEBP", "RGBA", exif=b"Exif\0\0"), False, id="still extended webp"),
        pytest.param(picture("GIF")[:-1] + b"!\xfe\3a,b\0;", False, id="gif with a comment"),
        pytest.param(animation("GIF")[:-30], True, id="cut off in the third frame"),
        pytest.param(picture("GIF")[:-1] + b",\0\0", False, id="cut off in the second frame"),
        pytest.param(b"RIFF\0\0\0\0WEBPVP8X", False, id="webp without its flags"),
    ],
)
def test_animation(data: bytes, animated: bool) -> None:
    assert is_animated(data, sniff(data)) is animated


def chunk(kind: bytes, body: bytes = b"", checksum: int | None = None) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body) if checksum is None else checksum)


INDEXED = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 3, 0, 0, 0))
PALETTE, PIXEL, END = chunk(b"PLTE", b"abc"), chunk(b"IDAT", zlib.compress(b"\0\0")), chunk(b"IEND")


@pytest.mark.parametrize(
    ("data", "damage"),
    [
        (picture("PNG"), ""),
        (INDEXED + PALETTE + PIXEL + END + b"\0", ""),
        (INDEXED + chunk(b"tEXt", b"a\0b", 0) + PALETTE + PIXEL + END, ""),
        (INDEXED + PIXEL + END, "it has no palette"),
        (INDEXED + PALETTE + chunk(b"CgBI") + PIXEL + END, "its chunk CgBI is unknown, and needed to show it"),
        (INDEXED + PALETTE + chunk(b"IDAT", zlib.compress(b"\0\0"), 0) + END, "the checksum of its chunk IDAT is wrong"),
        (INDEXED + PALETTE + PIXEL + chunk(b"IEND", checksum=0), "the checksum of its chunk IEND is wrong"),
    ],
    ids=["rgb", "indexed", "wrong checksum of what may be left out", "no palette", "unknown", "pixels", "end"],
)
def test_what_forbids_to_show_a_png(data: bytes, damage: str) -> None:
    assert png_damage(data) == damage
