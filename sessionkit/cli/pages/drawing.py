"""A timeline as SVG in the page: tokens of the context and bytes of the request, message by message."""

from __future__ import annotations

from itertools import accumulate, groupby
from math import ceil
from typing import TYPE_CHECKING

from sessionkit.cli.pages.markup import Html, element, join, start, text
from sessionkit.cli.reports.compact.words import gate, place
from sessionkit.cli.sizes import count, size
from sessionkit.ops.compact.plot.chart import columns, sums
from sessionkit.ops.compact.plot.scales import Scale
from sessionkit.ops.compact.plot.style import PARTS
from sessionkit.tokens.gates import Watermark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sessionkit.ops.compact.plot.chart import Column
    from sessionkit.ops.gallery import Cut, Timeline

_WIDTH, _HEIGHT = 1100, 284
_LEFT, _RIGHT = 72, 1080
_TOKENS = (46, 148)
_BYTES = (188, 254)
"""From top to bottom of the two panels."""
_NAMES_END = 230
"""Where the names of the panels end."""
_MARKS = 155
_LINE = 14
"""Pixels from one number to the next, so that they do not touch."""
_MOST_COLUMNS = (_RIGHT - _LEFT) // 2


def draw_timeline(timeline: Timeline, name: str) -> Html:
    """Draw it, with all of it in words; `name` makes its ids the only ones."""
    hint = element("p", text("The chart goes on to the right: scroll it sideways."), class_="sideways")
    return element(
        "figure",
        element("figcaption", element("b", text("Context")), text(f" {_caption(timeline)}"), *_legend(timeline)),
        hint,
        element("div", _svg(timeline, name), class_="paper", role="region", tabindex=0, aria_label="timeline of the context"),
        class_="timeline",
    )


def _caption(timeline: Timeline) -> str:
    total = sum(number or 0 for number in timeline.bytes)
    known = "" if None not in timeline.bytes else ", and of lost assets nobody knows"
    words = f"{timeline.tokens:,} tokens by the profile {timeline.profile}, about {size(total)} on the wire{known}"
    return f"of the next request: {count(len(timeline.costs), 'message')}, {words}. {' '.join(_sentences(timeline))}"


def _sentences(timeline: Timeline) -> Iterator[str]:
    words = gate(timeline.gate)
    yield f"{words[0].upper()}{words[1:]}."
    if timeline.gate.tokens != timeline.tokens:
        yield "The gate goes by what the provider has counted, the chart by the profile."
    for cut in timeline.cuts:
        yield f"{_words(cut)}."


def _words(cut: Cut) -> str:
    if cut.recorded is None:
        return f"A compaction now would cut before {place(cut.at)}"
    recorded = cut.recorded
    after = f" to {recorded.tokens_after:,}" if recorded.tokens_after is not None else ""
    tokens = f", from {recorded.tokens_before:,}{after} tokens" if recorded.tokens_before is not None else ""
    return f"Its agent compacted at line {recorded.origin.line:,}{tokens}"


def _legend(timeline: Timeline) -> Iterator[Html]:
    items = [
        element("li", element("span", class_=f"swatch part-{one.part}"), text(f"{PARTS[one.part].name}: {one.tokens:,} tokens"))
        for one in sums(timeline.costs)
    ]
    if any(timeline.images):
        items.append(element("li", element("span", class_="swatch picture"), text("a message with images")))
    yield element("ul", *items, class_="legend")


def _svg(timeline: Timeline, name: str) -> Html:
    across = Scale(max(len(timeline.costs), 1), _LEFT, _RIGHT)
    bars = columns(timeline.costs, _MOST_COLUMNS)
    inner = join(
        element("title", text("Tokens and bytes of the context by message"), id=f"{name}-title"),
        *_tokens(timeline, bars, across),
        *_bytes(timeline, bars, across),
        *_images(timeline, bars, across),
        *_cuts(timeline, across),
        *_names(timeline),
        *(_text(across.at(index), _HEIGHT - 14, f"#{index}", "middle") for index in across.ticks()),
    )
    return element("svg", inner, viewBox=f"0 0 {_WIDTH} {_HEIGHT}", role="img", aria_labelledby=f"{name}-title")


def _tokens(timeline: Timeline, bars: Sequence[Column], across: Scale) -> Iterator[Html]:
    tops = [*accumulate(bar.tokens for bar in bars)]
    up = _tokens_up(timeline)
    yield from _grid(up, lambda tokens: f"{tokens:,}")
    yield from _area(bars, tops, across, up)
    if timeline.gate.threshold is not None:
        yield element("path", class_="watermark", d=f"M{_LEFT} {up.at(timeline.gate.threshold):g}H{_RIGHT}")


