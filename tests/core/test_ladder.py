"""The way down to a picture within bounds: what is kept, what is tried first, and what the model is told."""

from __future__ import annotations

import io
import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageOps

from sessionkit.core.base64 import encoded_size
from sessionkit.core.images import decode
from sessionkit.core.ladder import PORTABLE, Bounds, Fitted, Overlarge, coordinate_note, fit
from sessionkit.core.pixels import Size, pixel_size
from sessionkit.core.sniff import JPEG, PNG, sniff
from tests.pictures import HEIGHT, WIDTH, animation, images, picture

if TYPE_CHECKING:
    from collections.abc import Callable

PICTURES = sorted(images())
FIXTURES = Path(__file__).parents[2] / "fixtures"
NOISE = Image.merge("RGB", [Image.effect_noise((64, 48), 200) for _ in "RGB"])


def saved(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def fitted(data: bytes, bounds: Bounds = PORTABLE) -> Fitted:
    result = fit(data, bounds)
    assert isinstance(result, Fitted), result
    return result


def difference(image: Image.Image, other: Image.Image) -> int:
    """The largest of any channel of any pixel."""
    assert image.size == other.size
    extremes = ImageChops.difference(image.convert("RGBA"), other.convert("RGBA")).getextrema()
    return max(int(high) for _, high in extremes)  # type: ignore[misc]  # of four channels, a pair each


@pytest.mark.parametrize(
    ("size", "within"),
    [
        ((2000, 2000), (2000, 2000)),
        ((2400, 300), (2000, 250)),
        ((4032, 3024), (2000, 1500)),
        ((3024, 4032), (1500, 2000)),
        ((3000, 5000), (1200, 2000)),  # by way of 2000x3333
        ((4000, 1), (2000, 1)),
        ((4000, 3), (2000, 2)),
        ((9000, 1), (2000, 1)),
        ((1, 9000), (1, 2000)),
    ],
)
def test_sides(size: tuple[int, int], within: tuple[int, int]) -> None:
    assert PORTABLE.fitting(Size(*size)) == Size(*within)


@given(st.integers(1, 50_000), st.integers(1, 50_000), st.integers(1, 9000))
def test_sides_keep_their_proportion(width: int, height: int, side: int) -> None:
    size = Bounds(side).fitting(Size(width, height))
    assert 0 < size.width <= side
    assert 0 < size.height <= side
    assert size == Size(width, height) or side in {size.width, size.height}
    assert abs(size.width * height - size.height * width) <= 2 * max(width, height)


@pytest.mark.parametrize("name", PICTURES)
def test_what_is_within_bounds_comes_back_as_it_is(name: str) -> None:
    ext, data = images()[name]
    bounds = Bounds(side=9000)
    result = fitted(data, bounds)
    if ext in {"png", "jpg", "gif", "webp"}:
        assert (result.data, result.type, result.notes) == (data, sniff(data), ())
        assert result.size == result.original
    else:
        size = f"{result.size.width}x{result.size.height}"
        assert result.notes == (
            f"[Image: original {size}, displayed at {size}. Multiply coordinates by 1.00 to map to original image.]",
            f"[Image converted from {sniff(data).mime} to image/png{': the first of 3 frames' * ('animated' in name)}.]",
        )
        assert difference(opened(result.data), ImageOps.exif_transpose(opened(data))) == 0


@pytest.mark.parametrize("name", PICTURES)
def test_what_is_not_is_shrunk_and_stands_upright(name: str) -> None:
    _, data = images()[name]
    result = fitted(data, Bounds(side=20))
    shown = ImageOps.exif_transpose(opened(data))
    assert result.original == Size(*shown.size)
    assert max(result.size.width, result.size.height) == 20
    assert pixel_size(result.data, result.type) == result.size
    assert result.notes[0] == coordinate_note(result.original, result.size)


def test_a_damaged_picture_within_bounds_is_not_looked_into() -> None:
    data = picture("PNG")[:40]
    assert fit(data) == Fitted(data, PNG, Size(WIDTH, HEIGHT), Size(WIDTH, HEIGHT))


def test_the_limit_of_base64_is_too_much() -> None:
    data = picture("PNG")
    length = encoded_size(len(data))
    assert fitted(data, Bounds(base64=length + 1)).data == data
    assert fitted(data, Bounds(base64=length)).data != data


ENCODINGS: list[Callable[[bytes], bytes]] = [
    lambda data: decode(data, Size(64, 48)).png(),
    *(partial(lambda quality, data: decode(data, Size(64, 48)).jpeg(quality), quality) for quality in (80, 70, 55, 40)),
    lambda data: decode(data, Size(64, 48)).resized(Size(48, 36)).jpeg(80),
    lambda data: decode(data, Size(64, 48)).resized(Size(48, 36)).jpeg(40),
]


@pytest.mark.parametrize("encode", ENCODINGS)
def test_the_first_encoding_below_the_limit_is_taken(encode: Callable[[bytes], bytes]) -> None:
    data = saved(NOISE, "BMP")
    expected = encode(data)
    result = fitted(data, Bounds(base64=encoded_size(len(expected)) + 1))
    assert result.data == expected
    assert result.notes[-1] == f"[Image converted from image/bmp to {result.type.mime}.]"


def test_sizes_go_down_by_a_quarter_until_a_single_pixel_is_too_much() -> None:
    data = saved(NOISE)
    smallest = fitted(data, Bounds(base64=93))
    assert (smallest.type, smallest.size) == (PNG, Size(1, 1))
    assert fit(data, Bounds(base64=50)) == Overlarge("a single pixel takes 50 characters of base64 or more")


@pytest.mark.parametrize(
    ("original", "displayed", "factor"),
    [
        ((2400, 300), (2000, 250), "coordinates by 1.20"),
        ((100, 100), (100, 100), "coordinates by 1.00"),
        ((2250, 10), (2000, 9), "coordinates by 1.13"),
        ((2010, 10), (2000, 10), "coordinates by 1.00"),  # as a binary fraction it is less than 1.005
        ((4000, 21), (2000, 11), "coordinates by 2.00"),
        ((4000, 13), (2000, 7), "x by 2.00 and y by 1.86"),
        ((9000, 1), (30, 1), "x by 300.00 and y by 1.00"),
    ],
)
def test_the_factor_of_coordinates(original: tuple[int, int], displayed: tuple[int, int], factor: str) -> None:
    assert f" Multiply {factor} to map to original image.]" in coordinate_note(Size(*original), Size(*displayed))


def test_the_note_is_worded_as_agents_word_it() -> None:
    lines = (FIXTURES / "pi" / "session" / "session.jsonl").read_text().splitlines()
    texts = [block["text"] for line in lines for block in json.loads(line).get("message", {}).get("content", []) if "text" in block]
    assert any(coordinate_note(Size(2400, 300), Size(2000, 250)) in text for text in texts)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_orientation(kind: str, orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    corners = Image.new("RGB", (2, 2))
    corners.putdata([(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)])
    data = saved(corners.resize((240, 160), Image.Resampling.NEAREST), kind, exif=exif)
    result = fitted(data, Bounds(side=60))
    shown = ImageOps.exif_transpose(opened(data)).convert("RGB")
    size = (60, 40) if orientation < 5 else (40, 60)
    assert opened(result.data).size == size
    assert difference(opened(result.data), shown.resize(size, Image.Resampling.LANCZOS)) < 60
    assert "exif" not in opened(result.data).info


def test_a_picture_of_many_strips_has_no_seams() -> None:
    image = Image.merge("RGBA", [Image.effect_noise((2600, 3100), 80) for _ in range(4)])
    result = fitted(saved(image, "BMP"), Bounds(side=700, base64=10**9))
    assert difference(opened(result.data), opened(saved(image, "BMP")).resize((587, 700), Image.Resampling.LANCZOS)) <= 1


@pytest.mark.parametrize(
    ("image", "shown"),
    [
        pytest.param(Image.new("1", (80, 80), 1), (255, 255, 255, 255), id="1 bit"),
        pytest.param(Image.new("L", (80, 80), 90), (90, 90, 90, 255), id="grey"),
        pytest.param(Image.new("LA", (80, 80), (90, 0)), (0, 0, 0, 0), id="transparent grey"),
        pytest.param(Image.new("I;16", (80, 80), 0x8012), (128, 128, 128, 255), id="16 bit"),
        pytest.param(Image.new("RGB", (80, 80), "red").quantize(4), (255, 0, 0, 255), id="palette"),
        pytest.param(Image.new("RGBA", (80, 80), (255, 0, 0, 128)), (255, 0, 0, 128), id="half transparent"),
    ],
)
def test_modes(image: Image.Image, shown: tuple[int, int, int, int]) -> None:
    result = opened(fitted(saved(image), Bounds(side=40)).data).convert("RGBA")
    assert difference(result, Image.new("RGBA", (40, 40), shown)) <= 1


@pytest.mark.parametrize(("kind", "transparency"), [("GIF", 0), ("PNG", 0), ("PNG", bytes([0, 255]))])
def test_a_transparent_colour_of_a_palette_stays_transparent(kind: str, transparency: int | bytes) -> None:
    image = Image.new("P", (80, 80), 0)
    image.putpalette([9, 9, 9, 200, 0, 0])
    image.paste(1, (0, 40, 80, 80))
    result = opened(fitted(saved(image, kind, transparency=transparency), Bounds(side=40)).data).convert("RGBA")
    assert result.getpixel((20, 2)) == (0, 0, 0, 0)
    assert result.getpixel((20, 38)) == (200, 0, 0, 255)


def test_cmyk() -> None:
    image = Image.new("CMYK", (80, 80), (0, 255, 255, 0))
    result = opened(fitted(saved(image, "JPEG"), Bounds(side=40)).data)
    assert difference(result, Image.new("RGB", (40, 40), (255, 0, 0))) < 5


@pytest.mark.parametrize("mode", ["LA", "RGBA"])
def test_what_is_transparent_becomes_white_where_nothing_can_be(mode: str) -> None:
    noise = Image.merge(mode, [Image.effect_noise((64, 64), 200) for _ in mode])
    noise.putalpha(Image.new("L", (64, 64), 0))
    result = opened(decode(saved(noise), Size(64, 64)).jpeg(80))
    assert difference(result, Image.new("RGB", (64, 64), "white")) == 0


@pytest.mark.parametrize("kind", ["PNG", "GIF", "WEBP"])
def test_the_first_frame_of_an_animation_is_left(kind: str) -> None:
    data = animation(kind)
    result = fitted(data, Bounds(types=frozenset({JPEG})))
    assert difference(opened(result.data), opened(data)) == 0
    assert not getattr(opened(result.data), "is_animated", False)


def test_a_type_that_is_refused_is_converted_and_says_so() -> None:
    result = fitted(picture("WEBP"), Bounds(types=frozenset({PNG, JPEG})))
    assert (result.type, result.notes[-1]) == (PNG, "[Image converted from image/webp to image/png.]")
