"""`check`: what it says in each form, and what it exits with."""

from __future__ import annotations

import base64
import json
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from sessionkit.cli.printable import cells
from sessionkit.cli.reports.check.sarif import rules
from sessionkit.errors import ExitCode
from sessionkit.faults import FAULTS
from sessionkit.faults.base import Severity
from tests.cli.sarif_schema import SARIF
from tests.cli.test_json import closed, names_in, schema_of
from tests.cli.test_text import NAMES
from tests.faults.recipe import recipes
from tests.faults.workshop import FIXTURES, Session

if TYPE_CHECKING:
    from tests.cli.running import Cli, Program

DATA = base64.b64encode(bytes(range(256)) * 8).decode()
NOTES = "notes (-v shows them):"


def write(name: str, session: Session) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(session.content)
    return path


@pytest.fixture
def files() -> None:
    """Sessions by what is wrong with them."""
    pi = Session.recorded("pi/session")
    empty = pi.with_items(11, "/message/content", {"type": "text", "text": ""})
    write("good.jsonl", pi)
    write("bricked.jsonl", empty)
    write("label.jsonl", pi.with_label(1, "image/png"))
    write("degraded.jsonl", Session.recorded("claude-code/session").with_label(1, "image/png"))
    compacted = Session.recorded("claude-code/compacted")
    write("notes.jsonl", compacted)
    write("asleep.jsonl", compacted.with_items(7, "/message/content/0/content", {"type": "text", "text": ""}))
    Path("no.jsonl").write_text("hello\n")


CODES = [
    ("good.jsonl", ExitCode.OK),
    ("notes.jsonl", ExitCode.OK),
    ("bricked.jsonl", ExitCode.FINDINGS),
    ("degraded.jsonl", ExitCode.FINDINGS),
    ("good.jsonl bricked.jsonl notes.jsonl -j 2", ExitCode.FINDINGS),
    ("bricked.jsonl -q", ExitCode.FINDINGS),
    ("bricked.jsonl --json", ExitCode.FINDINGS),
    ("degraded.jsonl --fail-on bricks", ExitCode.OK),
    ("bricked.jsonl --fail-on bricks", ExitCode.FINDINGS),
    ("notes.jsonl --fail-on harmless", ExitCode.OK),
    ("notes.jsonl --fail-on note", ExitCode.FINDINGS),
    ("good.jsonl --fail-on bloats", ExitCode.FINDINGS),
    ("good.jsonl --fail-on bricks,repeated-image", ExitCode.FINDINGS),
    ("bricked.jsonl --fail-on repeated-image --ignore repeated-image", ExitCode.OK),
    ("bricked.jsonl --fail-on repeated-image --fail-on bricks --ignore repeated-image", ExitCode.FINDINGS),
    ("label.jsonl --profile openai", ExitCode.OK),
    ("good.jsonl --max-images 5", ExitCode.FINDINGS),
    ("bricked.jsonl --select bom", ExitCode.OK),
    ("bricked.jsonl --select bom,empty-text", ExitCode.FINDINGS),
    ("bricked.jsonl --select bom --select empty-text", ExitCode.FINDINGS),
    ("bricked.jsonl --ignore bom,empty-text", ExitCode.OK),
    ("no.jsonl", ExitCode.FAILED),
    ("missing.jsonl", ExitCode.FAILED),
    ("no.jsonl good.jsonl", ExitCode.PARTIAL),
]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("line", "code"), CODES)
def test_codes(cli: Cli, line: str, code: ExitCode) -> None:
    assert cli("check", *shlex.split(line)).code == code


USAGE = [
    ("", "no sessions to work on"),
    (". ", "this is a folder"),
    ("good.jsonl --select empty-txt", "unknown fault: empty-txt\n  next: did you mean empty-text? `sessionkit explain` lists all"),
    ("good.jsonl --ignore rust", "unknown fault: rust\n  next: `sessionkit explain` lists all"),
    ("good.jsonl --fail-on brick", "--fail-on brick: neither a severity nor a fault\n  next: did you mean bricks?"),
    ("good.jsonl --profile claude", "unknown profile: claude\n  next: one of claude-code, anthropic"),
    ("good.jsonl --max-images 0", "0 is less than 1"),
    ("good.jsonl --json --output-format sarif", "--json and --output-format sarif name two formats"),
]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("line", "said"), USAGE)
def test_usage(cli: Cli, line: str, said: str) -> None:
    ran = cli("check", *shlex.split(line))
    assert (ran.code, ran.out) == (ExitCode.USAGE, "")
    assert said in ran.err


