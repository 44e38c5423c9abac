"""Content alone says what bytes are."""

from __future__ import annotations

from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core import sniff as types
from sessionkit.core.base64 import encode
from sessionkit.core.sniff import HEAD_SIZE, KNOWN_EXTENSIONS, Family, MediaType, is_animated_png, sniff, sniff_base64
from tests.pictures import animation, bmp, ftyp, heic, images, picture

HEADS: list[tuple[bytes, MediaType]] = [
    (b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", types.PNG),
    (b"\x89PNG\r\n\x1a\n\0\0\0\x0eIHDR", types.BIN),
    (b"\x89PNG\r\n\x1a\n\0\0\0\x04CgBI\0\0\0\0\0\0\0\0\0\0\0\x0dIHDR", types.BIN),
    (b"\x89PNG\n\x1a\n\0\0\0\x0dIHDR", types.BIN),
    (b"\xff\xd8\xff\xe0", types.JPEG),
    (b"\xff\xd8\xff\xdb", types.JPEG),
    (b"\xff\xd8\xff", types.JPEG),
    (b"\xff\xd8\xff\xf7\x00\x0b", types.BIN),
    (b"\xff\xd8", types.BIN),
    (b"GIF87a", types.GIF),
    (b"GIF89a", types.GIF),
    (b"gif89a", types.BIN),
    (b"RIFF\x0a\n\0\0WEBPVP8 ", types.WEBP),
    (b"RIFF\x0a\n\0\0WEB", types.BIN),
    (b"II*\0", types.TIFF),
    (b"MM\0*", types.TIFF),
    (b"II\0*", types.BIN),
    (b"%PDF-1.7\n", types.PDF),
    (b"\n%PDF-1.7\n", types.BIN),
    (ftyp("avif", "avif", "mif1"), types.AVIF),
    (ftyp("avis", "avif", "avis"), types.AVIF),
    (ftyp("mif1", "mif1", "miaf", "avif"), types.AVIF),
    (ftyp("heic", "mif1", "heic"), types.HEIC),
    (ftyp("heix"), types.HEIC),
    (ftyp("mif1", "mif1", "heic"), types.HEIC),
    (heic((100, 50)), types.HEIC),
    (ftyp("M4A ", "isom"), types.M4A),
    (ftyp("isom", "avc1"), types.MP4),
    (ftyp("mp42", "isom"), types.MP4),
    (ftyp("qt  "), types.QUICKTIME),
    (ftyp("crx ", "isom"), types.BIN),
    (b"RIFF\x24\0\0\0WAVEfmt ", types.WAV),
    (b"RIFF\x24\0\0\0AVI LIST", types.AVI),
    (b"FORM\0\0\0\0AIFFCOMM", types.AIFF),
    (b"ID3\x04\0\0\0\0\0\0", types.MP3),
    (b"\xff\xfb\x90\x64", types.MP3),
    (b"\xff\xfe<\0s\0v\0g\0", types.BIN),
    (b"OggS\0\x02", types.OGG),
    (b"fLaC\0\0\0\x22", types.FLAC),
    (b"\xff\xf1\x50\x80", types.AAC),
    (b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm", types.WEBM),
    (b"\x1a\x45\xdf\xa3\xa3\x42\x86\x81\x01\x42\x82\x88matroska", types.MATROSKA),
    (b"", types.BIN),
    (b"\0", types.BIN),
    (b"PK\x03\x04", types.BIN),
    (b"hello, world", types.BIN),
]

SVGS = [
    b"<svg>",
    b"<svg/>",
    b'<svg xmlns="http://www.w3.org/2000/svg">',
    b"\xef\xbb\xbf <svg\n>",
    b'<?xml version="1.0"?>\n<svg >',
    b'<?xml version="1.0"?><!-- made by > hand -->\n<?style?>\n<!-- again --><svg >',
    b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n<svg >',
    b'<!DOCTYPE svg [\n<!ENTITY ns "http://www.w3.org/2000/svg">\n]>\n<svg >',
    b'<svg:svg xmlns:svg="http://www.w3.org/2000/svg">',
    b"<!--" + b" long " * 300 + b"--><svg >",
]
NOT_SVGS = [
    b"<svg",
    b"<svgs>",
    b"<SVG>",
    b"see <svg>",
    b"<html><svg>",
    b"<!-- <svg> -->",
    b"<!-- <svg>",
    b"<?xml version='1.0'?><html/>",
    b"<!DOCTYPE html><html><svg>",
    b" " * HEAD_SIZE + b"<svg>",
]


@pytest.mark.parametrize("name", images())
def test_real_pictures(name: str) -> None:
    ext, data = images()[name]
    assert sniff(data).ext == ext
    assert sniff(data).family is Family.IMAGE


@pytest.mark.parametrize(("head", "media"), HEADS)
def test_heads(head: bytes, media: MediaType) -> None:
    assert sniff(head) is media
    assert sniff(memoryview(b"{" + head)[1:]) is media


@pytest.mark.parametrize("text", SVGS)
def test_svg_is_text_whose_first_element_is_svg(text: bytes) -> None:
    assert sniff(text) is types.SVG


@pytest.mark.parametrize("text", NOT_SVGS)
def test_text_about_svg_is_not_svg(text: bytes) -> None:
    assert sniff(text) is types.BIN


def _patched(offset: int, field: bytes) -> bytes:
    data = bytearray(bmp(40, 3, 2))
    data[offset : offset + len(field)] = field
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "media"),
    [
        pytest.param(bmp(40, 3, 2), types.BMP, id="info header"),
        pytest.param(bmp(12, 3, 2), types.BMP, id="core header"),
        pytest.param(_patched(2, bytes(4)), types.BMP, id="no file size"),
        pytest.param(_patched(2, b"\x36\0\0\0"), types.BIN, id="file ends before the pixels"),
        pytest.param(_patched(10, b"\x35\0\0\0"), types.BIN, id="pixels inside the header"),
        pytest.param(_patched(14, b"\x29\0\0\0"), types.BIN, id="unknown header size"),
        pytest.param(_patched(26, b"\x02\0"), types.BIN, id="two planes"),
        pytest.param(bmp(40, 3, 2)[:25], types.BIN, id="cut in the header"),
        pytest.param(b"BM is short for bitmap, which this is not", types.BIN, id="text"),
    ],
)
def test_bmp_needs_a_plausible_header(data: bytes, media: MediaType) -> None:
    assert sniff(data) is media