def _tokens_up(timeline: Timeline) -> Scale:
    return Scale(max(timeline.tokens, timeline.gate.threshold or 0, 1), _TOKENS[1], _TOKENS[0])


def _names(timeline: Timeline) -> Iterator[Html]:
    """Name the panels and the limit, above the lines that cross them."""
    yield _text(0, _TOKENS[0] - 18, "tokens of the messages up to here")
    yield _text(0, _BYTES[0] - 12, "bytes on the wire up to here")
    limit = timeline.gate.threshold
    if limit is not None:
        height = _tokens_up(timeline).at(limit)
        base = height - 5 if height > _TOKENS[0] + _LINE else height + _LINE  # above the line, unless the name of the panel is there
        yield _text(_LEFT + 6, base, f"{_gate_name(timeline.gate.gate)} {limit:,}", "halo")


def _gate_name(name: str) -> str:
    return name if name == Watermark.name else f"gate {name}"


def _bytes(timeline: Timeline, bars: Sequence[Column], across: Scale) -> Iterator[Html]:
    tops = [*accumulate(sum(timeline.bytes[index] or 0 for index in bar.messages) for bar in bars)]
    up = Scale(tops[-1] if tops and tops[-1] else 1, _BYTES[1], _BYTES[0])
    yield from _grid(up, size)
    yield from _area(bars, tops, across, up)


def _area(bars: Sequence[Column], tops: Sequence[int], across: Scale, up: Scale) -> Iterator[Html]:
    """Draw stairs that climb with every message, a piece for each part."""
    ends = iter(tops)
    for part, group in groupby(bars, lambda bar: bar.part):
        stretch = [*group]
        stairs = "".join(f"V{up.at(next(ends)):g}H{across.at(bar.messages.stop):g}" for bar in stretch)
        yield element("path", class_=f"part-{part}", d=f"M{across.at(stretch[0].messages.start):g} {up.start:g}{stairs}V{up.start:g}Z")


def _images(timeline: Timeline, bars: Sequence[Column], across: Scale) -> Iterator[Html]:
    """Put a mark below each message that holds images."""
    for bar in bars:
        number = sum(timeline.images[index] for index in bar.messages)
        if number:
            x = across.at((bar.messages.start + bar.messages.stop) / 2)
            title = element("title", text(f"#{bar.messages.start}: {count(number, 'image')}"))
            yield join(start("g", class_="image"), title, element("rect", x=x - 2.5, y=_MARKS, width=5, height=5), Html("</g>"))


def _cuts(timeline: Timeline, across: Scale) -> Iterator[Html]:
    """Draw a line through both panels for each place, and above all lines how many cuts each stands for."""
    labels = []
    for index, group in groupby(sorted(timeline.cuts, key=lambda cut: cut.at.index), lambda cut: cut.at.index):
        cuts = [*group]
        x = across.at(index)
        is_right = x > (_LEFT + _RIGHT) / 2
        words = _label(cuts)
        style = "recorded" if all(cut.recorded for cut in cuts) else "preview"
        yield element("path", class_=f"cut {style}", d="".join(f"M{x:g} {top}V{bottom}" for top, bottom in _pieces(x)))
        labels.append(_text(x - 5 if is_right else x + 5, _TOKENS[0] - 34, words, "end halo" if is_right else "halo"))
    yield from labels


def _pieces(x: float) -> tuple[tuple[int, int], ...]:
    """From top to bottom of a line through both panels, with gaps for their names where those stand."""
    top, bottom = _TOKENS[0] - 44, _BYTES[1]
    if x > _NAMES_END:
        return ((top, bottom),)
    return (top, _TOKENS[0] - 30), (_TOKENS[0] - 12, _BYTES[0] - 24), (_BYTES[0] - 7, bottom)


def _label(cuts: Sequence[Cut]) -> str:
    recorded = sum(cut.recorded is not None for cut in cuts)
    words = [f"{count(recorded, 'compaction')} by its agent"] if recorded else []
    return ", ".join([*words, *["preview's cut"] * (recorded < len(cuts))])


def _grid(up: Scale, spell: Callable[[int], str]) -> Iterator[Html]:
    ticks = up.ticks()
    lines = abs(up.at(ticks.step) - up.start)
    for number in ticks[:: max(1, ceil(_LINE / lines))]:
        height = up.at(number)
        yield element("path", class_="grid", d=f"M{_LEFT} {height:g}H{_RIGHT}")
        yield _text(_LEFT - 8, height + 4, spell(number), "end")


def _text(x: float, y: float, words: str, style: str | None = None) -> Html:
    return element("text", text(words), class_=style, x=f"{round(x, 1):g}", y=f"{round(y, 1):g}")
