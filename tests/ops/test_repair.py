"""Repairing on the disk: what is planned, and what is written."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from sessionkit.errors import UnreadableError
from sessionkit.ops.batch import Batch
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.repair import Picture, Plan, Repaired, Words
from sessionkit.ops.sources import Descent, find_sources
from sessionkit.ops.targets import InPlace, plan_transfers
from tests.faults.workshop import Session
from tests.ops.repairs import (
    CURE,
    DRY,
    backup,
    cured,
    journal,
    mislabelled,
    options,
    refused,
    repaired,
    stored,
    truncated,
    wrong_label,
)
from tests.ops.runs import mode, stamps


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """One of Claude Code's, in which one label is wrong."""
    return mislabelled(tmp_path / "home")


def test_a_dry_run_tells_all_and_writes_nothing(session: Path) -> None:
    before = stamps(session.parent)
    planned = repaired(session, options(writing=DRY))
    assert stamps(session.parent) == before
    done = repaired(session)
    assert planned.prognosis == done.prognosis
    assert (planned.outcome, planned.backup, done.backup) == (Outcome.WRITTEN, None, backup(session))


def test_only_the_planned_bytes_are_others(session: Path) -> None:
    old = session.read_bytes()
    (treated,) = repaired(session).prognosis.treated
    (step,) = treated.steps
    assert (treated.finding.fault, step.line, step.pointer) == ("wrong-media-type", 3, "/message/content/3/source/media_type")
    assert (step.before, step.after) == (Words('"image/png"', 11), Words('"image/jpeg"', 12))
    new = session.read_bytes()
    assert [at for at, lines in enumerate(zip(old.splitlines(), new.splitlines(), strict=True), 1) if lines[0] != lines[1]] == [3]
    assert Session.recorded("claude-code/session").content == new
    assert (mode(session), mode(backup(session)), mode(journal(session))) == (0o640, 0o640, 0o600)


def test_what_leaves_the_session_is_kept(tmp_path: Path) -> None:
    path = stored(tmp_path, truncated())
    (treated,) = repaired(path).prognosis.treated
    first, twin = treated.steps[0], treated.steps[-1]
    assert isinstance(first.before, Picture)
    kept = tmp_path / first.asset
    assert hashlib.sha256(kept.read_bytes()).hexdigest() == kept.stem == first.before.sha256
    assert first.asset in path.read_text()
    assert "[image removed: truncated PNG" in str(first.after)
    assert {step.asset for step in (first, twin)} == {first.asset}
    assert [path.name for path in (tmp_path / "images").iterdir()] == [kept.name]


def test_a_kept_picture_that_stands_there_torn_is_replaced(tmp_path: Path) -> None:
    path = stored(tmp_path, truncated())
    (step, *_) = repaired(path, options(writing=DRY)).prognosis.treated[0].steps
    torn = tmp_path / step.asset
    torn.parent.mkdir()
    torn.write_bytes(b"torn")
    repaired(path)
    assert hashlib.sha256(torn.read_bytes()).hexdigest() == torn.stem


def test_a_stage_sees_what_the_one_before_has_done(tmp_path: Path) -> None:
    """A record that was glued on another is only seen when it has a line of its own; what is told are the lines of the original."""
    lines = wrong_label(number=2).lines
    at = wrong_label(number=2).picture(2)[0].line
    glued = (*lines[: at - 2], lines[at - 2].rstrip(b"\n") + lines[at - 1], *lines[at:])
    result = repaired(stored(tmp_path, b"".join(glued)))
    assert cured(result) == ["glued-lines", "wrong-media-type"]
    assert [treated.finding.spot.line for treated in result.prognosis.treated] == [at - 1, at - 1]
    assert (tmp_path / "session.jsonl").read_bytes() == Session.recorded("claude-code/session").content


def test_what_a_cure_brings_back_is_cured_too(tmp_path: Path) -> None:
    """The parent is found in one of the last stages; only then a result is seen whose call is lost."""
    path = stored(tmp_path, Session.recorded("pi/compacted").with_line(20, b""))
    result = repaired(path)
    assert cured(result) == ["lost-parent", "unpaired-tool-result"]
    assert result.prognosis.is_clean


def test_a_line_feed_at_the_end_comes_along(tmp_path: Path) -> None:
    sound, ill = Session.recorded("pi/session").content.rstrip(b"\n"), wrong_label("pi/session").content.rstrip(b"\n")
    alone = repaired(stored(tmp_path / "alone", sound))
    assert (alone.outcome, alone.prognosis.is_clean) == (Outcome.UNCHANGED, True)
    path = stored(tmp_path / "along", ill)
    assert cured(repaired(path)) == ["wrong-media-type", "no-final-newline"]
    assert path.read_bytes() == sound + b"\n"


def test_what_is_no_session(tmp_path: Path) -> None:
    path = stored(tmp_path, b"\x7fELF and so on\nmore\n")
    assert isinstance(refused(path), UnreadableError)
    assert isinstance(refused(tmp_path / "nowhere.jsonl"), UnreadableError)
    assert repaired(stored(tmp_path, b"", "empty.jsonl")).outcome is Outcome.UNCHANGED


def test_several_processes_do_the_same(tmp_path: Path) -> None:
    paths = [str(stored(tmp_path / name, wrong_label(), f"{name}.jsonl")) for name in "abc"]
    plan = Plan(tuple(plan_transfers(find_sources(paths, Descent.REFUSE_FOLDERS), InPlace())), CURE)
    results = list(plan.run(Batch(jobs=2, least=0)))
    assert [cured(result) for result in results if isinstance(result, Repaired)] == [["wrong-media-type"]] * 3
    assert {Path(path).read_bytes() for path in paths} == {Session.recorded("claude-code/session").content}
