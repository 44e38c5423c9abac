"""The chart as SVG. The same chart gives the same bytes.

Colours follow the reader's light or dark scheme, and tell nothing that words do not tell too.
"""

from __future__ import annotations

from itertools import accumulate, groupby
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from sessionkit.ops.compact.plot.chart import columns, sums
from sessionkit.ops.compact.plot.scales import Scale
from sessionkit.ops.compact.plot.style import PARTS, STYLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.ops.compact.plot.chart import Chart, Column, Mark

_WIDTH, _HEIGHT = 960, 600
_LEFT, _RIGHT = 84, 936
_TOGETHER = (128, 376)
_EACH = (428, 546)
"""From top to bottom of the two panels: what the messages cost together, and each of them."""
_BELOW = 586
_MOST_COLUMNS = (_RIGHT - _LEFT) // 2
_NARROW = 3
"""Columns of so many pixels touch each other."""
_MARGIN = 16
_LETTER = 7
"""Width of a letter, on average."""


def draw(chart: Chart) -> str:
    """Draw the tokens of the messages together and one by one, with the limit and the cut."""
    return "".join(f"{line}\n" for line in _document(chart))


def _document(chart: Chart) -> Iterator[str]:
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    names = 'role="img" aria-labelledby="sessionkit-title sessionkit-description"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} {names}>'
    yield f'<title id="sessionkit-title">{_spell(chart.title)}</title>'
    yield f'<desc id="sessionkit-description">{_spell(_description(chart))}</desc>'
    yield f"<style>{STYLE}</style>"
    yield f'<rect class="paper" width="{_WIDTH}" height="{_HEIGHT}"/>'
    yield _words(_MARGIN, 30, chart.title, "title")
    yield _words(_MARGIN, 52, chart.subtitle)
    yield from _legend(chart)
    bars = columns(chart.costs, _MOST_COLUMNS)
    across = Scale(max(len(chart.costs), 1), _LEFT, _RIGHT)
    yield from _together(bars, across, chart.limit)
    yield from _each(bars, across)
    if chart.cut:
        yield from _cut(chart.cut, across)
    yield "</svg>"


def _description(chart: Chart) -> str:
    parts = [f"{found.tokens:,} tokens in {_messages(found.messages)} are {PARTS[found.part].name}" for found in sums(chart.costs)]
    marks = [mark.words for mark in (chart.limit, chart.cut) if mark]
    return "".join(f"{sentence}. " for sentence in (chart.subtitle, *parts, *marks)).strip()


def _messages(number: int) -> str:
    return f"{number:,} message{'' if number == 1 else 's'}"


def _legend(chart: Chart) -> Iterator[str]:
    left = _MARGIN
    for found in sums(chart.costs):
        words = f"{PARTS[found.part].name}: {found.tokens:,}"
        yield f'<rect class="{found.part}" x="{left}" y="70" width="12" height="12"/>'
        yield _words(left + 18, 81, words)
        left += 18 + _LETTER * len(words) + 12


def _together(bars: Sequence[Column], across: Scale, limit: Mark | None) -> Iterator[str]:
    """Draw an area for each stretch of one part, which climbs with every column."""
    tops = [*accumulate(bar.tokens for bar in bars)]
    up = Scale(max(tops[-1] if tops else 0, limit.at if limit else 0, 1), _TOGETHER[1], _TOGETHER[0])
    yield _words(_LEFT, _TOGETHER[0] - 25, "tokens of all messages up to here")
    yield from _grid(up)
    ends = iter(tops)
    for part, group in groupby(bars, lambda bar: bar.part):
        stretch = [*group]
        stairs = "".join(f"V{up.at(next(ends)):g}H{across.at(bar.messages.stop):g}" for bar in stretch)
        start = across.at(stretch[0].messages.start)
        yield f'<path class="{part}" d="M{start:g} {up.start:g}{stairs}V{up.start:g}Z"/>'
    if limit:
        height = up.at(limit.at)
        yield f'<path class="mark" d="M{_LEFT} {height:g}H{_RIGHT}"/>'
        yield _words(_LEFT + 6, height - 6, limit.words, "halo")


def _each(bars: Sequence[Column], across: Scale) -> Iterator[str]:
    up = Scale(max((bar.tokens for bar in bars), default=0) or 1, _EACH[1], _EACH[0])
    number = max((len(bar.messages) for bar in bars), default=1)
    which = "message" if number == 1 else _messages(number)
    yield _words(_LEFT, _EACH[0] - 12, f"tokens of each {which}; the full colour is images and documents")
    yield from _grid(up)
    for bar in bars:
        left, right = across.at(bar.messages.start), across.at(bar.messages.stop)
        gap = 1 if right - left > _NARROW else 0
        yield f"<g><title>{_spell(_told(bar))}</title>"
        for tokens, kind in ((bar.tokens, "words"), (bar.media_tokens, "media")):
            top = up.at(tokens)
            if tokens:
                place = f'x="{left:g}" y="{top:g}" width="{round(right - left - gap, 1):g}" height="{round(up.start - top, 1):g}"'
                yield f'<rect class="{bar.part} {kind}" {place}/>'
        yield "</g>"
    for index in across.ticks():
        yield _words(across.at(index), _EACH[1] + 18, f"#{index}", "middle")


def _cut(cut: Mark, across: Scale) -> Iterator[str]:
    """Draw a line through both panels, with its words below them on the side that has room."""
    x = across.at(cut.at)
    yield f'<path class="mark" d="M{x:g} {_TOGETHER[0] - 8}V{_BELOW}"/>'
    is_right = x > (_LEFT + _RIGHT) / 2
    yield _words(x - 6 if is_right else x + 6, _BELOW, cut.words, "end" if is_right else "")


def _grid(up: Scale) -> Iterator[str]:
    for tokens in up.ticks():
        height = up.at(tokens)
        yield f'<path class="grid" d="M{_LEFT} {height:g}H{_RIGHT}"/>'
        yield _words(_LEFT - 8, height + 4, f"{tokens:,}", "end")


def _told(bar: Column) -> str:
    first, last = bar.messages.start, bar.messages.stop - 1
    which = f"#{first}" if first == last else f"#{first} to #{last}"
    media = f", of which {bar.media_tokens:,} are media" if bar.media_tokens else ""
    return f"{which}, {PARTS[bar.part].name}: {bar.tokens:,} tokens{media}"


def _words(x: float, y: float, words: str, style: str = "") -> str:
    named = f' class="{style}"' if style else ""
    return f'<text{named} x="{round(x, 1):g}" y="{round(y, 1):g}">{_spell(words)}</text>'


def _spell(words: str) -> str:
    """Write words so that XML can hold them, and nobody sees what cannot be seen."""
    return escape("".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in words))
