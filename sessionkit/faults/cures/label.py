"""Another label: the bytes stay, only what is said of their type changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.faults.base import Splice
from sessionkit.faults.cures.tokens import added, gathered, inside, replaced, type_span, written
from sessionkit.faults.exhibits import Form
from sessionkit.faults.places import outer_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.faults.base import Cure
    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.faults.lines import Lines
    from sessionkit.faults.places import Places

_NAMES = {Form.SOURCE: "media_type", Form.DATA: "mimeType", Form.PART: "mimeType"}
"""What the label is called in blocks that should have one."""


def relabel(lines: Lines, exhibits: Iterable[Exhibit], mime: str) -> Cure:
    """Say of exhibits that they are of this type: in the member beside the data, and in the prefix of a data URL.

    Where a block lacks the member that its shape asks for, it is added.
    """
    return gathered(splice for exhibit in exhibits for splice in _relabelled(lines.places(exhibit.line), exhibit, mime))


def label_member(places: Places, exhibit: Exhibit, mime: str) -> Iterator[Splice]:
    """Change or add the member that names the type. Nothing where the shape has none, or has it in the data URL."""
    shown = f"type {mime}"
    if exhibit.label is not None:
        yield replaced(places, exhibit.label, written(mime), shown)
    elif exhibit.value is not None and exhibit.form in _NAMES:
        yield added(places, outer_of(exhibit.value), written(_NAMES[exhibit.form]) + b":" + written(mime), shown)


def label_prefix(prefix: str, mime: str) -> str:
    """Name another type in `data:<type>[;<parameter>…];base64,`; an empty prefix stays empty."""
    span = type_span(f'"{prefix}'.encode())
    return prefix if span is None else f"{prefix[: span[0] - 1]}{mime}{prefix[span[1] - 1 :]}"


def _relabelled(places: Places, exhibit: Exhibit, mime: str) -> Iterator[Splice]:
    if exhibit.label is not None or not exhibit.prefix:
        yield from label_member(places, exhibit, mime)
    if exhibit.value is not None and exhibit.prefix:
        start = places.value(exhibit.value).start
        span = type_span(places.text(exhibit.value))
        if span is not None:
            yield Splice(places.line, start + span[0], start + span[1], inside(mime), f"type {mime}")
