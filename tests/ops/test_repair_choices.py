"""What is cured can be chosen: faults, places, a note by hand, and what only weighs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import RefusedError, UsageError
from sessionkit.faults.base import Resizing
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.repair import Aim, Alike, Cures, Picture, Slim
from sessionkit.ops.targets import OneFile
from tests.faults.workshop import Session, opened
from tests.ops.repairs import (
    DRY,
    cured,
    mislabelled,
    options,
    refused,
    repaired,
    stored,
    undone,
    wrong_label,
)
from tests.ops.runs import FIXTURES, stamps
from tests.pictures import picture

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.ops.repair import Options


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """One of Claude Code's, in which one label is wrong."""
    return mislabelled(tmp_path / "home")


@pytest.mark.parametrize(
    ("how", "faults"),
    [
        (options(), ["wrong-media-type", "undecodable-image"]),
        (options(only=frozenset({"undecodable-image"})), ["undecodable-image"]),
        (options(skip=frozenset({"undecodable-image"})), ["wrong-media-type"]),
        (options(only=frozenset({"bom"})), []),
        (options(aim=Aim(3)), ["wrong-media-type", "undecodable-image"]),
        (options(aim=Aim(3, "/message/content/1")), ["undecodable-image"]),
        (options(aim=Aim(3, "/message/content/3/source/data")), ["wrong-media-type"]),
        (options(aim=Aim(4)), []),
    ],
)
def test_what_is_cured_can_be_chosen(tmp_path: Path, how: Options, faults: list[str]) -> None:
    ill = wrong_label()
    first = ill.picture(0)[0]
    path = stored(tmp_path, ill.with_text(0, first.text[:200]))
    assert cured(repaired(path, how)) == faults


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"only": frozenset({"rust"})}, "unknown fault: rust"),
        ({"skip": frozenset({"rust"})}, "unknown fault: rust"),
        ({"format": "cobol"}, "unknown format: cobol"),
        ({"slims": frozenset({Slim.DEAD}), "only": frozenset({"bom"})}, "slimming is no cure"),
        ({"cures": Cures.NOTE}, "one place"),
    ],
)
def test_wishes_that_make_no_sense(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        options(**wrong)


def test_what_waits_for_an_option_is_left(tmp_path: Path) -> None:
    folder = FIXTURES / "faults" / "claude-code" / "lost-parent"
    path = stored(tmp_path, (folder / "bad.jsonl").read_bytes())
    before = stamps(tmp_path)
    result = repaired(path)
    (left,) = [left for left in result.prognosis.left if left.finding.counts]
    assert (left.finding.fault, left.finding.option, left.why) == ("lost-parent", "relink", "")
    assert (result.outcome, result.prognosis.is_clean) == (Outcome.UNCHANGED, False)
    assert stamps(tmp_path) == before
    assert repaired(path, options(granted=frozenset({"relink"}))).prognosis.is_clean


def test_a_smaller_picture_or_a_note(tmp_path: Path) -> None:
    large = Session.recorded("pi/session").with_image(0, picture("PNG", size=(9000, 300)))
    smaller = repaired(stored(tmp_path / "a", large)).prognosis.treated[0]
    assert isinstance(smaller.steps[0].after, Picture)
    assert smaller.steps[0].after.size is not None
    assert smaller.steps[0].after.size.width <= 2000
    noted = repaired(stored(tmp_path / "b", large), options(resizing=Resizing.REFUSED)).prognosis.treated[0]
    assert "side over 8000 px" in str(noted.steps[0].after)


def test_what_is_asleep_is_cured_on_request(tmp_path: Path) -> None:
    """A picture from before a compaction is told of, and does no harm."""
    session = Session.recorded("claude-code/compacted")
    asleep = next(at for at in range(9) if not is_live(session, at, tmp_path))
    path = stored(tmp_path / "home", session.with_text(asleep, session.picture(asleep)[0].text[:400]))
    result = repaired(path)
    assert (result.outcome, result.prognosis.is_clean) == (Outcome.UNCHANGED, True)
    assert "all" in {left.finding.option for left in result.prognosis.left if left.finding.fault == "undecodable-image"}
    assert "undecodable-image" in cured(repaired(path, options(granted=frozenset({"all"}))))


def is_live(session: Session, number: int, folder: Path) -> bool:
    place = session.picture(number)[0]
    with opened(folder, session) as case:
        return case.exhibit(place.spot).is_live


def test_a_note_by_hand(session: Path) -> None:
    how = options(aim=Aim(3, "/message/content/1"), cures=Cures.NOTE)
    result = repaired(session, how)
    assert cured(result) == ["by-hand"]
    block = json.loads(session.read_bytes().splitlines()[2])["message"]["content"][1]
    assert block["type"] == "text"
    assert block["text"].startswith("[image removed: by hand; image/png 320x200, ")
    assert result.prognosis.request
    assert (result.prognosis.request.alike, result.prognosis.request.line) == (Alike.PARTS, 3)
    assert cured(repaired(session)) == ["wrong-media-type"], "nothing else was done"


@pytest.mark.parametrize(
    ("aim", "error", "message"),
    [
        (Aim(3), UsageError, "2 pictures stand there"),
        (Aim(1), UsageError, "no picture stands there"),
        (Aim(3, "/message/content/0"), UsageError, "no picture stands there"),
    ],
)
def test_a_note_needs_one_picture(session: Path, aim: Aim, error: type[Exception], message: str) -> None:
    before = stamps(session.parent)
    found = refused(session, options(aim=aim, cures=Cures.NOTE))
    assert isinstance(found, error)
    assert message in found.what
    assert stamps(session.parent) == before


@pytest.mark.parametrize("kind", list(Slim))
@pytest.mark.parametrize(
    "case", ["claude-code/compacted", "claude-code/session", "pi/compacted", "qwen-code/compacted", "gemini-cli/session"]
)
def test_slimming_keeps_the_request(tmp_path: Path, kind: Slim, case: str) -> None:
    path = stored(tmp_path, Session.recorded(case))
    result = repaired(path, options(slims=frozenset({kind})))
    assert set(cured(result)) <= {kind.fault}
    assert result.prognosis.is_clean
    if result.prognosis.request and kind.keeps_request:
        assert result.prognosis.request.alike is Alike.SAME
    if result.outcome is Outcome.WRITTEN:
        assert result.prognosis.after < result.prognosis.before
        undone(path)
    assert path.read_bytes() == Session.recorded(case).content


def test_slimming_saves_what_it_should(tmp_path: Path) -> None:
    path = stored(tmp_path, Session.recorded("claude-code/compacted"))
    result = repaired(path, options(slims=frozenset({Slim.TWINS, Slim.DEAD})))
    assert result.prognosis.after < result.prognosis.before / 2


def test_slimming_is_never_part_of_a_cure(session: Path) -> None:
    assert cured(repaired(session, options(writing=DRY))) == ["wrong-media-type"]
    assert set(cured(repaired(session, options(slims=frozenset({Slim.TWINS}))))) == {"twin-bytes"}


def test_codex_is_slimmed_to_a_copy_only(tmp_path: Path) -> None:
    path = stored(tmp_path / "home", Session.recorded("codex/compacted"))
    how = options(slims=frozenset({Slim.DEAD}))
    error = refused(path, how)
    assert isinstance(error, RefusedError)
    assert "-o FILE" in error.hint
    result = repaired(path, how, OneFile(tmp_path / "copy.jsonl"))
    assert (tmp_path / "copy.jsonl").stat().st_size == result.prognosis.after < path.stat().st_size
