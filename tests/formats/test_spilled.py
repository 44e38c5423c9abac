"""A spilled session reads like the inline one: the same conversation, with its media elsewhere."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

from sessionkit.core.entries import read_entries
from sessionkit.core.streams import open_source
from sessionkit.formats import FORMATS
from sessionkit.ops.targets import Mirror
from tests.formats.outlines import read
from tests.formats.twins import located
from tests.ops.runs import FIXTURES, age, migrate_one

IDS = {book.id for book in FORMATS}
SESSIONS = [path for path in sorted(FIXTURES.glob("*/*/session.json*")) if path.parts[-3] in IDS - {"unknown"}]
UNREAD = {"bedrock"}
"""No book reads messages of these shapes."""
SHAPES = sorted(path.parent for path in (FIXTURES / "shapes").glob("*/input.jsonl") if path.parent.name not in UNREAD)
BOOKS = {book.id: book for book in reversed(FORMATS)}


def copy(session: Path, folder: Path) -> Path:
    folder.mkdir()
    return age(Path(shutil.copy(session, folder)))


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_session_and_its_spilled_twin(session: Path, tmp_path: Path) -> None:
    inline = copy(session, tmp_path / "inline")
    migrated = migrate_one(inline, Mirror(tmp_path / "spilled"))
    assert migrated.transfer.target
    assert located(read(migrated.transfer.target, name=str(inline))) == located(read(inline, name=str(inline)))


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_packed_session_has_its_media_in_memory(session: Path, tmp_path: Path) -> None:
    packed = tmp_path / "session.jsonl.gz"
    packed.write_bytes(gzip.compress(session.read_bytes()))
    assert located(read(packed, name=str(packed))).messages == located(read(session, name=str(packed))).messages


@pytest.mark.parametrize("shape", SHAPES, ids=lambda path: path.name)
def test_shape_and_its_spilled_twin(shape: Path) -> None:
    book = BOOKS.get(shape.name, BOOKS["plain"])
    twins = []
    for name in ("input.jsonl", "expected.jsonl"):
        with open_source(shape / name) as stream:
            twins.append(located(book.conversation(read_entries(stream), "session.jsonl", None)))
    assert twins[1] == twins[0]
