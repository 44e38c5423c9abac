from __future__ import annotations

import base64

import pytest

from sessionkit.core.dialects.embedded import part_media, unsupported
from sessionkit.core.model import NOWHERE, Media, Unsupported
from tests.pictures import picture

PNG = base64.b64encode(picture("PNG")).decode()
LONG = base64.b64encode(picture("BMP", size=(40, 40))).decode()
RUN = {"asset_path": f"images/{'0' * 64}.png", "width": 2, "height": 3}
REFERENCE = {**RUN, "asset_prefix": "data:image/png;base64,", "asset_field": None}


@pytest.mark.parametrize(
    ("value", "rest", "pointers"),
    [
        (f"data:image/png;base64,{PNG}", None, [""]),
        ({"a": [f"data:image/png;base64,{PNG}", 1]}, {"a": [None, 1]}, ["/a/0"]),
        ({"a": [REFERENCE, 1]}, {"a": [None, 1]}, ["/a/0"]),
        ({"b": 1, **REFERENCE, "asset_field": "a", "c": 2}, {"b": 1, "a": None, "c": 2}, ["/a"]),
        ({"a": LONG}, {"a": None}, ["/a"]),
        ({"inlineData": {"data": PNG, "mimeType": "image/png"}}, {"inlineData": None}, ["/inlineData"]),
        ({"inlineData": {**RUN, "asset_field": "data", "mimeType": "image/png"}}, {"inlineData": None}, ["/inlineData"]),
        ([{"type": "image", "image": PNG}, {"type": "image", **RUN, "asset_field": "image"}], [None, None], ["/0", "/1"]),
    ],
)
def test_media_leave_null_behind(value: object, rest: object, pointers: list[str]) -> None:
    parted = part_media(value, NOWHERE)
    assert (parted.rest, [medium.origin.pointer for medium in parted.media]) == (rest, pointers)


@pytest.mark.parametrize(
    "value",
    [
        PNG,
        "data:image/png;base64,",
        "data:text/plain,hello",
        "x" * 2000,
        {"data": "e30=", "mimeType": "application/json"},
        {"data": {"a": 1}, "mimeType": "image/png"},
        {"asset_path": "images/a.png", "note": "mine", "asset_field": "data"},
        {"asset_path": "images/a.png"},
        {"type": "image"},
        [None, True, 1, 1.5, "x", {}, []],
    ],
)
def test_what_is_no_medium_stays(value: object) -> None:
    parted = part_media(value, NOWHERE)
    assert (parted.rest, parted.media) == (value, ())


def test_a_block_of_an_unknown_type_keeps_its_media() -> None:
    blocks = unsupported({"type": "glow", "shot": f"data:image/png;base64,{PNG}"}, "glow", NOWHERE)
    assert [type(block) for block in blocks] == [Unsupported, Media]


def test_a_block_that_is_a_medium_is_nothing_else() -> None:
    assert [type(block) for block in unsupported({"type": "image", "data": PNG}, "image", NOWHERE)] == [Media]
