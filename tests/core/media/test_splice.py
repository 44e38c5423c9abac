"""What stands in the line instead of media: one run in an object, for its first medium; an object for every other string."""

from __future__ import annotations

import pytest

from sessionkit.core.base64 import encode
from tests.laws.pipeline import restore_bytes, spill_bytes
from tests.pictures import picture

PNG = encode(picture("PNG", size=(3, 2))).decode()
URL = f"data:image/png;base64,{PNG}"
(NAME,) = spill_bytes(f'{{"a":"{URL}"}}'.encode()).assets
PATH = f'"asset_path":"{NAME.reference}"'
SIZE = '"width":3,"height":2'
PREFIX = '"asset_prefix":"data:image/png;base64,"'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f'{{"type":"image","data":"{PNG}"}}', f'{{"type":"image",{PATH},{SIZE},"asset_field":"data"}}'),
        (f'{{"image_url":"{URL}"}}', f'{{{PATH},{SIZE},{PREFIX},"asset_field":"image_url"}}'),
        (f'["{URL}"]', f'[{{{PATH},{SIZE},{PREFIX},"asset_field":null}}]'),
        (
            f'{{"a":"{URL}","b":1,"c":"{URL}"}}',
            f'{{{PATH},{SIZE},{PREFIX},"asset_field":"a","b":1,"c":{{{PATH},{SIZE},{PREFIX},"asset_field":null}}}}',
        ),
        (f'{{"a" :\t"{URL}" , "b":1}}', f'{{"asset_path" :\t"{NAME.reference}",{SIZE},{PREFIX},"asset_field":"a" , "b":1}}'),
        (f'{{"a":"{URL}","width":1}}', f'{{{PATH},{PREFIX},"asset_field":"a","width":1}}'),
        (f'{{"hei\\u0067ht":1,"a":"{URL}"}}', f'{{"hei\\u0067ht":1,{PATH},{PREFIX},"asset_field":"a"}}'),
        (
            f'{{"width":1,"a":"{URL}","b":"{URL}"}}',
            f'{{"width":1,{PATH},{PREFIX},"asset_field":"a","b":{{{PATH},{SIZE},{PREFIX},"asset_field":null}}}}',
        ),
        (f'{{"\\u0061":"{URL}"}}', f'{{{PATH},{SIZE},{PREFIX},"asset_field":"\\u0061"}}'),
        (f'{{"a":"data:;base64,AA","b":"{URL}"}}', f'{{"a":"data:;base64,AA",{PATH},{SIZE},{PREFIX},"asset_field":"b"}}'),
        (f'{{"a":"{URL}"}}{{"a":"{URL}"}}', f'{{{PATH},{SIZE},{PREFIX},"asset_field":"a"}}' * 2),
    ],
)
def test_spilled_line(before: str, after: str) -> None:
    spilled = spill_bytes(before.encode())
    assert spilled.text.decode() == after
    assert restore_bytes(spilled.text, spilled.assets).decode() == before
