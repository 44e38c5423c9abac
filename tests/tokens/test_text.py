from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.tokens.text import CLASS_UNITS_PER_TOKEN, ascii_characters, class_units, utf8_bytes, utf16_units

LENGTHS = [
    # text, UTF-16 units, UTF-8 bytes, ASCII characters
    ("", 0, 0, 0),
    ("abc\x7f", 4, 4, 4),
    ("é", 1, 2, 0),
    ("看图 now", 6, 10, 4),
    ("😀", 2, 4, 0),
    ("\ud83d", 1, 3, 0),
]

SCRIPTS = [
    ("plain", "a", 1 / 4),
    ("Greek", "Ω", 1 / 4),
    ("Cyrillic", "ж", 1 / 4),
    ("Chinese", "中", 3 / 4),
    ("Chinese, beyond 16 bits", "\U00020000", 3 / 4),
    ("Hiragana", "の", 3 / 4),
    ("full width", "\uff01", 3 / 4),
    ("Hangul", "한", 3 / 5),
    ("Hangul jamo", "\u1100", 3 / 5),
    ("Arabic", "ش", 1 / 2.8),
    ("Hindi", "ह", 1 / 2.8),
    ("accents", "é", 1 / 2.8),
    ("emoji", "😀", 1 / 2.8),
    ("a lone surrogate", "\ud83d", 1 / 2.8),
]


@pytest.mark.parametrize(("text", "utf16", "utf8", "ascii_only"), LENGTHS)
def test_lengths(text: str, utf16: int, utf8: int, ascii_only: int) -> None:
    assert (utf16_units(text), utf8_bytes(text), ascii_characters(text)) == (utf16, utf8, ascii_only)


@pytest.mark.parametrize(("character", "tokens"), [case[1:] for case in SCRIPTS], ids=[case[0] for case in SCRIPTS])
def test_a_character_weighs_what_its_script_does(character: str, tokens: float) -> None:
    assert class_units(character * 7) / CLASS_UNITS_PER_TOKEN == pytest.approx(7 * tokens)


@given(st.text(), st.text())
def test_weights_add_up(one: str, other: str) -> None:
    assert class_units(one + other) == class_units(one) + class_units(other)
