"""A strict vendor refuses what is sent of a session with faults, and takes what is sent after the cure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.faults.recipe import recipes
from tests.faults.repairing import repaired
from tests.faults.sending import told
from tests.faults.workshop import RECORDED, opened

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.case import Case
    from tests.faults.recipe import Recipe

WORDS = {
    "wrong-media-type": "Image does not match the provided media type",
    "unsupported-media-type": "Input should be 'image/jpeg', 'image/png'",
    "undecodable-image": "Could not process image",
    "image-empty": "image cannot be empty",
    "not-base64": "invalid base64 data",
    "noncanonical-base64": "invalid base64 data",
    "placeholder-in-data": "invalid base64 data",
    "many-image-pixels": "max allowed size for many-image requests: 2000 pixels",
    "image-too-many-pixels": "max allowed size: 8000 pixels",
    "too-many-images": "images > 100",
}
"""What Anthropic says; the others say something of their own."""
IN_OTHER_WORDS = {"bmp", "heic", "url-without-subtype"}
"""Variants that the fake vendor refuses for their label, or that are not sent to Anthropic as they are."""
CURED = {"source-shape", "assistant-image", "bad-document", *WORDS}

HABITS = {
    "gemini-cli": "Please ensure that the number of function response parts",  # it sends results twice
    "qwen-code": "Image URLs are only allowed for messages with role 'user'",  # it sends images in results of tools
}
"""What the fake vendors refuse of healthy sessions, as their agents send them."""

INLINE = [path for path in RECORDED if path.parts[-2] != "spilled"]
"""No agent sends a reference."""
RECIPES = [recipe for recipe in recipes() if recipe.fault in CURED]
MINDED = [
    recipe
    for recipe in RECIPES
    if recipe.fault in WORDS and recipe.variant not in ("asleep", "resumed") and recipe.folder.name != "wrong-media-type-asked"
]
"""What the fake vendors know."""


def each(recipes_: list[Recipe]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("recipe", recipes_, ids=lambda recipe: f"{recipe.format}/{recipe.folder.name}")


def refused(case: Case) -> list[str]:
    return [words for words in told(case) if case.format not in HABITS or HABITS[case.format] not in words]


@pytest.mark.parametrize("path", INLINE, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_what_is_sent_of_a_good_session_is_taken(path: Path, tmp_path: Path) -> None:
    with opened(tmp_path, path.read_bytes()) as case:
        assert refused(case) == []


@each(MINDED)
def test_what_is_at_fault_is_refused(recipe: Recipe, tmp_path: Path) -> None:
    with opened(tmp_path, recipe.make()) as case:
        words = refused(case)
        assert words
        if case.wire.provider.id == "anthropic" and recipe.variant not in IN_OTHER_WORDS:
            assert any(WORDS[recipe.fault] in word for word in words)


@each(RECIPES)
def test_what_is_cured_is_taken(recipe: Recipe, tmp_path: Path) -> None:
    """What is left as it was is what its agent gets by with, or what needs a person."""
    bad = recipe.make().content
    cured = repaired(tmp_path, bad, recipe.options).content
    with opened(tmp_path, cured) as case:
        assert cured == bad or refused(case) == []
