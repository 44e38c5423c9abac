"""What is said where a picture was."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.assets import AssetName
from sessionkit.core.model import MediaKind
from sessionkit.core.pictures import Facts
from sessionkit.core.pixels import Size
from sessionkit.core.sniff import PDF, PNG
from sessionkit.faults import note

DIGEST = "0" * 64
FACTS = Facts(PNG, Size(1900, 1900), 8_487_096, DIGEST, is_animated=False)

WHOLE = note.Note(note.over_length(5_242_880), FACTS, AssetName(DIGEST, "png"))


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (
            WHOLE,
            f"[image removed: over 5242880 base64 characters; image/png 1900x1900, 8487096 bytes; kept as images/{DIGEST}.png]",
        ),
        (note.Note(note.NOT_BASE64, None, AssetName(DIGEST, "bin")), f"[image removed: not base64; its text kept as images/{DIGEST}.bin]"),
        (note.Note(note.EMPTY), "[image removed: empty]"),
        (
            note.Note("HTML, not an image", Facts(PNG, None, 9, DIGEST, is_animated=False)),
            "[image removed: HTML, not an image; image/png, 9 bytes]",
        ),
        (
            note.Note("no %%EOF", Facts(PDF, None, 9, DIGEST, is_animated=False), kind=MediaKind.DOCUMENT),
            "[document removed: no %%EOF; application/pdf, 9 bytes]",
        ),
    ],
)
def test_texts(made: note.Note, text: str) -> None:
    assert str(made) == text


def test_shorter_forms() -> None:
    assert WHOLE.forms == (str(WHOLE), "[image removed]", "-")


def test_reasons() -> None:
    assert [
        note.over_side(8000),
        note.over_side_among(2000, 20),
        note.over_request(32_000_000),
        note.over_count(100),
        note.not_accepted("image/bmp"),
    ] == [
        "side over 8000 px",
        "side over 2000 px among more than 20 images",
        "request over 32000000 bytes",
        "over 100 images",
        "type image/bmp is not accepted",
    ]


@given(st.text())
def test_whatever_the_reason_the_note_is_plain_text(reason: str) -> None:
    """What a file says of itself cannot break out of the note, and JSON holds the note as it is."""
    text = str(note.Note(reason))
    assert json.dumps(text) == f'"{text}"'
    assert text.isascii()
    assert text.count("[") == text.count("]") == 1