def test_audio_and_video_are_kept_apart_from_pictures_and_have_no_extension_of_their_own() -> None:
    heard_or_seen = [media for _, media in HEADS if media.family in (Family.AUDIO, Family.VIDEO)]
    assert {media.ext for media in heard_or_seen} == {"bin"}
    assert {media.mime.partition("/")[0] == media.family for media in heard_or_seen} == {True}


def test_the_known_extensions() -> None:
    assert {"png", "jpg", "gif", "webp", "bmp", "tiff", "avif", "heic", "svg", "pdf", "bin"} == KNOWN_EXTENSIONS


@given(st.sampled_from([head for head, _ in HEADS] + SVGS + NOT_SVGS), st.binary(), st.integers(0, 40))
def test_any_bytes_have_a_type_and_their_base64_has_the_same(head: bytes, tail: bytes, cut: int) -> None:
    for data in (head[:cut], head[:cut] + tail, head + tail):
        assert sniff_base64(encode(data)) is sniff(data)


@pytest.mark.parametrize("text", [b"", b"not base64", b"\\u0069VBORw0KGgo", b"images/x.png", b"data:image/gif;base64,R0lGODlh"])
def test_what_is_not_base64_has_no_type(text: bytes) -> None:
    assert sniff_base64(text) is types.BIN


def test_wrapped_base64_still_shows_its_head() -> None:
    text = encode(picture("PNG"))
    assert sniff_base64(text[:76] + b"\r\n" + text[76:]) is types.PNG


@pytest.mark.parametrize("hostile", [b"<!---->" * 400 + b"x", b"<??>" * 700, b"<!DOCTYPE[" + b"]" * 3000, b" " * HEAD_SIZE, b"<!--" * 700])
def test_hostile_heads_are_nothing_known(hostile: bytes) -> None:
    assert sniff(hostile) is types.BIN


def test_an_animated_png_is_a_png_that_says_so_before_its_pixels() -> None:
    animated, still = animation("PNG"), picture("PNG")
    control = b"acTL" + bytes(8)
    late = still[:-12] + b"\0\0\0\x08" + control + crc32(control).to_bytes(4, "big") + still[-12:]
    assert sniff(animated) is types.PNG
    assert [is_animated_png(data) for data in (animated, still, late)] == [True, False, False]


@given(st.integers(0, 200), st.binary(max_size=20))
def test_a_cut_png_is_not_known_to_be_animated(cut: int, tail: bytes) -> None:
    assert not is_animated_png(animation("PNG")[: cut % 33] + tail.replace(b"acTL", b""))
