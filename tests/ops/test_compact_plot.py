"""The picture of a compaction."""

from __future__ import annotations

import builtins
import io
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from sessionkit.core.model import NOWHERE, Role
from sessionkit.errors import RefusedError
from sessionkit.ops.compact import At, Cost, Part
from sessionkit.ops.compact.plot import Chart, draw, png, rasterize
from sessionkit.ops.compact.plot.chart import Mark, columns, sums
from sessionkit.ops.compact.plot.scales import Scale
from sessionkit.ops.compact.plot.style import PARTS
from tests.packaging import requirement_of

if TYPE_CHECKING:
    from collections.abc import Sequence

SVG = "{http://www.w3.org/2000/svg}"


def costs(*parts: tuple[Part, int, int]) -> list[Cost]:
    """Messages of these parts, with their tokens, and those of their media."""
    return [Cost(At(index, Role.USER, NOWHERE), part, tokens, media) for index, (part, tokens, media) in enumerate(parts)]


SOME = costs((Part.SYSTEM, 50, 0), (Part.HISTORY, 100, 0), (Part.HISTORY, 300, 200), (Part.PREFIX, 10, 0), (Part.KEPT, 240, 240))
CHART = Chart("a.jsonl", "pi, keeping 200 tokens", SOME, Mark(4, "cut at #4"), Mark(800, "limit: 800 tokens"))


def drawn(chart: Chart) -> ET.Element:
    return ET.fromstring(draw(chart))  # noqa: S314  our own


def of_class(root: ET.Element, tag: str, name: str) -> list[ET.Element]:
    return [element for element in root.iter(f"{SVG}{tag}") if name in (element.get("class") or "").split()]


def number(element: ET.Element, name: str) -> float:
    return float(element.get(name) or "nan")


def test_it_can_be_read_without_eyes() -> None:
    root = drawn(CHART)
    assert root.get("role") == "img"
    title, description = (root.find(f"{SVG}{tag}") for tag in ("title", "desc"))
    assert title is not None
    assert description is not None
    assert (root.get("aria-labelledby") or "").split() == [title.get("id"), description.get("id")]
    assert title.text == "a.jsonl"
    assert description.text == (
        "pi, keeping 200 tokens. 50 tokens in 1 message are system. 400 tokens in 2 messages are summarised. "
        "10 tokens in 1 message are summarised: turn prefix. 240 tokens in 1 message are kept. limit: 800 tokens. cut at #4."
    )


def test_the_legend_names_the_parts_that_there_are() -> None:
    words = [element.text for element in drawn(CHART).iter(f"{SVG}text")]
    assert [text for text in words if text and ": " in text][:4] == [
        "system: 50",
        "summarised: 400",
        "summarised: turn prefix: 10",
        "kept: 240",
    ]


def test_heights_are_tokens() -> None:
    bars = of_class(drawn(CHART), "rect", "words")
    tallest = number(bars[2], "height")
    assert [round(number(bar, "height") / tallest * 300) for bar in bars] == [50, 100, 300, 10, 240]
    media = of_class(drawn(CHART), "rect", "media")
    assert [round(number(bar, "height") / tallest * 300) for bar in media] == [200, 240]
    assert [bar.get("class") for bar in media] == ["history media", "kept media"]


def test_areas_climb_to_the_sum() -> None:
    areas = [element for element in drawn(CHART).iter(f"{SVG}path") if element.get("class") in set(PARTS)]
    assert [area.get("class") for area in areas] == ["system", "history", "prefix", "kept"]
    tops = [min(map(float, re.findall(r"V([0-9.]+)H", area.get("d") or ""))) for area in areas]
    assert tops == sorted(tops, reverse=True)
    base = max(float(height) for area in areas for height in re.findall(r" ([0-9.]+)V", area.get("d") or ""))
    limit = float(re.findall(r" ([0-9.]+)H", of_class(drawn(CHART), "path", "mark")[0].get("d") or "")[0])
    assert [round((base - top) / (base - limit) * 800) for top in tops] == [50, 450, 460, 700]


def test_marks_only_where_there_is_something_to_mark() -> None:
    assert len(of_class(drawn(CHART), "path", "mark")) == 2
    root = drawn(Chart("a.jsonl", "nothing", SOME))
    assert of_class(root, "path", "mark") == []
    assert "cut" not in draw(Chart("a.jsonl", "nothing", SOME))


