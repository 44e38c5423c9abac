"""Other bytes: those of a healthy twin, or a smaller picture, in the place of what is there."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from sessionkit.core.base64 import encode
from sessionkit.core.ladder import PORTABLE, Unfit, fit
from sessionkit.core.model import Stored
from sessionkit.core.pixels import pixel_size
from sessionkit.core.sniff import sniff
from sessionkit.dataclass import replace
from sessionkit.faults.base import Splice, Uncured
from sessionkit.faults.cures.label import label_member, label_prefix
from sessionkit.faults.cures.tokens import NoCureError, added, gathered, replaced, written
from sessionkit.faults.exhibits import Flaw, Form, Place
from sessionkit.faults.originals import held_bytes, kept_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.ladder import Bounds
    from sessionkit.core.model import Json
    from sessionkit.faults.base import Cure
    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.faults.lines import Lines
    from sessionkit.faults.places import Places

_ADDRESSES: Final = frozenset({Form.URL, Form.NESTED_URL})
_WITHOUT_NOTES: Final = frozenset({"codex", "qwen-code"})
"""Formats in which nothing may be added beside a picture."""


def fill(lines: Lines, exhibits: Iterable[Exhibit], data: bytes) -> Cure:
    """Put these bytes in the place of what exhibits hold, with their label; what was there is kept.

    A block that lacks its data, its type or its source is made whole. Uncured for one whose bytes are in a store.
    """
    return gathered(splice for exhibit in exhibits for splice in _filled(lines.places(exhibit.line), exhibit, data))


def refit(lines: Lines, exhibits: Iterable[Exhibit], format_: str, bounds: Bounds = PORTABLE) -> Cure:
    """Put a picture within bounds in the place of one that is not, or that is of a type which nobody takes.

    `exhibits` must hold the same bytes. Behind each that may be sent stands what the model must know of the change, where the agent of
    this format takes a text there. Uncured where it cannot be brought within them.
    """
    shown = tuple(exhibits)
    data = held_bytes(shown[0])
    if data is None:
        return Uncured("its bytes do not decode")
    fitted = fit(data, bounds)
    if isinstance(fitted, Unfit):
        return Uncured(fitted.reason)
    told = (exhibit for exhibit in shown if fitted.notes and _takes_note(exhibit, format_))
    return gathered(
        chain(
            (splice for exhibit in shown for splice in _filled(lines.places(exhibit.line), exhibit, fitted.data)),
            (splice for exhibit in shown for splice in _resized(lines.places(exhibit.line), exhibit, fitted.data)),
            (_told(lines.places(exhibit.line), exhibit, "\n".join(fitted.notes)) for exhibit in told),
        )
    )


def in_string(places: Places, exhibit: Exhibit, data: bytes, mime: str) -> Splice:
    """Write data into the string of an exhibit that has one, behind the prefix that it has or needs, and none where none belongs."""
    assert exhibit.value is not None
    prefix = label_prefix(exhibit.prefix, mime)
    if exhibit.is_bare:
        prefix = ""
    elif exhibit.form in _ADDRESSES and not prefix:
        prefix = f"data:{mime};base64,"
    base64 = encode(data).decode()
    return replaced(places, exhibit.value, written(prefix + base64), _shown(base64))


def _filled(places: Places, exhibit: Exhibit, data: bytes) -> Iterator[Splice]:
    if isinstance(exhibit.media.source, Stored) and exhibit.flaw is Flaw.NONE:
        raise NoCureError("its bytes are not in the session: restore it first")
    mime = sniff(data).mime
    if exhibit.value is not None and exhibit.flaw is not Flaw.UNKNOWN_SOURCE:
        yield replace(in_string(places, exhibit, data, mime), kept=kept_of(exhibit))
        yield from label_member(places, exhibit, mime) if exhibit.label or not exhibit.prefix else ()
    elif exhibit.form is Form.SOURCE:
        yield replace(_source(places, exhibit, data, mime), kept=kept_of(exhibit))
    else:
        yield _missing(places, exhibit, data, mime)
        yield from label_member(places, exhibit, mime)


def _resized(places: Places, exhibit: Exhibit, data: bytes) -> Iterator[Splice]:
    """Tell the screen of Claude Code what size it shows; the size of the file that was read stays."""
    size = pixel_size(data, sniff(data)) if exhibit.form is Form.FILE else None
    for name, pixels in (("displayWidth", size.width), ("displayHeight", size.height)) if size else ():
        pointer = f"{exhibit.block}/dimensions/{name}"
        if places.has(pointer) and places.text(pointer) != written(pixels):
            yield replaced(places, pointer, written(pixels), f"{name} {pixels}")


def _source(places: Places, exhibit: Exhibit, data: bytes, mime: str) -> Splice:
    """Write a source that is whole in the place of one that is not, or where there is none."""
    base64 = encode(data).decode()
    source: Json = {"type": "base64", "media_type": mime, "data": base64}
    pointer = f"{exhibit.block}/source"
    if places.has(pointer):
        return replaced(places, pointer, written(source), _shown(base64))
    return added(places, exhibit.block, b'"source":' + written(source), _shown(base64))


def _missing(places: Places, exhibit: Exhibit, data: bytes, mime: str) -> Splice:
    """Add the member that should hold the data."""
    base64 = encode(data).decode()
    match exhibit.form:
        case Form.DATA:
            return added(places, exhibit.block, b'"data":' + written(base64), _shown(base64))
        case Form.URL:
            return added(places, exhibit.block, b'"image_url":' + written(f"data:{mime};base64,{base64}"), _shown(base64))
        case Form.PART if exhibit.label is not None:
            return added(places, exhibit.label.rpartition("/")[0], b'"data":' + written(base64), _shown(base64))
        case _:
            raise NoCureError("it has no place for the data of a picture")


def _shown(base64: str) -> str:
    return f"base64 of {len(base64)} characters"


def _takes_note(exhibit: Exhibit, format_: str) -> bool:
    """Whether a text may stand behind it: it is an item of a list, and its agent sends both."""
    is_item = exhibit.block.rpartition("/")[2].isdecimal()
    return is_item and exhibit.place is not Place.TWIN and format_ not in _WITHOUT_NOTES


def _told(places: Places, exhibit: Exhibit, note: str) -> Splice:
    """Put a text right behind the block."""
    block: Json = {"text": note} if exhibit.form is Form.PART else {"type": "text", "text": note}
    stop = places.value(exhibit.block).stop
    return Splice(places.line, stop, stop, b"," + written(block), note.replace("\n", " "))
