"""Base64 in the text of a message gives way to its length."""

from __future__ import annotations

import base64
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.cli.reports.messages.elision import without_base64
from tests.pictures import picture

DATA = base64.b64encode(picture("PNG", size=(29, 40))).decode()


def wrapped(digits: str, width: int = 76, end: str = "\n") -> str:
    return end.join(textwrap.wrap(digits, width))


LENGTH = f"[{len(DATA):,} characters of base64]"
UNKNOWN = base64.b64encode(bytes(range(256))).decode()
ELISIONS = [
    (f"see data:image/png;base64,{DATA} there", f"see data:image/png;base64,{LENGTH} there"),
    (f"see data:image/png;base64,{wrapped(DATA)} there", f"see data:image/png;base64,{LENGTH} there"),
    (f"data:x/y;base64,{UNKNOWN}\nThanks", f"data:x/y;base64,[{len(UNKNOWN)} characters of base64]\nThanks"),
    (DATA, LENGTH),
    (DATA.rstrip("="), f"[{len(DATA.rstrip('=')):,} characters of base64]"),
    (f"$ base64 a.png\n{wrapped(DATA)}\n$ exit", f"$ base64 a.png\n{LENGTH}\n$ exit"),
    (wrapped(DATA, 64, "\r\n  "), LENGTH),
    (wrapped(DATA, 64, r"\n"), LENGTH),
    (f"{'0123456789abcdef' * 4}\n{wrapped(DATA)}", f"{'0123456789abcdef' * 4}\n{LENGTH}"),
]
KEPT = ["S" * 400_000, "0123456789abcdef" * 1000, "\n".join(["0123456789abcdef" * 4] * 100), UNKNOWN, DATA[:199], "-" * 500, "a/b_c/" * 100]


@pytest.mark.parametrize(("said", "shown"), [*ELISIONS, *((kept, kept) for kept in KEPT)])
def test_base64_of_media_gives_way_to_its_length(said: str, shown: str) -> None:
    assert without_base64(said) == shown


@given(st.text(st.sampled_from("aZ/+-_= \n\\n;base64,"), max_size=600))
def test_text_without_media_stays(words: str) -> None:
    assert ";base64," in words or without_base64(words) == words
