"""Sizes, shares and numbers as people write them."""

from __future__ import annotations

import re

_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")
_STEP = 1000
_TENFOLD = 10
_SIZE = r"([0-9]+(?:\.[0-9]+)?)\s*(?:([kmgt])(i?)b?|b)?"


def size(count: int) -> str:
    """Bytes in three digits or so: 999 B, 1.2 kB, 45 MB."""
    value = float(count)
    for unit in _UNITS:
        if abs(value) < _STEP - 0.5 or unit == _UNITS[-1]:
            digits = 1 if unit != "B" and abs(value) < _TENFOLD else 0
            return f"{value:.{digits}f} {unit}"
        value /= _STEP
    raise AssertionError


def share(part: int, whole: int) -> str:
    """Percent, rounded so that neither 0 % nor 100 % is said of what is not."""
    if whole == 0:
        return "-"
    percent = 100 * part / whole
    rounded = round(percent, 1)
    if part != whole and abs(rounded) >= 100:  # noqa: PLR2004  percent
        rounded = 99.9
    return f"{rounded:.1f}%"


def count(number: int, noun: str) -> str:
    """A number and its noun: 1 image, 2,000 images."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def parse_size(text: str) -> int:
    """Bytes of `500`, `64k`, `10 MB` or `2GiB`: powers of 1024 with an i, else of 1000. Raises ValueError."""
    match = re.fullmatch(_SIZE, text.strip(), re.IGNORECASE)
    if match is None:
        raise ValueError(f"{text!r} is not a size, such as 500, 64k, 10MB or 2GiB")
    number, unit, binary = match.groups()
    power = "kmgt".index(unit.lower()) + 1 if unit else 0
    try:
        return int(float(number) * (1024 if binary else _STEP) ** power)
    except OverflowError:
        raise ValueError(f"{text!r} is too large") from None
