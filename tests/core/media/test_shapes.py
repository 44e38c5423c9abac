"""Folders of sessions before and after: every shape of media that agents write, what stays as it is, and input that no agent wrote.

`input.jsonl` becomes `expected.jsonl`, and `notes.txt` says why media stayed; `make snapshots` writes both anew.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from tests.laws.pipeline import Spilled, restore_bytes, runs_in, spill_bytes

FIXTURES = Path(__file__).parents[3] / "fixtures"
CASES = [*sorted(FIXTURES.glob("shapes/*/")), *sorted(FIXTURES.glob("hostile/*/"))]
of_each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")


def notes_of(spilled: Spilled) -> str:
    return "".join(f"line {note.line} {note.pointer}: {note.cause}\n" for note in spilled.ledger.notes)


def stored(path: Path, now: str | bytes) -> bytes:
    """What the file holds; in an update, what it shall hold. No file holds nothing."""
    data = now.encode() if isinstance(now, str) else now
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.unlink(missing_ok=True)
        if data:
            path.write_bytes(data)
    return path.read_bytes() if path.exists() else b""


@pytest.mark.snapshot
@of_each_case
def test_migrate_writes_what_is_expected(case: Path) -> None:
    spilled = spill_bytes((case / "input.jsonl").read_bytes())
    assert spilled.text == stored(case / "expected.jsonl", spilled.text)
    assert notes_of(spilled).encode() == stored(case / "notes.txt", notes_of(spilled))


@of_each_case
def test_restore_gives_the_input_back(case: Path) -> None:
    text = (case / "input.jsonl").read_bytes()
    if not runs_in(text):
        assert restore_bytes((case / "expected.jsonl").read_bytes(), spill_bytes(text).assets) == text


@of_each_case
def test_migrating_what_is_expected_changes_nothing(case: Path) -> None:
    text = (case / "expected.jsonl").read_bytes()
    assert spill_bytes(text).text == text


@of_each_case
def test_references_name_the_content(case: Path) -> None:
    text = (case / "input.jsonl").read_bytes()
    spilled = spill_bytes(text)
    assert all(name.digest == hashlib.sha256(data).hexdigest() for name, data in spilled.assets.items())
    assert {run.asset for run in runs_in(spilled.text)} >= spilled.assets.keys()
