"""Repairing on the disk: what is planned, what is written, what is refused."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import ChangedError, InUseError, RefusedError, UnreadableError, UsageError
from sessionkit.faults.base import Resizing
from sessionkit.ops.batch import Batch
from sessionkit.ops.failed import Failed
from sessionkit.ops.guards import Liveness
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.repair import Aim, Alike, Cures, Picture, Plan, Repaired, Slim, Words
from sessionkit.ops.repair.backups import Backup, new_backup
from sessionkit.ops.sources import Descent, find_sources
from sessionkit.ops.targets import InPlace, Mirror, OneFile, plan_transfers
from sessionkit.ops.writing import Writing
from tests.faults.workshop import Session, opened
from tests.ops.repairs import (
    CURE,
    DRY,
    IN_PLACE,
    STAMP,
    backup,
    cured,
    journal,
    noon,
    options,
    refused,
    repaired,
    stored,
    tried,
    truncated,
    undone,
    wrong_label,
)
from tests.ops.runs import FIXTURES, age, files, mode, stamps
from tests.pictures import picture

if TYPE_CHECKING:
    from sessionkit.ops.repair import Options

COMPACTED = ("claude-code/compacted", "claude-code/session", "pi/compacted", "qwen-code/compacted", "gemini-cli/session")
LATE = b'{"type":"system","uuid":"late","parentUuid":null}\n'
HOLD = 'import sys; file = open(sys.argv[1], "a"); print("ready", flush=True); sys.stdin.read()'


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """One of Claude Code's, in which one label is wrong."""
    path = stored(tmp_path / "home", wrong_label())
    path.chmod(0o640)
    return path


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


def test_a_backup_is_the_old_file_under_a_second_name(session: Path) -> None:
    inode = session.stat().st_ino
    repaired(session)
    assert backup(session).stat().st_ino == inode != session.stat().st_ino


def test_a_backup_is_copied_where_there_are_no_links(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    old, before = session.read_bytes(), session.stat()
    repaired(session)
    kept = backup(session).stat()
    assert backup(session).read_bytes() == old
    assert (kept.st_mtime_ns, kept.st_mode, kept.st_nlink) == (before.st_mtime_ns, before.st_mode, 1)
    undone(session)
    assert session.read_bytes() == old


def test_a_link_to_a_session_stays_one(session: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(session)
    repaired(link)
    assert link.is_symlink()
    assert backup(session).exists()
    undone(link)
    assert session.read_bytes() == wrong_label().content


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


# places


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


# choices


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


# a note by hand


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


# slimming


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


# copies


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


# in use


def test_a_young_session_is_left_alone(session: Path) -> None:
    age(session, 1)
    before = stamps(session.parent)
    assert isinstance(refused(session), InUseError)
    assert "seconds ago" in repaired(session, options(writing=DRY)).prognosis.busy
    assert stamps(session.parent) == before
    live = Writing(liveness=Liveness.ACCEPT)
    assert repaired(session, options(writing=live)).outcome is Outcome.WRITTEN


def test_a_session_in_which_nothing_is_wrong_may_be_in_use(tmp_path: Path) -> None:
    path = stored(tmp_path, Session.recorded("pi/session"))
    age(path, 0)
    assert repaired(path).outcome is Outcome.UNCHANGED


@pytest.mark.parametrize("liveness", list(Liveness))
def test_an_open_session_is_left_alone(session: Path, liveness: Liveness) -> None:
    before = files(session.parent)
    with subprocess.Popen([sys.executable, "-c", HOLD, session], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        error = refused(session, options(writing=Writing(liveness=liveness)))
        assert isinstance(error, InUseError if liveness is Liveness.REFUSE else ChangedError)
        assert files(session.parent) == before, "no backup is left"
        process.communicate()


def test_a_line_that_is_appended_meanwhile_is_not_lost(session: Path) -> None:
    old = session.read_bytes()

    def agent(_size: int) -> None:
        with session.open("ab") as file:
            file.write(LATE)

    result = tried(session, options(writing=Writing(liveness=Liveness.ACCEPT)), IN_PLACE, Batch(progress=agent))
    assert isinstance(result, Failed)
    assert isinstance(result.error, ChangedError)
    assert files(session.parent) == {"session.jsonl": old + LATE}


# input that is no session


def test_what_is_no_session(tmp_path: Path) -> None:
    path = stored(tmp_path, b"\x7fELF and so on\nmore\n")
    assert isinstance(refused(path), UnreadableError)
    assert isinstance(refused(tmp_path / "nowhere.jsonl"), UnreadableError)
    assert repaired(stored(tmp_path, b"", "empty.jsonl")).outcome is Outcome.UNCHANGED


# backups


def test_backups_are_never_overwritten(session: Path) -> None:
    for name in (f"{STAMP}.bak", "20260601T120001Z.json"):
        session.with_name(f"{session.name}.repair-{name}").write_bytes(b"mine")
    assert new_backup(session, noon()) == Backup(session, "20260601T120002Z")
    assert repaired(session).backup == backup(session, "20260601T120002Z")
    assert backup(session).read_bytes() == b"mine"


@pytest.mark.parametrize(("size", "is_repaired"), [(226, True), (227, False)])
def test_a_name_that_leaves_no_room_for_a_backup(tmp_path: Path, size: int, is_repaired: bool) -> None:
    """The picture that leaves the session would be kept: nothing is written before it is refused."""
    path = stored(tmp_path, truncated(), "a" * (size - 6) + ".jsonl")
    if is_repaired:
        assert repaired(path).outcome is Outcome.WRITTEN
        return
    assert "no backup can stand beside it" in repaired(path, options(writing=DRY)).prognosis.busy
    before = files(tmp_path)
    error = refused(path)
    assert error.why == "its name has 227 bytes, and that of a backup 29 more, of 255 in all"
    assert files(tmp_path) == before


def test_a_second_name_that_a_killed_run_left_is_removed(session: Path) -> None:
    os.link(session, backup(session, "20260101T000000Z"))
    journal(session, "20260101T000000Z").write_bytes(b"{}")
    repaired(session)
    assert {name for name in files(session.parent) if "repair" in name} == {backup(session).name, journal(session).name}


def test_what_a_killed_run_left_among_the_temporary_files_is_removed(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    leave = "import os, sys; from sessionkit.core.files.temporary import create_temporary; create_temporary(os.open(sys.argv[1], 0))"
    subprocess.run([sys.executable, "-c", leave, scratch], check=True)
    assert len(files(scratch)) == 1
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    repaired(session)
    assert files(scratch) == {}


def test_several_processes_do_the_same(tmp_path: Path) -> None:
    paths = [str(stored(tmp_path / name, wrong_label(), f"{name}.jsonl")) for name in "abc"]
    plan = Plan(tuple(plan_transfers(find_sources(paths, Descent.REFUSE_FOLDERS), InPlace())), CURE)
    results = list(plan.run(Batch(jobs=2, least=0)))
    assert [cured(result) for result in results if isinstance(result, Repaired)] == [["wrong-media-type"]] * 3
    assert {Path(path).read_bytes() for path in paths} == {Session.recorded("claude-code/session").content}