@pytest.mark.parametrize("found", [[], costs((Part.KEPT, 0, 0)), costs((Part.KEPT, 1, 0))], ids=len)
def test_hardly_anything(found: Sequence[Cost]) -> None:
    assert drawn(Chart("a.jsonl", "", found, Mark(len(found), "cut"), Mark(0, "limit"))).tag == f"{SVG}svg"


def test_many_messages_share_columns() -> None:
    many = costs(*[(Part.HISTORY, 2, 1)] * 3000, *[(Part.KEPT, 1, 0)] * 2000)
    bars = columns(many, 400)
    assert sum(bar.tokens for bar in bars) == 8000
    assert [bar.messages for bar in bars[:2]] == [range(13), range(13, 26)]
    assert {bar.part for bar in bars if 2990 in bar.messages or 3000 in bar.messages} == {Part.HISTORY, Part.KEPT}
    assert len(draw(Chart("a.jsonl", "", many))) < 100_000
    assert "tokens of each 12 messages" in draw(Chart("a.jsonl", "", many))


@given(st.lists(st.tuples(st.sampled_from(Part), st.integers(0, 10**7), st.integers(0, 10))), st.integers(1, 50))
def test_columns_lose_nothing(parts: list[tuple[Part, int, int]], most: int) -> None:
    found = costs(*parts)
    bars = columns(found, most)
    assert [index for bar in bars for index in bar.messages] == [*range(len(found))]
    assert all({found[index].part for index in bar.messages} == {bar.part} for bar in bars)
    assert sum(bar.tokens for bar in bars) == sum(one.tokens for one in sums(found)) == sum(cost.tokens for cost in found)
    stretches = sum(one.part is not other.part for one, other in pairwise(found)) + 1
    assert len(bars) <= most + stretches


@given(st.integers(1, 10**9))
def test_scales_name_round_numbers(most: int) -> None:
    ticks = Scale(most, 0, 100).ticks()
    assert min(most, 3) <= len(ticks) - 1 <= 7
    assert re.fullmatch("[125]0*", str(ticks.step))


@given(st.text(), st.text())
def test_any_words_can_be_drawn(title: str, words: str) -> None:
    chart = Chart(title, words, SOME, Mark(1, words), Mark(1, words))
    text = draw(chart)
    assert ET.fromstring(text).tag == f"{SVG}svg"  # noqa: S314
    assert text.replace("\n", "").isprintable()
    assert text == draw(chart)


def test_colours_for_dark_paper_are_other_ones() -> None:
    style = drawn(CHART).find(f"{SVG}style")
    assert style is not None
    light, dark = (style.text or "").split("@media (prefers-color-scheme:dark)")
    for part, look in PARTS.items():
        assert f".{part}{{fill:{look.light}}}" in light
        assert f".{part}{{fill:{look.dark}}}" in dark


def contrast(one: str, other: str) -> float:
    """Of two colours, as the guidelines on accessibility define it."""
    lights = []
    for colour in (one, other):
        shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
        lights.append(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    return (max(lights) + 0.05) / (min(lights) + 0.05)


@pytest.mark.parametrize("part", Part)
def test_parts_stand_out(part: Part) -> None:
    assert contrast(PARTS[part].light, "#ffffff") > 2.4
    assert contrast(PARTS[part].dark, "#18181b") > 3


def test_pixels() -> None:
    picture = rasterize(draw(CHART))
    with Image.open(io.BytesIO(picture)) as image:
        assert (image.format, image.size) == ("PNG", (1920, 1200))
        colours = {colour for _, colour in image.convert("RGB").getcolors(1 << 20) or ()}
    assert {tuple(bytes.fromhex(PARTS[part].light[1:])) for part in (Part.SYSTEM, Part.HISTORY, Part.KEPT)} <= colours
    assert picture == rasterize(draw(CHART))


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    find = builtins.__import__

    def refuse(name: str, *more: Any) -> Any:  # noqa: ANN401  the signature of an import
        if name == "resvg_py":
            raise ImportError(name)
        return find(name, *more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(RefusedError, match="a PNG cannot be drawn: the library resvg_py is not installed") as told:
        rasterize(draw(CHART))
    extra = f"pip install '{requirement_of('plot')}', which is the extra plot"
    assert told.value.hint == f"{extra}, or name a file that ends in .svg"


def test_without_a_font(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        png, "_WORDS", png._WORDS.replace("'DejaVu Sans','Liberation Sans','Noto Sans',Arial,Helvetica,sans-serif", "Nowhere")
    )
    with pytest.raises(RefusedError, match="a PNG cannot be drawn: none of the fonts is there that its words could be written in"):
        rasterize(draw(CHART))