@pytest.mark.usefixtures("files")
def test_text(cli: Cli) -> None:
    assert cli("check", "degraded.jsonl", "good.jsonl").out.splitlines() == [
        "degraded.jsonl: 1 finding, 2 notes (claude-code)",
        "  degrades: wrong-media-type",
        "    degraded.jsonl:3 at /message/content/3/source/data",
        "    image/jpeg 160x120, 2,732 bytes (3,644 characters of base64); labelled",
        "      image/png",
        "    sha256 d5743985a8999f5a24df4204c45fe9ab580bcd7eccb24fa9faf18ce98b4417e2",
        "    it is labelled image/png, and its bytes are image/jpeg",
        "    in the next request: messages.0.content.4",
        "    cure: another label",
        "2 sessions: 1 degraded; 1 finding, 5 notes",
        NOTES,
        "      3 × repeated-image          bloats      12 kB to win",
        "      2 × twin-bytes              bloats      21 kB to win",
        "next: `sessionkit repair degraded.jsonl` shows how it would cure 1 of 1",
        "  finding",
        "      `sessionkit explain wrong-media-type` tells what that is",
    ]


@pytest.mark.usefixtures("files")
def test_the_rules_that_a_session_is_held_against_are_named(cli: Cli) -> None:
    assert "good.jsonl: 3 notes (pi, by the rules of anthropic)" in cli("check", "good.jsonl", "-v").out
    assert "good.jsonl: 3 notes (pi, by the rules of vertex)" in cli("check", "good.jsonl", "-v", "--profile", "vertex").out


@pytest.mark.usefixtures("files")
def test_nothing_is_wrong(cli: Cli) -> None:
    assert cli("check", "good.jsonl", "--ignore", "repeated-image").out == "1 session: nothing is wrong\n"
    assert cli("check", "good.jsonl", "-q").out == ""


@pytest.mark.usefixtures("files")
def test_notes_are_counted_and_shown_when_they_are_asked_for(cli: Cli) -> None:
    normal, verbose = cli("check", "notes.jsonl").out, cli("check", "notes.jsonl", "-v").out
    assert normal.splitlines()[:2] == ["1 session: nothing is wrong, 15 notes", NOTES]
    assert verbose.count("bloats: dead-images") == 7
    assert "cure: note in its place, with --slim dead; the original is kept as a file" in verbose
    assert NOTES not in verbose
    refused = cli("check", "notes.jsonl", "--fail-on", "dead-images").out
    assert refused.count("bloats: dead-images") == 3
    assert "  … and 4 more of dead-images (-v shows them)" in refused
    assert "dead-images   " not in refused


@pytest.mark.usefixtures("files")
def test_what_is_asleep_is_a_note(cli: Cli) -> None:
    normal, verbose = cli("check", "asleep.jsonl"), cli("check", "asleep.jsonl", "-v")
    assert (normal.code, verbose.code) == (ExitCode.OK, ExitCode.OK)
    assert "1 × empty-text              asleep" in normal.out
    assert "  bricks, asleep: empty-text" in verbose.out
    assert "    cure: taken out, with --all\n" in verbose.out


def test_many_of_a_kind_do_not_hide_another(cli: Cli) -> None:
    blocks = [{"type": "text", "text": ""}] * 20
    session = Session.recorded("pi/session").with_items(11, "/message/content", *blocks).with_label(4, "image/png")
    out = cli("check", write("a.jsonl", session)).out
    assert out.count("bricks: empty-text") == 3
    assert "  … and 17 more of empty-text (-v shows them)" in out
    assert "bricks: wrong-media-type" in out
    assert cli("check", "a.jsonl", "-v").out.count("bricks: empty-text") == 20


def test_what_cannot_be_cured_says_why(cli: Cli) -> None:
    write("a.jsonl", Session.recorded("codex/session").with_line(1, b""))
    out = cli("check", "a.jsonl").out
    assert "    no cure: what stood in it cannot be made up\n" in out
    assert "`sessionkit repair a.jsonl` shows how it would cure 0 of 1" in out


