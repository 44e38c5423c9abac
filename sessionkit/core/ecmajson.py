"""JSON as the agents' runtimes write it: what `JSON.stringify` of ECMAScript gives, compact, with nothing but what must be escaped.

Two differences, both on purpose: integers keep all their digits, and keys that look like integers keep their place.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from sessionkit.core.model import Json

_POINT_FROM, _POINT_BELOW = -6, 21
"""A number whose first digit stands for a power of ten in this range is written without an exponent."""

_quote = json.JSONEncoder(ensure_ascii=False).encode
_surrogate = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class _Token:
    """Text that goes out as it is."""

    text: str


_Todo: TypeAlias = "Json | _Token"


def dumps(value: Json) -> str:
    """Write a value, however deep. NaN and infinities become null, -0.0 becomes 0, and a lone surrogate its escape."""
    out: list[str] = []
    todo: list[_Todo] = [value]
    while todo:
        match todo.pop():
            case _Token(text):
                out.append(text)
            case str() as string:
                out.append(_string(string))
            case dict() as members:
                todo += reversed([_Token("{"), *_members(members), _Token("}")])
            case list() as items:
                todo += reversed([_Token("["), *_items(items), _Token("]")])
            case float() as number:
                out.append(_number(number))
            case other:  # null, true, false, and integers of any size
                out.append(json.dumps(other))
    return "".join(out)


def _members(members: dict[str, Json]) -> list[_Todo]:
    todo: list[_Todo] = []
    for name, value in members.items():
        todo += (_Token(f"{',' if todo else ''}{_string(name)}:"), value)
    return todo


def _items(items: list[Json]) -> list[_Todo]:
    todo: list[_Todo] = []
    for value in items:
        todo += (_Token(","), value) if todo else (value,)
    return todo


def _string(text: str) -> str:
    quoted = _quote(text)
    if quoted.isascii() or not _surrogate.search(quoted):
        return quoted
    joined = quoted.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _surrogate.sub(lambda found: f"\\u{ord(found[0]):04x}", joined)


def _number(number: float) -> str:
    """Write the shortest digits that read back as the same number; only the place of the point differs from Python's."""
    if not isfinite(number):
        return "null"
    if number == 0:
        return "0"
    mantissa, _, exponent = f"{number!r}".partition("e")
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(digits) - len(fraction) + int(exponent or 0)  # digits before the decimal point
    return "-" * (number < 0) + _place_point(digits.rstrip("0"), point)


def _place_point(digits: str, point: int) -> str:
    if not _POINT_FROM < point <= _POINT_BELOW:
        power = f"e{point - 1:+d}"
        return f"{digits[0]}.{digits[1:]}{power}" if len(digits) > 1 else digits + power
    if point <= 0:
        return f"0.{'0' * -point}{digits}"
    if point >= len(digits):
        return digits.ljust(point, "0")
    return f"{digits[:point]}.{digits[point:]}"
