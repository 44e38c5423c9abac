from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.ecmajson import dumps

if TYPE_CHECKING:
    from sessionkit.core.model import Json

# What `node -p 'JSON.stringify(value)'` prints.
NUMBERS = [
    (1.0, "1"),
    (-0.0, "0"),
    (0.1, "0.1"),
    (-1.5, "-1.5"),
    (100.0, "100"),
    (123.456, "123.456"),
    (1e16, "10000000000000000"),
    (1.2345678901234567e20, "123456789012345670000"),
    (1e20, "100000000000000000000"),
    (1e21, "1e+21"),
    (1.5e300, "1.5e+300"),
    (1e-6, "0.000001"),
    (1.5e-6, "0.0000015"),
    (1e-7, "1e-7"),
    (-1.25e-9, "-1.25e-9"),
    (5e-324, "5e-324"),
    (float("nan"), "null"),
    (float("-inf"), "null"),
    (7, "7"),
    (True, "true"),
    (None, "null"),
]

STRINGS = [
    ("", '""'),
    ("é图😀", '"é图😀"'),
    ('a"\\/b', '"a\\"\\\\/b"'),
    ("\b\t\n\f\r", '"\\b\\t\\n\\f\\r"'),
    ("\0\x1f\x7f", '"\\u0000\\u001f\x7f"'),
    ("\u2028\u2029", '"\u2028\u2029"'),
    ("\ud83d", '"\\ud83d"'),
    ("a\ude00\ud83d", '"a\\ude00\\ud83d"'),
    ("\ud83d\ude00", '"😀"'),
]

TREES: list[tuple[Json, str]] = [
    ([], "[]"),
    ({}, "{}"),
    ({"path": "a.png", "lines": [1.0, [], {"é": None}], "10": True}, '{"path":"a.png","lines":[1,[],{"é":null}],"10":true}'),
    (2**64 + 1, "18446744073709551617"),
]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e15, 1e15) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=9,
)


@pytest.mark.parametrize(("value", "text"), [*NUMBERS, *STRINGS, *TREES])
def test_values_are_spelled_as_ecmascript_does(value: Json, text: str) -> None:
    assert dumps(value) == text


@given(json_values)
def test_what_is_written_reads_back(value: Json) -> None:
    assert json.loads(dumps(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_read_back(number: float) -> None:
    assert float(dumps(number)) == number


def test_depth_is_no_limit() -> None:
    value: Json = "deep"
    for _ in range(5000):
        value = [value]
    assert dumps(value) == "[" * 5000 + '"deep"' + "]" * 5000
