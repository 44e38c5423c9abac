"""`check`: what it says in each form, and what it exits with."""

from __future__ import annotations

import base64
import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.cli.printable import cells
from sessionkit.errors import ExitCode
from tests.cli.checking import write, write_files
from tests.cli.test_text import NAMES
from tests.faults.workshop import Session

if TYPE_CHECKING:
    from tests.cli.running import Cli, Program

DATA = base64.b64encode(bytes(range(256)) * 8).decode()
NOTES = "notes (-v shows them):"


@pytest.fixture
def files() -> None:
    write_files()


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


def test_what_was_not_looked_at_is_said_in_every_form(cli: Cli) -> None:
    Path("a.jsonl").write_text('{"a": 1}\n')
    said = {form: cli("check", "a.jsonl", "--output-format", form).out for form in ("text", "json", "github", "sarif")}
    assert said["text"].splitlines()[:2] == ["1 session: nothing is wrong", "not looked at as a whole:"]
    assert said["text"].splitlines()[2].startswith("  1 × its format is unknown")
    assert json.loads(said["json"].splitlines()[0])["unseen"][0].startswith("its format is unknown")
    assert said["github"].startswith("::notice file=a.jsonl,title=sessionkit check::its format is unknown")
    (told,) = json.loads(said["sarif"])["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert told["message"]["text"].startswith("its format is unknown")
