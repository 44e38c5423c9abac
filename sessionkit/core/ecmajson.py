"""JSON as the agents' runtimes write it: what `JSON.stringify` of ECMAScript gives, with nothing but what must be escaped.

Two differences, both on purpose: integers keep all their digits, and keys that look like integers keep their place.
"""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from sessionkit.core.model import Json

_Value = TypeVar("_Value")
Scalar: TypeAlias = "bool | int | float | str | None"

_POINT_FROM, _POINT_BELOW = -6, 21
"""A number whose first digit stands for a power of ten in this range is written without an exponent."""
_INDENT = "  "

_quote = json.JSONEncoder(ensure_ascii=False).encode
_surrogate = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Mark:
    """Punctuation, or the name of a member: text that goes out as it is.

    A line that begins behind it begins with `margin`, a newline and spaces; it is empty where all stands on one line.
    """

    text: str
    margin: str = ""


def dumps(value: Json) -> str:
    """Write a value on one line, however deep. NaN and infinities become null, -0.0 becomes 0, and a lone surrogate its escape."""
    out: list[str] = []
    todo: list[Json | Mark] = [value]
    while todo:
        match todo.pop():
            case Mark(text):
                out.append(text)
            case dict() | list() as container:
                todo += reversed(laid_out(container))
            case scalar:
                out.append(spell(scalar))
    return "".join(out)


def laid_out(container: dict[str, _Value] | list[_Value], margin: str = "") -> list[_Value | Mark]:
    """Give the values of a container, and the marks around them, in the order of writing. It begins on a line of this margin."""
    inner = margin and margin + _INDENT
    start, stop = (inner, margin) if container else ("", "")
    if isinstance(container, dict):
        return [Mark("{" + start, inner), *_members(container, inner), Mark(stop + "}", margin)]
    return [Mark("[" + start, inner), *_items(container, inner), Mark(stop + "]", margin)]


def spell(scalar: Scalar) -> str:
    """Write what is no container."""
    match scalar:
        case str():
            return _string(scalar)
        case float():
            return _number(scalar)
        case _:  # null, true, false, and integers of any size
            return json.dumps(scalar)


def _members(members: dict[str, _Value], margin: str) -> list[_Value | Mark]:
    todo: list[_Value | Mark] = []
    colon = ": " if margin else ":"
    for name, value in members.items():
        todo += (Mark(f"{',' + margin if todo else ''}{_string(name)}{colon}", margin), value)
    return todo


def _items(items: list[_Value], margin: str) -> list[_Value | Mark]:
    todo: list[_Value | Mark] = []
    separator = Mark("," + margin, margin)
    for value in items:
        todo += (separator, value) if todo else (value,)
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
