"""How long a text is, by the ways in which agents count."""

from __future__ import annotations

import re


def utf16_units(text: str) -> int:
    """Count as JavaScript does: an emoji is two, a lone surrogate is one."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf8_bytes(text: str) -> int:
    """Count bytes; a lone surrogate takes three, as does the replacement character that others put in its place."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def ascii_characters(text: str) -> int:
    """Count the characters below U+0080."""
    return len(text) if text.isascii() else len(text.encode("ascii", "ignore"))


CLASS_UNITS_PER_TOKEN = 140
"""Makes whole numbers of the weights of `class_units`: 1/4, 3/4, 3/5 and 1/2.8 of a token."""

_LIKE_ASCII, _CHINESE_JAPANESE, _HANGUL, _OTHERS = 35, 105, 84, 50
_WEIGHTS = (
    ("[\0-\x7f\u0370-\u052f]+", _LIKE_ASCII),  # Greek and Cyrillic are as cheap
    ("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]+", _CHINESE_JAPANESE),
    ("[\uac00-\ud7af\u1100-\u11ff]+", _HANGUL),
)


def class_units(text: str) -> int:
    """Weigh each character by its script, in 1/140 of a token.

    The weights were fitted to o200k_base: for most scripts half of all texts are less than 16 % off, prose and code of all kinds
    stay within about 25 to 35 %; Chinese and Japanese, of which `characters / 4` sees half, within 10 %.
    """
    if text.isascii():
        return _LIKE_ASCII * len(text)
    units, rest = 0, text
    for script, weight in _WEIGHTS:
        others = re.sub(script, "", rest)
        units += weight * (len(rest) - len(others))
        rest = others
    return units + _OTHERS * len(rest)
