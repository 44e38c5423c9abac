"""Repaired copies: the session stays as it is, and what it refers to goes along."""

from __future__ import annotations

import gzip
import shutil
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import RefusedError
from sessionkit.ops.targets import Mirror, OneFile
from tests.faults.workshop import Session
from tests.ops.repairs import (
    CURE,
    DRY,
    mislabelled,
    options,
    refused,
    repaired,
    stored,
    truncated,
    wrong_label,
)
from tests.ops.runs import FIXTURES, age, files, stamps

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """One of Claude Code's, in which one label is wrong."""
    return mislabelled(tmp_path / "home")


def test_a_copy_leaves_the_session_alone(session: Path, tmp_path: Path) -> None:
    before = stamps(session.parent)
    result = repaired(session, CURE, OneFile(tmp_path / "out" / "copy.jsonl"))
    assert stamps(session.parent) == before
    assert (tmp_path / "out" / "copy.jsonl").read_bytes() == Session.recorded("claude-code/session").content
    assert (result.backup, result.journal) == (None, None)


def test_assets_go_along_with_a_copy(tmp_path: Path) -> None:
    path = stored(tmp_path / "home", truncated())
    (step, *_) = repaired(path, CURE, Mirror(tmp_path / "out")).prognosis.treated[0].steps
    assert set(files(tmp_path / "out")) == {"session.jsonl", step.asset}
    repaired(tmp_path / "out" / "session.jsonl", CURE, Mirror(tmp_path / "again"))
    assert set(files(tmp_path / "again")) == {"session.jsonl"}, "a note is no reference"


def test_references_go_along_with_a_copy(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "native" / "spilled", tmp_path / "home")
    age(tmp_path / "home" / "session.jsonl")
    repaired(tmp_path / "home" / "session.jsonl", CURE, Mirror(tmp_path / "out"))
    assert files(tmp_path / "out") == files(FIXTURES / "native" / "spilled")


def test_an_archive_can_be_copied_but_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl.gz"
    path.write_bytes(gzip.compress(wrong_label().content))
    age(path)
    planned = repaired(path, options(writing=DRY))
    assert "archive" in planned.prognosis.busy
    assert isinstance(refused(path), RefusedError)
    repaired(path, CURE, OneFile(tmp_path / "copy.jsonl"))
    assert (tmp_path / "copy.jsonl").read_bytes() == Session.recorded("claude-code/session").content
