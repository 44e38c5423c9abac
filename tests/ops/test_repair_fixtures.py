"""Every fixture of a fault, repaired on the disk and put back."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest

from sessionkit.ops.outputs import Outcome
from tests.faults.workshop import RECORDED
from tests.ops.repairs import backup, journal, options, repaired, stored, undone
from tests.ops.runs import FIXTURES, files, stamps

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.ops.repair import Options

FOLDERS = sorted(path.parent for path in (FIXTURES / "faults").glob("*/*/bad.jsonl"))

each_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}/{path.name}")


def wished(folder: Path) -> Options:
    return options(granted=frozenset(json.loads((folder / "report.json").read_text()).get("options", ())))


@each_folder
def test_it_is_cured_once_and_can_be_undone(folder: Path, tmp_path: Path) -> None:
    bad, good = ((folder / name).read_bytes() for name in ("bad.jsonl", "cured.jsonl"))
    path, how = stored(tmp_path, bad), wished(folder)
    before = stamps(tmp_path)
    first = repaired(path, how)
    assert path.read_bytes() == good
    assert files(folder / "images") == files(tmp_path / "images")
    assert all(digest(data) == name.partition(".")[0] for name, data in files(folder / "images").items())
    assert path.stat().st_mtime_ns == before["session.jsonl"][1]
    if good == bad:
        assert first.outcome is Outcome.UNCHANGED
        assert stamps(tmp_path) == before
        return
    assert backup(path).read_bytes() == bad
    require_journal(path, bad, good)
    after = stamps(tmp_path)
    assert repaired(path, how).outcome is Outcome.UNCHANGED
    assert stamps(tmp_path) == after
    undone(path)
    assert path.read_bytes() == bad
    assert {name for name in files(tmp_path) if not name.startswith("images/")} == {"session.jsonl"}


def require_journal(path: Path, bad: bytes, good: bytes) -> None:
    """Each change holds the hashes of what it is about; with all of them the one text becomes the other."""
    document = json.loads(journal(path).read_bytes())
    assert (document["before"]["sha256"], document["after"]["sha256"]) == (digest(bad), digest(good))
    starts = [0]
    for line in bad.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    old = new = 0
    for change in document["changes"]:
        start, stop = (starts[change["line"] - 1] + change[name] for name in ("start", "stop"))
        new += start - old
        assert change["faults"]
        assert digest(bad[start:stop]) == change["before"]["sha256"]
        assert digest(good[new : new + change["after"]["size"]]) == change["after"]["sha256"]
        assert bad[old:start] == good[new - (start - old) : new]
        old, new = stop, new + change["after"]["size"]
    assert bad[old:] == good[new:]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_a_good_session_is_left_alone(path: Path, tmp_path: Path) -> None:
    session = stored(tmp_path, path.read_bytes())
    before = stamps(tmp_path)
    result = repaired(session)
    assert (result.outcome, result.prognosis.treated, result.prognosis.is_clean) == (Outcome.UNCHANGED, (), True)
    assert stamps(tmp_path) == before


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
