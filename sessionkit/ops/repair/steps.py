"""What a splice does, as a person reads it: never base64, but what it is the base64 of."""

from __future__ import annotations

import hashlib
import re
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from sessionkit.core.base64 import NotCanonicalError, decode_canonical, decode_lenient
from sessionkit.core.pixels import pixel_size
from sessionkit.core.sniff import BIN, sniff
from sessionkit.dataclass import dataclass
from sessionkit.faults.places import NoPlaceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sessionkit.core.pixels import Size
    from sessionkit.faults.base import Splice
    from sessionkit.faults.lines import Lines
    from sessionkit.faults.places import Places

_SHORT: Final = 120
"""Bytes of a text that are shown whole, and the most of a longer one."""
_WORTH_A_HASH: Final = 200
"""Bytes of unknown content; what is shorter may be a path or a name."""
_strings = re.compile(rb'(?<=[",])[A-Za-z0-9+/_-]{40,}={0,2}(?=")').finditer
_escape = re.compile(rb"\\").search
_spelling = re.compile(rb"\\[nrt]|\s").sub
"""Breaks of lines, as they are escaped in JSON."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Base64, by what it holds; `bytes` are the decoded ones."""

    media_type: str
    bytes: int
    sha256: str
    size: Size | None


@dataclass(frozen=True, slots=True)
class Words:
    """Anything else, at its beginning; `bytes` are all."""

    text: str
    bytes: int


Sight: TypeAlias = Picture | Words


@dataclass(frozen=True, slots=True)
class Step:
    """One splice: line and pointer are those of the original; None stands for nothing. `asset` keeps what was before."""

    line: int
    pointer: str
    before: Sight | None
    after: Sight | None
    asset: str = ""


def steps_of(lines: Lines, splices: Iterable[Splice], home: Callable[[int], int]) -> Iterator[Step]:
    """Describe splices of these lines, but for those that change nothing; `home` tells the line of the original."""
    for line, run in groupby(splices, key=attrgetter("line")):
        places = _places(lines, line)
        raw = memoryview(places.raw if places else lines.raw(line))
        for splice in run:
            before, after = _seen(raw[splice.start : splice.stop]), _made(splice)
            if isinstance(before, Words) and before == after:
                continue
            asset = splice.kept.asset.reference if splice.kept else ""
            pointer = places.at(splice.start) if places else ""
            yield Step(home(line), splice.taken_out or pointer, before, after, asset)


def _places(lines: Lines, line: int) -> Places | None:
    """Lay a line out; None where it is torn or glued, and the whole of it is meant."""
    try:
        return lines.places(line)
    except NoPlaceError:
        return None


def _made(splice: Splice) -> Sight | None:
    if not splice.new:
        return None
    new = memoryview(splice.new)
    is_string = splice.new.startswith(b'"') and len(splice.new) <= _SHORT
    return _picture(new) or (_seen(new) if is_string else Words(splice.shown, len(splice.new)))


def _seen(data: memoryview) -> Sight | None:
    if not data:
        return None
    shown = bytes(data[:_SHORT]).decode("utf-8", "replace")
    return _picture(data) or Words(shown if len(data) <= _SHORT else f"{shown}…", len(data))


def _picture(data: memoryview) -> Picture | None:
    """Tell what a value is the base64 of; None if it is none."""
    decoded = _decoded(_base64_in(data))
    if decoded is None:
        return None
    media = sniff(decoded)
    if media is BIN and len(decoded) < _WORTH_A_HASH:
        return None
    return Picture(media.mime, len(decoded), hashlib.sha256(decoded).hexdigest(), pixel_size(decoded, media))


def _base64_in(data: memoryview) -> memoryview:
    """Find the one string of base64 that a value is, or consists of for the most part; empty if there is none, and for whole lines."""
    text = memoryview(_spelling(b"", data).replace(rb"\/", b"/")) if _escape(data) else data
    start, stop = max((found.span() for found in _strings(text)), key=lambda span: span[1] - span[0], default=(0, 0))
    is_most = 2 * (stop - start) >= len(text) and bytes(data[-1:]) != b"\n"
    return text[start:stop] if is_most else data[:0]


def _decoded(text: memoryview) -> bytes | None:
    """Decode it, without a copy where it is canonical; None where it does not decode."""
    try:
        return decode_canonical(text)
    except NotCanonicalError:
        pass
    try:
        return decode_lenient(bytes(text))
    except NotCanonicalError:
        return None
