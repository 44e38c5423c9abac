from __future__ import annotations

import pytest

from sessionkit.compaction.base import Compat, Marker
from sessionkit.compaction.placeholders import RESULT_CLEARED, clean_type, is_cleared, kind_of, placeholder
from sessionkit.core.model import Inline, Media, MediaKind
from tests.vectors.loader import Vector, vectors

PLACEHOLDERS = vectors("placeholder")


def test_no_vector_is_left_out() -> None:
    assert len(PLACEHOLDERS) == 29


@pytest.mark.parametrize("vector", PLACEHOLDERS, ids=repr)
def test_vectors(vector: Vector) -> None:
    [media] = vector.messages[0].content
    assert isinstance(media, Media)
    compat = Compat.UPSTREAM if vector.options["compat"] else Compat.NO
    assert placeholder(media, Marker(vector.options["style"]), compat) == vector.expected["text"]


@pytest.mark.parametrize(
    ("declared", "clean"),
    [
        (" Image/PNG ;q=1", "image/png"),
        ("application/vnd.ms-excel", "application/vnd.ms-excel"),
        (f"a{'b' * 63}/c{'d' * 63}", f"a{'b' * 63}/c{'d' * 63}"),
        (f"a{'b' * 64}/c", ""),
        ("image/png\n", "image/png"),
        ("image/\u212apng", ""),  # a Kelvin sign, which is a k in lower case
        ("image", ""),
        ("image/", ""),
        ("/png", ""),
        ("image/png/x", ""),
        (";image/png", ""),
        (None, ""),
    ],
)
def test_types(declared: str | None, clean: str) -> None:
    assert clean_type(declared) == clean


@pytest.mark.parametrize(
    ("kind", "declared", "told"),
    [
        (MediaKind.DOCUMENT, "image/png", MediaKind.IMAGE),
        (MediaKind.IMAGE, "audio/wav", MediaKind.DOCUMENT),
        (MediaKind.DOCUMENT, None, MediaKind.DOCUMENT),
        (MediaKind.IMAGE, "junk", MediaKind.IMAGE),
    ],
)
def test_a_type_that_makes_sense_tells_the_kind(kind: MediaKind, declared: str | None, told: MediaKind) -> None:
    assert kind_of(Media(kind, Inline("AAAA"), declared)) is told


def test_nothing_stands_for_a_medium_without_a_marker() -> None:
    assert placeholder(Media(MediaKind.IMAGE, Inline("AAAA")), Marker.NONE) == ""


@pytest.mark.parametrize(
    ("text", "cleared"),
    [
        (RESULT_CLEARED, True),
        ("[Old inline media cleared: image/png]", True),
        ("[Old inline media cleared: ]", True),
        ("[Old inline media cleared: image/png] and more", False),
        ("[Old inline media cleared: image/png]\n", False),
        ("[Old inline media cleared: a\nb]", False),
        ("", False),
    ],
)
def test_what_was_cleared_is_recognised(text: str, cleared: bool) -> None:
    assert is_cleared(text) is cleared
