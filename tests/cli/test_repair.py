"""`sessionkit repair` as people and programs see it."""

from __future__ import annotations

import gzip
import json
import re
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from sessionkit.cli.declare import command_of
from sessionkit.errors import ExitCode
from tests.cli.running import FIXTURES
from tests.cli.test_json import REFERENCE_NAMES, closed, names_in
from tests.faults.workshop import Session
from tests.ops.repairs import stored, truncated, wrong_label
from tests.ops.runs import age, stamps
from tests.ops.runs import files as files_below

if TYPE_CHECKING:
    from sessionkit.cli.declare import Parameter
    from tests.cli.running import Cli, Program

FAULTS = sorted((FIXTURES / "faults").glob("*/*/bad.jsonl"))[::4]


@pytest.fixture
def broken() -> Path:
    """A session of Claude Code's with a wrong label."""
    return stored(Path("in"), wrong_label(), "a.jsonl")


def test_a_dry_run_shows_a_diff(cli: Cli, broken: Path) -> None:
    before = stamps(broken.parent)
    ran = cli("repair", broken)
    assert (ran.code, ran.err) == (ExitCode.OK, "")
    assert "in/a.jsonl: 1 finding would be cured (claude-code)" in ran.out
    assert '    @ line 3 at /message/content/3/source/media_type\n    - "image/png"\n    + "image/jpeg"\n' in ran.out
    assert "nothing was written\nnext: close the agent, and run this again with --apply" in ran.out
    assert stamps(broken.parent) == before


def test_apply_and_undo(cli: Cli, broken: Path) -> None:
    ran = cli("repair", broken, "--apply")
    assert ran.code == ExitCode.OK
    assert "in/a.jsonl: 1 finding was cured (claude-code)" in ran.out
    (backup,) = broken.parent.glob("*.bak")
    assert f"as it was: {backup.name}\n" in ran.out
    assert broken.read_bytes() == Session.recorded("claude-code/session").content
    assert cli("repair", broken, "--apply").out.startswith("1 session: nothing to cure")
    ran = cli("repair", broken, "--undo")
    assert (ran.code, ran.out) == (ExitCode.OK, f"in/a.jsonl: {backup.name} was put back\n")
    assert files_below(broken.parent) == {"a.jsonl": wrong_label().content}
    ran = cli("repair", broken, "--undo")
    assert ran.code == ExitCode.FAILED
    assert "there is nothing to undo" in ran.err


@pytest.mark.parametrize(("names", "words"), [("b", "1 other name of this file keeps"), ("bc", "2 other names of this file keep")])
def test_other_names_are_told_of_before_and_after(cli: Cli, broken: Path, names: str, words: str) -> None:
    for name in names:
        Path(name).hardlink_to(broken)
    assert cli("repair", broken, "--json").records()[0]["other_names"] == len(names)
    for ran in (cli("repair", broken), cli("repair", broken, "--apply")):
        assert f"  {words} the old content\n" in ran.out
    assert "old content" not in cli("repair", broken, "--undo").out


def test_a_picture_is_described_and_never_printed(cli: Cli) -> None:
    path = stored(Path("in"), truncated(), "a.jsonl")
    ran = cli("repair", path, "--apply")
    assert re.search(r"^    - image/png 320x200, 750 B sha256:[0-9a-f]{12}…$", ran.out, re.MULTILINE)
    assert "+ [image removed: truncated PNG" in ran.out
    assert re.search(r"^  kept in in/images: 1 file \(750 B\)$", ran.out, re.MULTILINE)
    assert truncated().picture(0)[0].text[:40] not in ran.out


def test_what_is_left_says_why(cli: Cli) -> None:
    bad = (FIXTURES / "faults" / "claude-code" / "lost-parent" / "bad.jsonl").read_bytes()
    path = stored(Path("in"), bad, "a.jsonl")
    ran = cli("repair", path, "--apply")
    assert ran.code == ExitCode.FINDINGS
    assert "in/a.jsonl: 1 left (claude-code)" in ran.out
    assert "with\n      --relink" in ran.out or "with --relink" in ran.out
    assert path.read_bytes() == bad
    assert cli("repair", path, "--apply", "--quiet").code == ExitCode.FINDINGS
    assert cli("repair", path, "--apply", "--relink").code == ExitCode.OK


def test_what_does_not_change_stays_the_same(cli: Cli) -> None:
    path = stored(Path("in"), Session.recorded("claude-code/compacted"), "a.jsonl")
    ran = cli("repair", path, "--slim", "twins", "--slim", "dead")
    assert ran.code == ExitCode.OK
    assert "the next request stays the same, to the byte (" in ran.out
    assert "more of twin-bytes (-v shows them)" in ran.out


