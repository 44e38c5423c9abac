"""A strict vendor refuses what is sent of a session with faults, and takes what is sent of a good one; `test_contract.py` cures them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.faults.recipe import recipes
from tests.faults.sending import refused
from tests.faults.workshop import RECORDED, opened

if TYPE_CHECKING:
    from pathlib import Path

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
INLINE = [path for path in RECORDED if path.parts[-2] != "spilled"]
"""No agent sends a reference."""
MINDED = [
    recipe
    for recipe in recipes()
    if recipe.fault in WORDS and recipe.variant not in ("asleep", "resumed") and recipe.folder.name != "wrong-media-type-asked"
]
"""What the fake vendors know."""


@pytest.mark.parametrize("path", INLINE, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_what_is_sent_of_a_good_session_is_taken(path: Path, tmp_path: Path) -> None:
    with opened(tmp_path, path.read_bytes()) as case:
        assert refused(case) == []


@pytest.mark.parametrize("recipe", MINDED, ids=lambda recipe: f"{recipe.format}/{recipe.folder.name}")
def test_what_is_at_fault_is_refused(recipe: Recipe, tmp_path: Path) -> None:
    with opened(tmp_path, (recipe.folder / "bad.jsonl").read_bytes()) as case:
        words = refused(case)
        assert words
        if case.wire.provider.id == "anthropic" and recipe.variant not in IN_OTHER_WORDS:
            assert any(WORDS[recipe.fault] in word for word in words)
