"""What is shown of a place: pictures by what they are, texts at their beginning, and no base64."""

from __future__ import annotations

import hashlib
import json

import pytest

from sessionkit.core.base64 import encode
from sessionkit.ops.repair.steps import Picture, Words, _seen
from tests.pictures import picture

PNG = picture("PNG", size=(30, 20))
TEXT = encode(PNG).decode()
PATH = "/home/somebody/project/screenshots/of-the-login-page/shot.png"


@pytest.mark.parametrize(
    "value",
    [
        TEXT,
        f"data:image/png;base64,{TEXT}",
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": TEXT}},
        {"image_url": {"url": f"data:image/png;base64,{TEXT}"}},
        "\n".join(TEXT[at : at + 76] for at in range(0, len(TEXT), 76)),
        TEXT.replace("+", "-").replace("/", "_").rstrip("="),
    ],
)
def test_a_picture(value: object) -> None:
    shown = _seen(memoryview(json.dumps(value).encode()))
    assert isinstance(shown, Picture)
    assert (shown.media_type, shown.bytes, shown.sha256) == ("image/png", len(PNG), hashlib.sha256(PNG).hexdigest())
    assert (shown.size and (shown.size.width, shown.size.height)) == (30, 20)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b'"image/png"', '"image/png"'),
        (b"null", "null"),
        (json.dumps(PATH).encode(), json.dumps(PATH)),
        (b"\xff", "\ufffd"),
        (b'"' + b"word " * 100 + b'"', '"' + ("word " * 100)[:119] + "…"),
        (TEXT[:90].encode(), TEXT[:90]),
    ],
)
def test_words(data: bytes, text: str) -> None:
    assert _seen(memoryview(data)) == Words(text, len(data))


def test_nothing() -> None:
    assert _seen(memoryview(b"")) is None


def test_a_whole_line_is_no_picture() -> None:
    shown = _seen(memoryview(json.dumps({"data": TEXT}).encode() + b"\n"))
    assert isinstance(shown, Words)
    assert len(shown.text) == 121
