"""JSON as cures write it into raw lines, and how their splices are gathered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sessionkit.core.ecmajson import dumps
from sessionkit.faults.base import Splice, Uncured
from sessionkit.faults.places import NoPlaceError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.model import Json
    from sessionkit.faults.base import Cure
    from sessionkit.faults.places import Places

_type_of_prefix = re.compile(rb'"data:([^;,"\\]*(?:\\/[^;,"\\]*)?)', re.IGNORECASE).match


class NoCureError(ValueError):
    """A cure cannot be made here; the message says why."""


def gathered(splices: Iterable[Splice]) -> Cure:
    """Make the splices, which may be lazy, and sort them; Uncured where one cannot be made or its line cannot be laid out."""
    try:
        return in_order(splices)
    except (NoCureError, NoPlaceError) as error:
        return Uncured(str(error))


def in_order(splices: Iterable[Splice]) -> tuple[Splice, ...]:
    """Sort by place, and leave out what is there twice."""
    return tuple(sorted(dict.fromkeys(splices), key=lambda splice: (splice.line, splice.start, splice.stop)))


def written(value: Json) -> bytes:
    """Write a value on one line; it is valid in any line."""
    return dumps(value).encode()


def inside(text: str) -> bytes:
    """Write a string without its quotes."""
    return written(text)[1:-1]


def replaced(places: Places, pointer: str, value: bytes, shown: str) -> Splice:
    """Put another value in the place of one."""
    span = places.value(pointer)
    return Splice(places.line, span.start, span.stop, value, shown)


def added(places: Places, pointer: str, inner: bytes, shown: str) -> Splice:
    """Put one more member or item at the end of a container."""
    end = places.end(pointer)
    if places.size(pointer):
        return Splice(places.line, end, end, b"," + inner, shown)
    return Splice(places.line, end, end, inner, shown, joint=b",")


def type_span(token: bytes) -> tuple[int, int] | None:
    """Find the media type in the raw token of a data URL; None where it is none."""
    found = _type_of_prefix(token)
    return found.span(1) if found else None


def growth(splices: Iterable[Splice]) -> int:
    """Count the bytes by which splices make a line longer; negative where it gets shorter."""
    return sum(len(splice.new) - (splice.stop - splice.start) for splice in splices)
