"""What becomes of an image before it enters a session, and what the model is told of it."""

from __future__ import annotations

import io
import struct
import zlib
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from sessionkit.core.base64 import decode_canonical, encoded_size
from sessionkit.core.images import decode_fault
from sessionkit.core.ladder import Bounds, Fitted
from sessionkit.core.pixels import Size
from sessionkit.core.sniff import sniff
from sessionkit.errors import NotAnImageError
from sessionkit.ops.prepare import Options, Prepared, Resizing, prepare, shape_of
from sessionkit.providers.vision import Vision, read_catalog
from tests.pictures import animation, heic, images, picture

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WIDE = (2400, 300)
NOISE = Image.merge("RGB", [Image.effect_noise((64, 48), 200) for _ in "RGB"])
KEPT = Options(resizing=Resizing.REFUSE)
BLIND = "[Current model does not support images. The image will be omitted from this request.]"


def saved(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def turned(orientation: int, size: tuple[int, int] = (37, 23)) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return picture("JPEG", "L", size, exif=exif)


def claiming(width: int, height: int) -> bytes:
    """A PNG whose header says more than there is."""
    header = struct.pack(">4sIIBBBBB", b"IHDR", width, height, 8, 2, 0, 0, 0)
    data = picture("PNG")
    return data[:12] + header + struct.pack(">I", zlib.crc32(header)) + data[33:]


def small(**choices: Any) -> Options:  # noqa: ANN401  whatever Bounds takes
    return Options(bounds=Bounds(**choices))


def told(original: str, displayed: str, factor: str) -> str:
    return f"[Image: original {original}, displayed at {displayed}. Multiply coordinates by {factor} to map to original image.]"


def uneven(original: str, displayed: str, across: str, down: str) -> str:
    return f"[Image: original {original}, displayed at {displayed}. Multiply x by {across} and y by {down} to map to original image.]"


def of(name: str) -> bytes:
    return images()[name][1]


def attempt(data: bytes, options: Options) -> Prepared | NotAnImageError:
    try:
        return prepare(data, options)
    except NotAnImageError as error:
        return error


KEEPS: dict[str, tuple[Callable[[], bytes], Options, list[str]]] = {
    "png": (lambda: picture("PNG"), Options(), ["Read image file [image/png]"]),
    "jpeg": (lambda: picture("JPEG"), Options(), ["Read image file [image/jpeg]"]),
    "gif": (lambda: picture("GIF", "P"), Options(), ["Read image file [image/gif]"]),
    "webp": (lambda: picture("WEBP"), Options(), ["Read image file [image/webp]"]),
    "moving gif": (lambda: animation("GIF"), Options(), ["Read image file [image/gif]"]),
    "moving webp": (lambda: animation("WEBP"), Options(shape=shape_of("anthropic")), ["Read image file [image/webp]"]),
    "still gif for OpenAI": (lambda: picture("GIF", "P"), Options(shape=shape_of("openai-chat")), ["Read image file [image/gif]"]),
    "a side of 2000": (lambda: picture("PNG", "1", (2000, 2000)), Options(), ["Read image file [image/png]"]),
    "sideways": (lambda: turned(6), Options(), ["Read image file [image/jpeg]"]),
    "progressive": (lambda: of("jpeg progressive"), Options(), ["Read image file [image/jpeg]"]),
    "cmyk": (lambda: of("jpeg cmyk"), Options(), ["Read image file [image/jpeg]"]),
    "colour profile": (lambda: of("jpeg colour profile"), Options(), ["Read image file [image/jpeg]"]),
    "several pictures": (lambda: of("jpeg several pictures"), Options(), ["Read image file [image/jpeg]"]),
    "16 bit": (lambda: of("png I;16"), Options(), ["Read image file [image/png]"]),
    "bytes behind the end": (lambda: picture("PNG") + b"\n\n", Options(), ["Read image file [image/png]"]),
    "one character below the limit": (lambda: picture("PNG"), small(base64=817), ["Read image file [image/png]"]),
    "wide, not to be resized": (lambda: picture("PNG", size=WIDE), KEPT, ["Read image file [image/png]"]),
    "no vision": (lambda: picture("PNG"), Options(vision=Vision.NO), ["Read image file [image/png]", BLIND]),
    "model without vision": (lambda: picture("PNG"), Options(model="deepseek-v3"), ["Read image file [image/png]", BLIND]),
    "model with vision": (lambda: picture("PNG"), Options(model="gpt-5.5"), ["Read image file [image/png]"]),
    "unknown model": (lambda: picture("PNG"), Options(model="nobody-1"), ["Read image file [image/png]", BLIND]),
    "unknown model, vision": (lambda: picture("PNG"), Options(model="nobody-1", vision=Vision.YES), ["Read image file [image/png]"]),
    "model of a catalogue": (
        lambda: picture("PNG"),
        Options(model="me/nobody-1", catalog=read_catalog([{"provider": "me", "id": "nobody-1", "input": ["text", "image"]}])),
        ["Read image file [image/png]"],
    ),
}


@pytest.mark.parametrize("name", KEEPS)
def test_what_fits_stays_byte_for_byte(name: str) -> None:
    make, options, lines = KEEPS[name]
    data = make()
    prepared = prepare(data, options)
    assert isinstance(prepared.outcome, Fitted)
    assert prepared.outcome.data == data
    assert prepared.text.split("\n") == lines


REDRAWN: dict[str, tuple[Callable[[], bytes], Options, list[str]]] = {
    "a pixel too many": (lambda: picture("PNG", "1", (2001, 10)), Options(), [told("2001x10", "2000x10", "1.00")]),
    "screenshot": (lambda: picture("PNG", "1", (3840, 2160)), Options(), [told("3840x2160", "2000x1125", "1.92")]),
    "photo": (lambda: picture("JPEG", "L", (4032, 3024)), Options(), [told("4032x3024", "2000x1500", "2.02")]),
    "tower": (lambda: picture("PNG", "L", (1, 30_000)), Options(), [uneven("1x30000", "1x2000", "1.00", "15.00")]),
    "wall": (lambda: picture("PNG", "L", (30_000, 1)), Options(), [uneven("30000x1", "2000x1", "15.00", "1.00")]),
    "ribbon": (lambda: picture("PNG", "L", (10_000, 7)), Options(), [uneven("10000x7", "2000x1", "5.00", "7.00")]),
    "sideways": (lambda: turned(6, (3000, 100)), Options(), [told("100x3000", "67x2000", "1.49")]),
    "upside down": (lambda: turned(3, WIDE), Options(), [told("2400x300", "2000x250", "1.20")]),
    "mirrored sideways": (lambda: turned(5, WIDE), Options(), [told("300x2400", "250x2000", "1.20")]),
    "16 bit": (lambda: picture("PNG", "I;16", WIDE), Options(), [told("2400x300", "2000x250", "1.20")]),
    "cmyk": (lambda: picture("JPEG", "CMYK", WIDE), Options(), [told("2400x300", "2000x250", "1.20")]),
    "palette": (lambda: picture("PNG", "P", WIDE, transparency=0), Options(), [told("2400x300", "2000x250", "1.20")]),
    "moving gif": (
        lambda: animation("GIF"),
        small(side=30),
        ["[Image converted from image/gif to image/png: the first of 3 frames.]", told("37x23", "30x19", "1.23")],
    ),
    "moving webp": (
        lambda: animation("WEBP"),
        small(side=30),
        ["[Image converted from image/webp to image/png: the first of 3 frames.]", told("37x23", "30x19", "1.23")],
    ),
    "pages": (
        lambda: animation("TIFF"),
        Options(),
        ["[Image converted from image/tiff to image/png: the first of 3 frames.]", told("37x23", "37x23", "1.00")],
    ),
    "bmp": (
        lambda: picture("BMP"),
        Options(),
        ["[Image converted from image/bmp to image/png.]", told("37x23", "37x23", "1.00")],
    ),
    "wide bmp": (
        lambda: picture("BMP", size=WIDE),
        Options(),
        ["[Image converted from image/bmp to image/png.]", told("2400x300", "2000x250", "1.20")],
    ),
    "wide bmp, not to be resized": (
        lambda: picture("BMP", size=WIDE),
        KEPT,
        ["[Image converted from image/bmp to image/png.]", told("2400x300", "2400x300", "1.00")],
    ),
    "tiff": (
        lambda: of("tiff sideways"),
        Options(),
        ["[Image converted from image/tiff to image/png.]", told("23x37", "23x37", "1.00")],
    ),
    "avif": (lambda: of("avif"), Options(), ["[Image converted from image/avif to image/png.]", told("37x23", "37x23", "1.00")]),
    "moving gif for OpenAI": (
        lambda: animation("GIF"),
        Options(shape=shape_of("openai-responses")),
        ["[Image converted from image/gif to image/png: the first of 3 frames.]", told("37x23", "37x23", "1.00")],
    ),
    "all notes": (
        lambda: picture("BMP", size=WIDE),
        Options(vision=Vision.NO),
        ["[Image converted from image/bmp to image/png.]", told("2400x300", "2000x250", "1.20"), BLIND],
    ),
    "the limit is too much": (lambda: picture("PNG"), small(base64=816), [told("37x23", "27x17", "1.37")]),
}


@pytest.mark.parametrize("name", REDRAWN)
def test_what_does_not_fit_is_drawn_anew(name: str) -> None:
    make, options, lines = REDRAWN[name]
    prepared = prepare(make(), options)
    image = prepared.outcome
    assert isinstance(image, Fitted)
    assert prepared.text.split("\n") == [f"Read image file [{image.type.mime}]", *lines]
    shown = Image.open(io.BytesIO(image.data))
    assert Size(*shown.size) == image.size
    assert not {"exif", "icc_profile"}.intersection(shown.info)


REFUSED = {
    "empty": (b"", "x is empty"),
    "web page": (b"\n<!DOCTYPE html><html></html>", "x is a text, not an image: its content is HTML"),
    "answer of a server": (b'{"error": "gone"}', "x is a text, not an image: its content is JSON"),
    "text": (b"PNG image data", "x is a text, not an image"),
    "svg": (b"<svg/>", "x is a text, not an image: its content is SVG"),
    "pdf": (b"%PDF-1.7\0", "x looks like a binary file: its content is PDF"),
    "NUL within 8192 bytes": (b"a" * 8191 + b"\0", "x looks like a binary file"),
    "NUL behind them": (b"a" * 8192 + b"\0", "x is a text, not an image"),
    "apng": (animation("PNG"), "x is an animated PNG, which no model takes"),
    "jpeg-ls": (b"\xff\xd8\xff\xf7\0\x0b" + bytes(90), "x is a JPEG-LS image, which no model takes"),
    "heic": (heic((10, 10)), "x is HEIC, which cannot be decoded here"),
    "png cut by a byte": (picture("PNG")[:-1], "x is no PNG that can be shown: cut off: no IEND chunk"),
    "jpeg cut by a byte": (picture("JPEG")[:-1], "x is no JPEG that can be shown: cut off: no end of image"),
    "gif cut by a byte": (picture("GIF", "P")[:-1], "x is no GIF that can be shown: cut off: no trailer"),
    "webp cut by a byte": (picture("WEBP")[:-1], "x is no WEBP that can be shown: cut off: "),
    "bmp cut in half": (picture("BMP")[:1000], "x is no BMP that can be shown: image file is truncated"),
    "png with zeros inside": (picture("PNG")[:60] + bytes(400) + picture("PNG")[460:], "x is no PNG that can be shown: "),
    "bomb": (claiming(50_000, 50_000), "x is no PNG that can be shown: more than 120 megapixels, which are never decoded"),
    "bomb of 130 megapixels": (claiming(13_000, 10_000), "x is no PNG that can be shown: more than 120 megapixels"),
    "lying header": (claiming(9000, 9), "x is no PNG that can be shown: image file is truncated"),
    "png with a wrong checksum": (picture("PNG")[:-1] + b"\0", "x is no PNG that can be shown: the checksum of its chunk IEND is wrong"),
    "float": (picture("TIFF", "F"), "x is no TIFF that can be shown: its brightness is in numbers of 32 bits"),
    "nothing but a name": (b"GIF89a\0\0\0\0", "x is no GIF that can be shown: "),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("options", [Options(), KEPT, small(side=60_000)], ids=["resized", "not resized", "any side"])
def test_what_is_no_image_is_refused_with_the_reason(tmp_path: Path, name: str, options: Options) -> None:
    data, reason = REFUSED[name]
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(NotAnImageError) as caught:
        prepare(path, options)
    assert f"{caught.value.what}: {caught.value.why}".startswith(f"{tmp_path}/{reason}")
    assert caught.value.hint


def test_bytes_have_no_name() -> None:
    with pytest.raises(NotAnImageError, match=r"^the image looks like a binary file"):
        prepare(b"PK\3\4\0\0")


OMITTED = [
    pytest.param(picture("PNG"), small(base64=50), "a single pixel takes 50 characters of base64 or more.", id="nothing fits"),
    pytest.param(
        picture("PNG"),
        Options(bounds=Bounds(base64=800), resizing=Resizing.REFUSE),
        "its base64 has 816 characters, and fewer than 800 are allowed. Shrink the image, or allow resizing.",
        id="may not be resized",
    ),
]


@pytest.mark.parametrize(("data", "options", "reason"), OMITTED)
def test_where_nothing_fits_there_is_a_text(data: bytes, options: Options, reason: str) -> None:
    prepared = prepare(data, options)
    text = f"Read image file [image/png]\n[Image omitted: {reason}]"
    assert prepared.blocks == ({"type": "text", "text": text},)
    assert not isinstance(prepared.outcome, Fitted)


def test_a_conversion_that_is_too_large_is_left_out_when_it_may_not_be_resized() -> None:
    prepared = prepare(saved(NOISE, "BMP"), Options(bounds=Bounds(base64=2000), resizing=Resizing.REFUSE))
    assert prepared.text.startswith("Read image file [image/bmp]\n[Image omitted: its base64 has ")


@given(st.sampled_from(sorted(images())), st.integers(1, 60), st.integers(120, 4000), st.sampled_from(["native", "openai-chat"]))
def test_what_is_shown_is_always_within_bounds(name: str, side: int, most: int, shape: str) -> None:
    try:
        prepared = prepare(images()[name][1], Options(shape_of(shape), Bounds(side, most)))
    except NotAnImageError:
        assert name == "apng"
        return
    image = prepared.outcome
    assert isinstance(image, Fitted)
    assert max(image.size.width, image.size.height) <= side
    assert encoded_size(len(image.data)) < most
    assert sniff(image.data) == image.type
    assert decode_fault(image.data) is None
    match prepared.blocks[1]:
        case {"data": str(data)}:
            assert decode_canonical(data.encode()) == image.data
        case {"image_url": {"url": str(url)}}:
            prefix, _, data = url.partition(",")
            assert prefix == f"data:{image.type.mime};base64"
            assert decode_canonical(data.encode()) == image.data
        case block:
            raise AssertionError(block)


@given(st.sampled_from(sorted(images())), st.data())
def test_damage_is_a_reason_or_an_image(name: str, draw: st.DataObject) -> None:
    _, whole = images()[name]
    data = bytearray(whole[: draw.draw(st.integers(0, len(whole)))] or b"x")
    data[draw.draw(st.integers(0, len(data) - 1))] ^= draw.draw(st.integers(0, 255))
    match attempt(bytes(data), small(side=32, base64=2000)):
        case NotAnImageError(what=what, why=why):
            assert what.startswith("the image ")
            assert "\n" not in why
        case prepared:
            assert isinstance(prepared.outcome, Fitted)
            assert decode_fault(prepared.outcome.data) is None
