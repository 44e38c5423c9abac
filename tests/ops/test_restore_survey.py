"""What is kept of the first reading for the second."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.stores import LocalStore
from sessionkit.core.streams import open_source
from sessionkit.ops.restore import Options, survey
from sessionkit.ops.restore.survey import Survey, Surveyor, Trust
from sessionkit.ops.sessions import reader
from sessionkit.ops.targets import Mirror
from tests.laws.pipeline import reading_by
from tests.ops.runs import message, migrate_one, png, text, write

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def spilled(tmp_path: Path) -> Path:
    """Five references, some lines apart."""
    lines = [message(*map(png, numbers)) + text(2000) for numbers in ((0,), (1, 0), (2, 3))]
    migrate_one(write(tmp_path / "home" / "session.jsonl", b"".join(lines)), Mirror(tmp_path / "out"))
    return tmp_path / "out" / "session.jsonl"


def surveyed(spilled: Path) -> Survey:
    with LocalStore(spilled.parent / "images") as store, open_source(spilled) as stream:
        return Surveyor(store, Options(), Trust.ENTRY).read(stream)


def wanted(spilled: Path, found: Survey) -> list[bytes]:
    """Text of each reference in a second reading."""
    with open_source(spilled) as stream:
        return [
            bytes(block.data[reference.value.start : reference.value.stop])
            for block in reader.blocks(stream)
            for reference in found.wanted_in(block, Options())
        ]


@pytest.mark.parametrize("most", [5, 4, 0])
@pytest.mark.parametrize("size", [100, 3000, 1 << 20])
def test_the_second_reading_may_have_other_blocks(spilled: Path, monkeypatch: pytest.MonkeyPatch, most: int, size: int) -> None:
    monkeypatch.setattr(survey, "_MOST_REMEMBERED", most)
    with reading_by(500):
        found = surveyed(spilled)
    assert (found.remembered is None) == (most < 5)
    with reading_by(size):
        texts = wanted(spilled, found)
    assert len(texts) == 5
    assert all(text.startswith(b'"images/') and text.endswith(b'"asset_field":"data"') for text in texts)