def test_the_next_step_is_quoted_and_of_one_session(cli: Cli) -> None:
    broken = Session.recorded("pi/session").with_label(1, "image/png")
    write("an odd name.jsonl", broken)
    assert "`sessionkit repair 'an odd name.jsonl'`" in cli("check", "an odd name.jsonl").out
    write("b.jsonl", broken)
    assert "`sessionkit repair PATH…`" in cli("check", "an odd name.jsonl", "b.jsonl").out


def test_standard_input(program: Program) -> None:
    ran = program("check", "-", stdin=Session.recorded("pi/session").with_label(1, "image/png").content)
    assert ran.returncode == ExitCode.FINDINGS
    assert b"  bricks: wrong-media-type\n    -:5 at " in ran.stdout
    assert b"sessionkit repair PATH" in ran.stdout


HOSTILE_TYPES = ["image/\x1b[31mpng\u202e", f"image/{DATA}", "image/" + "x" * 500]


@pytest.mark.parametrize("words", [(), ("-v",), ("--output-format", "github"), ("--output-format", "sarif"), ("--json",)], ids=" ".join)
@pytest.mark.parametrize("media_type", HOSTILE_TYPES, ids=["escape", "base64", "long"])
def test_hostile_types_are_told_safely(cli: Cli, words: tuple[str, ...], media_type: str) -> None:
    for name in NAMES:
        write(f"folder/{name}", Session.recorded("pi/session").with_label(1, media_type))
    ran = cli("check", "-r", "folder", *words)
    assert ran.code == ExitCode.FINDINGS
    assert DATA[:64] not in ran.out
    assert all(char.isprintable() for char in ran.out.replace("\n", ""))
    if words in {(), ("-v",)}:
        assert [line for line in ran.out.splitlines() if cells(line) > 80] == []


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of odd sessions, of one for each fault, and of what is none."""
    folder = tmp_path_factory.mktemp("everything")
    for fixture in FIXTURES.glob("[hs]*/*/input.jsonl"):
        shutil.copyfile(fixture, folder / f"{fixture.parent.name}.jsonl")
    for fault, recipe in {recipe.fault: recipe for recipe in recipes()}.items():
        (folder / f"{fault}.jsonl").write_bytes(recipe.make().content)
    (folder / "no.jsonl").write_text("hello\n")
    (folder / "no.jsonl.gz").touch()
    (folder / "array.jsonl").write_text('[{"role": "user", "parts": []}]')
    return folder


def test_80_columns(cli: Cli, everything: Path) -> None:
    ran = cli("check", "-r", everything, "-v")
    assert [line for line in ran.out.splitlines() if cells(line) > 80] == []


def test_json_fits_its_schema(cli: Cli, everything: Path) -> None:
    schema = schema_of("check")
    Draft202012Validator.check_schema(schema)
    assert (schema["$id"], schema["$defs"]["severity"]["enum"]) == ("sessionkit.check/1", list(Severity))
    validator = Draft202012Validator(closed(schema))
    ran = cli("check", "-r", everything, "--json", "--fail-on", "bricks")
    records = ran.records()
    for record in records:
        validator.validate(record)
    assert not names_in(records) & {"asset_path", "asset_prefix", "asset_field"}
    *sessions, summary = records
    assert (ran.code, summary["exit_code"]) == (ExitCode.PARTIAL, ExitCode.PARTIAL)
    checked = [record for record in sessions if record["status"] != "failed"]
    assert (summary["sessions"], summary["failed"], summary["left_out"]) == (len(sessions), len(sessions) - len(checked), 1)
    assert summary["bricked"] == sum(record["worst"] == "bricks" for record in checked) == summary["refused"]
    assert summary["degraded"] == sum(record["worst"] == "degrades" for record in checked)
    assert summary["partial"] == sum(bool(record["unseen"]) for record in checked) > 0
    told = sum(len(record["findings"]) + len(record["notes"]) for record in checked)
    assert sum(row["number"] for row in summary["counts"]) == told


@pytest.mark.usefixtures("files")
def test_a_record_in_json(cli: Cli) -> None:
    record, summary = cli("check", "degraded.jsonl", "--json", "--select", "wrong-media-type").records()
    assert record["findings"] == [
        {
            "path": "degraded.jsonl",
            "fault": "wrong-media-type",
            "severity": "degrades",
            "live": True,
            "line": 3,
            "pointer": "/message/content/3/source/data",
            "cause": "it is labelled image/png, and its bytes are image/jpeg",
            "cure": "another label",
            "obstacle": None,
            "option": None,
            "lossless": True,
            "image": {
                "declared": "image/png",
                "detected": "image/jpeg",
                "bytes": 2732,
                "base64_length": 3644,
                "sha256": "d5743985a8999f5a24df4204c45fe9ab580bcd7eccb24fa9faf18ce98b4417e2",
                "width": 160,
                "height": 120,
            },
            "twins": [],
            "wire_path": "messages.0.content.4",
            "bytes_won": 0,
        }
    ]
    assert (record["status"], record["worst"], record["refused"], record["profile"]) == ("findings", "degrades", True, "claude-code")
    assert (summary["degraded"], summary["curable"], summary["exit_code"]) == (1, 1, 1)


@pytest.mark.usefixtures("files")
def test_github(cli: Cli) -> None:
    ran = cli("check", "bricked.jsonl", "degraded.jsonl", "no.jsonl", "--output-format", "github")
    bricked, degraded, failed = ran.out.splitlines()
    assert bricked == (
        "::error file=bricked.jsonl,line=11,title=sessionkit empty-text::a text block in the result of a tool is empty"
        " (at /message/content/2)%0Ain the next request: messages.6.content.0.content.2%0Acure: taken out"
    )
    assert degraded == (
        "::warning file=degraded.jsonl,line=3,title=sessionkit wrong-media-type::it is labelled image/png, and its bytes are image/jpeg"
        " (at /message/content/3/source/data)%0Aimage/jpeg 160x120, 2,732 bytes (3,644 characters of base64); labelled image/png"
        "%0Ain the next request: messages.0.content.4%0Acure: another label"
    )
    assert failed == (
        "::error file=no.jsonl,title=sessionkit failed::no record could be read: its lines are no JSON objects, one a line"
        "%0Anext: name a session file; `jq -c .` writes a document on one line"
    )


@pytest.mark.usefixtures("files")
def test_github_notes_only_when_asked(cli: Cli) -> None:
    words = ("check", "notes.jsonl", "--output-format", "github")
    assert cli(*words).out == ""
    assert cli(*words, "-v").out.count("::notice ") == 15
    assert cli(*words, "--fail-on", "dead-images").out.count("::notice ") == 7


@pytest.mark.usefixtures("files")
def test_sarif(cli: Cli) -> None:
    document = json.loads(cli("check", "-r", ".", "--output-format", "sarif").out)
    Draft202012Validator(SARIF).validate(document)
    (run,) = document["runs"]
    known = run["tool"]["driver"]["rules"]
    assert {result["ruleId"] for result in run["results"]} == {known[result["ruleIndex"]]["id"] for result in run["results"]}
    assert {result["level"] for result in run["results"]} == {"error", "warning", "note"}
    assert any(result["relatedLocations"] for result in run["results"])
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, ExitCode.PARTIAL)
    (failure,) = invocation["toolExecutionNotifications"]
    assert (failure["level"], failure["message"]["text"].partition(":")[0]) == ("error", "no record could be read")


def test_every_fault_has_a_rule() -> None:
    assert [rule["id"] for rule in rules()] == [fault.id for fault in FAULTS]


def test_what_was_not_looked_at_is_said_in_every_form(cli: Cli) -> None:
    Path("a.jsonl").write_text('{"a": 1}\n')
    said = {form: cli("check", "a.jsonl", "--output-format", form).out for form in ("text", "json", "github", "sarif")}
    assert said["text"].splitlines()[:2] == ["1 session: nothing is wrong", "not looked at as a whole:"]
    assert said["text"].splitlines()[2].startswith("  1 × its format is unknown")
    assert json.loads(said["json"].splitlines()[0])["unseen"][0].startswith("its format is unknown")
    assert said["github"].startswith("::notice file=a.jsonl,title=sessionkit check::its format is unknown")
    (told,) = json.loads(said["sarif"])["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert told["message"]["text"].startswith("its format is unknown")
