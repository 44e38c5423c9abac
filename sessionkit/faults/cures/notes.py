"""A note in the place of a picture: where its agent sends a text, and so that the number of blocks stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Stored
from sessionkit.dataclass import replace
from sessionkit.faults.base import Lengths, Splice
from sessionkit.faults.cures.tokens import NoCureError, added, gathered, growth, inside, replaced, written
from sessionkit.faults.exhibits import Form, Place
from sessionkit.faults.originals import kept_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.assets import AssetName
    from sessionkit.core.model import Json
    from sessionkit.faults.base import Cure
    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.faults.lines import Lines
    from sessionkit.faults.note import Note
    from sessionkit.faults.places import Places

_RESPONSES: Final = ("functionResponse", "function_response")
_BARE_STRINGS: Final = frozenset({Form.FILE, Form.ITEM, Form.RESULT})
_OF_RESPONSES: Final = frozenset({b'"input_image"', b'"computer_screenshot"', b'"input_file"'})
"""Types of parts, as they are written, beside which the Responses API takes texts of a type of their own."""


def put_note(lines: Lines, exhibits: Iterable[Exhibit], note: Note, lengths: Lengths = Lengths.FREE) -> Cure:
    """Put a note in the place of each exhibit, and keep its bytes; the note names the asset that keeps those of the exhibit.

    Where lines must keep their length the longest form of the note that fits is taken. A twin that is a bare string becomes empty.
    """
    return gathered(splice for exhibit in exhibits for splice in _noted(lines.places(exhibit.line), exhibit, note, lengths))


def _noted(places: Places, exhibit: Exhibit, note: Note, lengths: Lengths) -> tuple[Splice, ...]:
    kept = kept_of(exhibit)
    told = replace(note, asset=kept.asset if kept else _stored(exhibit))
    for text in told.forms:
        first, *others = _splices(places, exhibit, text)
        if lengths is Lengths.FREE or growth((first, *others)) <= 0:
            return (replace(first, kept=kept), *others)
    raise NoCureError("even the shortest note is longer than what it stands for, and the line must keep its length")


def _splices(places: Places, exhibit: Exhibit, text: str) -> Iterator[Splice]:
    result = _result_of(exhibit.block)
    if result is not None:  # a text among the parts of a response is dropped on its way to the model
        ((_, span),) = places.taken_out([exhibit.block])
        yield Splice(places.line, span.start, span.stop, b"", "taken out", taken_out=exhibit.block)
        yield _said(places, result, text)
    elif exhibit.place is Place.TWIN and exhibit.form in _BARE_STRINGS and exhibit.value is not None:
        yield replaced(places, exhibit.value, b'""', "empty")
    else:
        yield replaced(places, exhibit.block, written(_block(places, exhibit, text)), text)


def _block(places: Places, exhibit: Exhibit, text: str) -> Json:
    kind = f"{exhibit.block}/type"
    match exhibit.form:
        case Form.ITEM:
            return text
        case Form.PART:
            return {"text": text}
        case Form.RESULT | Form.FILE:
            raise NoCureError("no text can stand in its place")
        case _ if places.has(kind) and places.text(kind) in _OF_RESPONSES:
            return {"type": "input_text", "text": text}
        case _ if places.has(kind):
            return {"type": "text", "text": text}
        case _:
            raise NoCureError("no text can stand in its place")


def _result_of(block: str) -> str | None:
    """Point to the response that a part stands in; None for all other blocks."""
    outer, _, index = block.rpartition("/parts/")
    return outer if outer.endswith(_RESPONSES) and index.isdecimal() else None


def _said(places: Places, result: str, text: str) -> Splice:
    """Append a note to what the tool said: to its output, or to its error; else as an output of its own."""
    for name in ("output", "error"):
        pointer = f"{result}/response/{name}"
        if places.has(pointer) and places.text(pointer).startswith(b'"'):
            return _appended(places, pointer, text)
    member = b'"output":' + written(text)
    if places.has(f"{result}/response"):
        return added(places, f"{result}/response", member, text)
    return added(places, result, b'"response":{' + member + b"}", text)


def _appended(places: Places, pointer: str, text: str) -> Splice:
    stop = places.value(pointer).stop - 1
    if places.text(pointer) == b'""':
        return Splice(places.line, stop, stop, inside(text), text, joint=inside("\n"))
    return Splice(places.line, stop, stop, inside(f"\n{text}"), text)


def _stored(exhibit: Exhibit) -> AssetName | None:
    return exhibit.media.source.asset if isinstance(exhibit.media.source, Stored) else None
