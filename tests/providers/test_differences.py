"""Where values part, and how they are shown without what is not for eyes."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.providers.differences import MISSING, Found, first_difference, path_of, shown
from tests.pictures import picture

if TYPE_CHECKING:
    from sessionkit.core.model import Json
    from sessionkit.providers.body import Steps

PICTURE = picture("PNG")
PAYLOAD = base64.b64encode(PICTURE).decode()
DESCRIBED = f"image/png, {len(PICTURE)} bytes, sha256:{hashlib.sha256(PICTURE).hexdigest()[:12]}"
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "input"]), inner, max_size=3),
)


@given(VALUES)
def test_nothing_differs_from_itself(value: Json) -> None:
    assert first_difference(value, value) is None


@given(VALUES, VALUES)
def test_the_values_at_the_difference_are_those_of_both_sides(earlier: Json, later: Json) -> None:
    found = first_difference(earlier, later)
    back = first_difference(later, earlier)
    assert (found is None) == (back is None)
    if found is None:
        assert earlier == later
    elif not isinstance(found.earlier, str) or not found.earlier.startswith("names"):
        assert [_at(side, found.steps) for side in (earlier, later)] == [found.earlier, found.later]
        assert found.earlier != found.later or isinstance(found.earlier, bool) != isinstance(found.later, bool)


def _at(value: Json, steps: Steps) -> Found:
    for step in steps:
        match value, step:
            case dict(), str() if step in value:
                value = value[step]
            case list(), int() if step < len(value):
                value = value[step]
            case _:
                return MISSING
    return value


@pytest.mark.parametrize(
    ("steps", "path"),
    [
        ((), ""),
        (("messages", 3, "content", 0, "text"), "messages[3].content[0].text"),
        ((0, "a"), "[0].a"),
        (("input", "a b", "", 'x"y'), 'input["a b"][""]["x\\"y"]'),
    ],
)
def test_paths(steps: Steps, path: str) -> None:
    assert path_of(steps) == path


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (MISSING, "(nothing)"),
        (1e16, "10000000000000000"),
        ("a\nb\ud83d", '"a\\nb\\ud83d"'),
        ({"a": [1, True]}, '{"a":[1,true]}'),
        ("x y " * 50, '"' + ("x y " * 50)[:99] + "…"),
        ({"mimeType": "image/png", "data": PAYLOAD}, DESCRIBED),
        (f"data:image/png;base64,{PAYLOAD}", DESCRIBED),
        (
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PAYLOAD}},
            f'{{"type":"image","source":null}} with {DESCRIBED}',
        ),
        ([f"data:image/png;base64,{PAYLOAD}"] * 2, f"[null,null] with {DESCRIBED}, {DESCRIBED}"),
        ({"mimeType": "image/gif", "data": "?"}, "image/gif, 1 characters that are not base64"),
        ({"mimeType": "image/gif", "data": "https://host/a.gif"}, "https://host/a.gif"),
        ({"signature": "Ab+/" * 100}, '{"signature":"(400 characters)"}'),
    ],
)
def test_shown(value: Found, text: str) -> None:
    assert shown(value) == text
