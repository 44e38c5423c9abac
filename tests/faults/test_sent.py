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

RECIPES = [recipe for recipe in recipes() if recipe.fault in CURED]
each = pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: f"{recipe.format}/{recipe.folder.name}")


def refused(case: Case) -> list[str]:
    return [words for words in told(case) if case.format not in HABITS or HABITS[case.format] not in words]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_what_is_sent_of_a_good_session_is_taken(path: Path, tmp_path: Path) -> None:
    if path.parts[-2] == "spilled":
        pytest.skip("no agent sends a reference")
    with opened(tmp_path, path.read_bytes()) as case:
        assert refused(case) == []


@each
def test_what_is_at_fault_is_refused(recipe: Recipe, tmp_path: Path) -> None:
    if recipe.fault not in WORDS or recipe.variant in ("asleep", "resumed") or recipe.folder.name == "wrong-media-type-asked":
        pytest.skip("the fake vendor does not mind")
    with opened(tmp_path, recipe.make()) as case:
        words = refused(case)
        assert words
        if case.wire.provider.id == "anthropic" and recipe.variant not in IN_OTHER_WORDS:
            assert any(WORDS[recipe.fault] in word for word in words)


@each
def test_what_is_cured_is_taken(recipe: Recipe, tmp_path: Path) -> None:
    bad = recipe.make().content
    cured = repaired(tmp_path, bad, recipe.options).content
    if cured == bad:
        pytest.skip("its agent gets by, or it needs a person")
    with opened(tmp_path, cured) as case:
        assert refused(case) == []