def test_a_copy(cli: Cli, program: Program, broken: Path) -> None:
    before = stamps(broken.parent)
    ran = cli("repair", broken, "-o", "copy.jsonl")
    assert (ran.code, "written: copy.jsonl" in ran.out) == (ExitCode.OK, True)
    assert stamps(broken.parent) == before
    good = Session.recorded("claude-code/session").content
    assert Path("copy.jsonl").read_bytes() == good
    assert cli("repair", "-r", "in", "--out", "out").code == ExitCode.OK
    assert Path("out/a.jsonl").read_bytes() == good
    piped = program("repair", "-", "-o", "-", stdin=broken.read_bytes())
    assert (piped.returncode, piped.stdout) == (ExitCode.OK, good)
    assert b"1 finding was cured" in piped.stderr


def test_standard_input_is_only_looked_at_unless_an_output_is_named(program: Program) -> None:
    """What leaves a session would be kept, so that something would be written."""
    for words, code, said in (
        ([], ExitCode.OK, "with -o FILE, or with -o - for"),
        (["--apply"], ExitCode.USAGE, "cannot be changed in place"),
    ):
        ran = program("repair", "-", *words, stdin=truncated().content)
        assert (ran.returncode, said in (ran.stdout + ran.stderr).decode()) == (code, True)
        assert files_below(Path()) == {}


def test_an_archive_is_repaired_into_a_copy(cli: Cli, broken: Path) -> None:
    Path("a.jsonl.gz").write_bytes(gzip.compress(broken.read_bytes()))
    ran = cli("repair", "a.jsonl.gz")
    assert (ran.code, "--apply" in ran.out, "next: run this again with -o FILE" in ran.out) == (ExitCode.OK, False, True)


def test_a_batch(cli: Cli, broken: Path) -> None:
    stored(Path("in"), b"\x7fELF\n", "no.jsonl")
    stored(Path("in"), Session.recorded("pi/session"), "sound.jsonl")
    ran = cli("repair", "-r", "in", "--apply", "-j", "2")
    assert ran.code == ExitCode.PARTIAL
    assert "2 sessions: 1 finding cured" in ran.out
    assert "no record could be read" in ran.err
    ran = cli("repair", "-r", "in", "--undo")
    assert (ran.code, ran.out.count("was put back")) == (ExitCode.OK, 1)
    assert broken.read_bytes() == wrong_label().content


def test_in_use(cli: Cli, broken: Path) -> None:
    age(broken, 1)
    ran = cli("repair", broken)
    assert ran.code == ExitCode.OK
    assert "not now: the session seems to be in use" in ran.out
    ran = cli("repair", broken, "--apply")
    assert (ran.code, "close its agent" in ran.err) == (ExitCode.FAILED, True)
    assert cli("repair", broken, "--apply", "--live").code == ExitCode.OK


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--only", "rust"], "unknown fault: rust"),
        (["--only", "bom,rust"], "unknown fault: rust"),
        (["--slim", "fat"], "'fat' is not one of twins, dead, repeats, off-path"),
        (["--slim", "off-path", "--apply"], "--slim off-path needs --yes"),
        (["--slim", "dead", "--skip", "bom"], "slimming is no cure"),
        (["--path", "/message"], "--path needs --line"),
        (["--line", "3", "--path", "message.content[0]"], "is no JSON pointer"),
        (["--line", "3", "in/b.jsonl"], "--line is about one session"),
        (["--note"], "a note is put at one place"),
        (["--apply", "-o", "x.jsonl"], "more than one output is named: -o and --apply"),
        (["--undo", "-o", "x.jsonl"], "--undo puts backups back where they were"),
        (["--undo", "--apply"], "--apply and --undo are opposites"),
        (["--profile", "acme"], "unknown profile: acme"),
        (["--format", "cobol"], "unknown format: cobol"),
    ],
)
def test_words_that_make_no_sense(cli: Cli, broken: Path, words: list[str], message: str) -> None:
    stored(Path("in"), wrong_label(), "b.jsonl")
    before = stamps(broken.parent)
    ran = cli("repair", broken, *words)
    assert (ran.code, ran.out) == (ExitCode.USAGE, "")
    assert message in ran.err
    assert stamps(broken.parent) == before


WITH_UNDO = {"recursive", "files_from", "apply", "undo", "out", "output", "dry_run", "live", "no_fsync", "jobs"}
"""Options that have an effect on an undoing, or are refused in words of their own."""
ALWAYS = {"fail_fast", "as_json", "quiet", "verbose"}


@pytest.mark.parametrize(
    "option",
    [each for each in command_of("repair").parameters if each.names and each.name not in WITH_UNDO | ALWAYS],
    ids=lambda option: option.names[-1],
)
def test_an_undoing_takes_no_options_of_cures(cli: Cli, broken: Path, option: Parameter) -> None:
    words = {"slim": ["dead"], "line": ["3"], "max_images": ["3"], "lock_timeout": ["3"]}.get(option.name, ["x"])
    before = stamps(broken.parent)
    ran = cli("repair", broken, "--undo", option.names[-1], *(words if option.kind is not bool else ()))
    assert (ran.code, ran.out) == (ExitCode.USAGE, "")
    assert f"{option.names[-1]} does nothing with --undo" in ran.err
    assert stamps(broken.parent) == before


def test_options_of_cures_may_be_set_elsewhere(cli: Cli, broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SESSIONKIT_MAX_IMAGES", "3")
    assert cli("repair", broken, "--apply").code == ExitCode.OK
    assert cli("repair", broken, "--undo").code == ExitCode.OK


def test_a_note_is_put_where_somebody_says(cli: Cli, broken: Path) -> None:
    assert cli("repair", broken, "--line", "3", "--note").code == ExitCode.USAGE
    ran = cli("repair", broken, "--line", "3", "--path", "/message/content/1", "--note", "--apply")
    assert (ran.code, "with --note nothing else is done" in ran.out) == (ExitCode.FINDINGS, True), "the wrong label is left"
    assert (
        "[image removed: by hand; image/png 320x200, " in json.loads(broken.read_bytes().splitlines()[2])["message"]["content"][1]["text"]
    )


def test_off_path_is_shown_without_yes(cli: Cli) -> None:
    sound = stored(Path("in"), Session.recorded("claude-code/session"), "a.jsonl")
    assert cli("repair", sound, "--slim", "off-path").code == ExitCode.OK
    assert cli("repair", sound, "--slim", "off-path", "--apply", "--yes").code == ExitCode.OK


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--only", "bom"], "nothing was found of bom"),
        (["--only", "bom"], "not cured: --only does not name it"),
        (["--skip", "wrong-media-type"], "not cured: --skip names it"),
        (["--line", "7"], "not cured: it is not at the place of --line"),
        (["--line", "99"], "there is no line 99: the session has 12"),
        (["--line", "3", "--path", "/message/contents"], "nothing stands at /message/contents on line 3"),
        (["--slim", "twins"], "with --slim nothing is cured: run repair without it"),
    ],
)
def test_harm_that_is_left_counts_whatever_was_asked_for(cli: Cli, broken: Path, words: list[str], said: str) -> None:
    for way in ([], ["--apply"]):
        ran = cli("repair", broken, *words, *way)
        assert (ran.code, " ".join(said.split()) in " ".join(ran.out.split())) == (ExitCode.FINDINGS, True)
        assert "1 left" in ran.out


def test_what_is_not_there_is_told_of_a_sound_session_too(cli: Cli) -> None:
    sound = stored(Path("in"), Session.recorded("claude-code/session"), "a.jsonl")
    for words, said in ((["--only", "bom,cycle"], "found of bom, cycle"), (["--line", "99"], "there is no line 99")):
        ran = cli("repair", sound, *words)
        assert (ran.code, said in ran.out) == (ExitCode.OK, True)


# programs


WAYS = (("--apply", "--all"), ("--slim", "twins", "--slim", "dead"), ("--out", "out", "--pairs", "--relink"))


@pytest.mark.parametrize("words", WAYS, ids=" ".join)
def test_output_fits_its_schema(cli: Cli, words: tuple[str, ...]) -> None:
    for path in FAULTS:
        stored(Path("in"), path.read_bytes(), f"{path.parts[-3]}-{path.parts[-2]}.jsonl")
    stored(Path("in"), b"\x7fELF\n", "no.jsonl")
    ran = cli("repair", "-r", "in", "--json", *words)
    *sessions, summary = require_schema(ran.records())
    assert ran.code == ExitCode.PARTIAL
    assert ran.out.isascii()
    assert not re.search(r"[A-Za-z0-9+/]{100,}", ran.out.replace("/", " "))
    assert summary["sessions"] == len(sessions)
    assert sum(len(session.get("cured", ())) for session in sessions) == summary["cured"] > 0
    assert {session["status"] for session in sessions} <= {"planned", "written", "unchanged", "failed"}


def test_an_undoing_fits_it_too(cli: Cli, broken: Path) -> None:
    cli("repair", broken, "--apply")
    for words, status in ((["-n"], "planned"), ([], "undone")):
        session, summary = require_schema(cli("repair", broken, "--undo", "--json", *words).records())
        assert (session["status"], summary["undone"]) == (status, 1)
    assert cli("repair", broken, "--undo", "--json").records()[0]["status"] == "failed"


def test_a_dry_run_says_what_apply_says(cli: Cli, broken: Path) -> None:
    planned, done = (cli("repair", broken, "--json", *words).records()[0] for words in ([], ["--apply"]))
    assert (planned["status"], done["status"]) == ("planned", "written")
    assert Path(done["backup"]).exists()
    changed = {"status", "backup", "journal"}
    assert {name: value for name, value in planned.items() if name not in changed} == {
        name: value for name, value in done.items() if name not in changed
    }


def require_schema(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    schema = json.loads((files("sessionkit.cli") / "schemas" / "repair.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(closed(schema))
    for record in records:
        validator.validate(record)
    assert not names_in(records) & REFERENCE_NAMES
    return records
