"""`estimate`: figures, limits and settings."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from sessionkit.cli.printable import cells
from sessionkit.errors import ExitCode
from sessionkit.ops.estimate import By, NoteKind
from sessionkit.tokens import PROFILES, Kind
from sessionkit.tokens.gates import GATES
from tests.cli.estimating import PICTURE, answer, chat, pi, picture_of, user
from tests.cli.running import FOLDERS
from tests.cli.test_json import closed, schema_of
from tests.cli.test_start_up import HEAVY, PROBE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.running import Cli, Copy, Program

HOSTILE = "\x1b]0;owned\x07\u202egnp.lnosj\n\udcff.jsonl"


def test_a_session(cli: Cli, session: Copy) -> None:
    ran = cli("estimate", session("a.jsonl"))
    assert (ran.code, ran.err) == (ExitCode.OK, "")
    titles, row, *rest = ran.out.splitlines()
    assert titles.split() == ["session", "format", "images", "tokens", "context"]
    assert row.split() == ["a.jsonl", "pi", "9", "11,183", "1,242"]
    assert rest == [
        "1 session, 27 messages: 11,183 tokens by the profile neutral; 1,200 for each",
        "  of 9 images",
        "context: 1,242 tokens that its provider counted up to line 30, and 0 estimated",
        "  after it",
        "with base64 counted as text it would be 13,039 tokens",
        "the next request: about 55 kB, of which 51 kB are base64",
    ]


def test_many_sessions_and_their_sums(cli: Cli) -> None:
    chat("a.jsonl", user("abcd"), user("abcd"))
    pi("b.jsonl", user([{"type": "text", "text": "abcd"}]), answer("abcd", 1000), user("x" * 40))
    lines = cli("estimate", "a.jsonl", "b.jsonl", "--window", "2000").out.splitlines()
    assert [line.split() for line in lines[1:3]] == [
        ["a.jsonl", "plain", "0", "2", "2", "0.1%"],
        ["b.jsonl", "pi", "0", "12", "1,010", "50.5%"],
    ]
    assert lines[3] == "2 sessions, 5 messages: 14 tokens by the profile neutral"
    assert lines[4] == "context: 1,012 tokens; 1 of 2 sessions have recorded usage that still holds"
    assert lines[-1] == "limit: 1,600 tokens of a window of 2,000, by the gate watermark"


@pytest.mark.parametrize(
    ("by", "rows"),
    [
        ("message", [["user,", "line", "1", "1"], ["user,", "line", "2", "1,201"]]),
        ("role", [["user", "1,202"]]),
        ("kind", [["images", "1,200"], ["text", "2"]]),
    ],
)
def test_parts(cli: Cli, by: str, rows: list[list[str]]) -> None:
    path = chat("a.jsonl", user("abcd"), user([picture_of("https://x/y.png"), {"type": "text", "text": "abcd"}]))
    _, _, *lines = cli("estimate", path, "--by", by).out.splitlines()
    assert [line.split() for line in lines[: len(rows)]] == rows
    record, _ = cli("estimate", path, "--by", by, "--json").records()
    assert sum(row["tokens"] for row in record["rows"]) == record["tokens"] == 1202


def test_all_profiles(cli: Cli, session: Copy) -> None:
    path = session("a.jsonl")
    rows = [line.split() for line in cli("estimate", path, "--profile", "all").out.splitlines() if line.startswith("  ")]
    assert [row[0] for row in rows[: len(PROFILES)]] == [profile.name for profile in PROFILES]
    assert ["gemini", "27,524", "1,242"] in rows
    sums = cli("estimate", path, session("b.jsonl"), "--profile", "all").out
    assert "by all profiles: neutral 22,366," in sums


def test_the_profile_of_the_agent(cli: Cli, session: Copy) -> None:
    session("a.jsonl")
    session("b.jsonl", "codex/session")
    records = cli("estimate", "a.jsonl", "b.jsonl", "--profile", "auto", "--json").records()
    assert [record.get("profile") for record in records] == ["pi", "codex", None]
    assert "each by the profile of its own agent" in cli("estimate", "a.jsonl", "b.jsonl", "--profile", "auto").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--by-dimensions --provider anthropic", "1,088 tokens for 9 images by their pixels"),
        ("--provider anthropic", "by the constant it would be 10,800"),
        ("--model gpt-4o", "tokens for 9 images by their pixels"),
        ("--by-dimensions", "no formula is known for the model mock"),
        ("--by-dimensions", "10,800 tokens for 9 images by the constant, 1,200 for each: no formula is known for the model"),
    ],
)
def test_images_by_their_pixels(cli: Cli, session: Copy, words: str, said: str) -> None:
    ran = cli("estimate", session("a.jsonl"), *shlex.split(words))
    assert ran.code == ExitCode.OK
    assert said in " ".join(ran.out.split())


@pytest.mark.parametrize(
    ("urls", "said"),
    [
        (["https://x/y.png"], "1,200 tokens for 1 image by the constant, 1,200 for each: their pixels are not known"),
        (["https://x/y.png", PICTURE], "images by their pixels, 1 of them by the constant; by the constant it would be 2,400"),
    ],
)
def test_images_whose_pixels_are_not_known(cli: Cli, urls: list[str], said: str) -> None:
    ran = cli("estimate", chat("a.jsonl", user([picture_of(url) for url in urls])), "--model", "gpt-4o")
    assert said in " ".join(ran.out.split())


@pytest.mark.parametrize(("type_", "said"), [("hologram", "a block of type hologram is"), ("", "a block without a type is")])
def test_blocks_that_are_not_counted(cli: Cli, type_: str, said: str) -> None:
    assert f"{said} not counted" in cli("estimate", pi("a.jsonl", user([{"type": type_}]))).out


def test_what_is_no_session(cli: Cli, session: Copy) -> None:
    chat("other.jsonl", {"what": "ever"})
    ran = cli("estimate", "other.jsonl")
    assert (ran.code, ran.out) == (ExitCode.FAILED, "")
    assert "other.jsonl: not a session of a known format: its first lines are none of pi, codex, qwen-code, claude-code," in ran.err
    assert cli("estimate", "other.jsonl", session("a.jsonl")).code == ExitCode.PARTIAL


def test_a_format_that_is_named(cli: Cli) -> None:
    path = pi("a.jsonl", user("abcd"))
    path.write_text(path.read_text().partition("\n")[2])  # without its header
    assert cli("estimate", path, "--format", "pi", "--json").records()[0]["format"] == "pi"
    assert cli("estimate", path, "--json").records()[0]["format"] == "ink"


def test_what_was_passed_over(cli: Cli) -> None:
    path = pi("a.jsonl", user("abcd"))
    with path.open("a") as file:
        file.write('{"type": "hologram", "id": "z", "parentId": "0"}\n{"torn": \n')
    assert "2 things passed over (-v shows what)" in cli("estimate", path).out
    told = cli("estimate", path, "-v").out
    assert "passed over:\n" in told
    assert "entry of the unknown type hologram\n      a.jsonl:3" in told


def test_missing_assets(cli: Cli, spilled: Path) -> None:
    for asset in spilled.parent.glob("images/*"):
        asset.unlink()
    ran = cli("estimate", spilled)
    assert "11,183" in ran.out
    assert "bytes of the next request: unknown, because assets are missing" in ran.out
    assert "to be taken with care:" in ran.out
    assert cli("estimate", spilled, "--json").records()[0]["request_bytes"] is None


@pytest.mark.parametrize("words", ["--profile all", "--by message", "--window 1000 --by-dimensions -v"])
def test_80_columns(cli: Cli, session: Copy, words: str) -> None:
    for name in ("a.jsonl", f"{'long' * 30}/{'name' * 30}.jsonl", f"{'会話' * 30}.jsonl", HOSTILE):
        session(f"folder/{name}")
    for folders in (["folder"], FOLDERS):
        ran = cli("estimate", "-r", *folders, *shlex.split(words))
        assert [line for line in ran.out.splitlines() if cells(line) > 80] == []
        assert all(char.isprintable() for char in (ran.out + ran.err).replace("\n", ""))


@pytest.mark.parametrize("words", ["", "--by message --profile all", "--by kind --window 5000 --fail-over --provider gemini"])
def test_output_fits_its_schema(cli: Cli, session: Copy, words: str) -> None:
    session(f"folder/{HOSTILE}")
    ran = cli("estimate", "-r", *FOLDERS, "folder", "--json", *shlex.split(words))
    validator = Draft202012Validator(closed(schema_of("estimate")))
    *sessions, summary = ran.records()
    for record in (*sessions, summary):
        validator.validate(record)
    assert ran.out.isascii()
    assert ran.code == summary["exit_code"] == ExitCode.PARTIAL
    assert summary["sessions"] == len(sessions)
    done = [record for record in sessions if record["status"] != "failed"]
    assert summary["failed"] == len(sessions) - len(done)
    for key in ("tokens", "context", "images", "messages"):
        assert summary[key] == sum(record[key] for record in done)
    for record in done:
        assert record["tokens"] == sum(record["by_kind"].values())


def test_schema_knows_all_names() -> None:
    schema = schema_of("estimate")
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == "sessionkit.estimate/1"
    session = schema["$defs"]["session"]["properties"]
    assert session["gate"]["properties"]["name"]["enum"] == [gate.name for gate in GATES]
    assert session["by"]["enum"] == list(By)
    assert session["notes"]["items"]["properties"]["kind"]["enum"] == list(NoteKind)
    assert list(schema["$defs"]["by_kind"]["properties"]) == list(Kind)


def test_help_knows_all_names(cli: Cli) -> None:
    shown = cli("estimate", "--help").out
    assert "Examples:\n    sessionkit estimate " in shown
    assert [line for line in shown.splitlines() if len(line) > 80] == []
    for name in (*(gate.name for gate in GATES), *(profile.name for profile in PROFILES), *By):
        assert name in shown


def test_standard_input(program: Program, session: Copy) -> None:
    ran = program("estimate", "-", "--json", stdin=session("a.jsonl").read_bytes())
    [record, _] = map(json.loads, ran.stdout.splitlines())
    assert (record["session"], record["tokens"], record["base64_bytes"]) == ("-", 11_183, 50_624)


def test_start_up(session: Copy) -> None:
    ran = subprocess.run([sys.executable, "-c", PROBE, "estimate", session("a.jsonl")], capture_output=True, check=True)
    assert HEAVY.isdisjoint(json.loads(ran.stderr))


def test_half_a_character_is_counted(cli: Cli) -> None:
    record, _ = cli("estimate", chat("a.jsonl", user("abc\ud83d")), "--json").records()
    assert record["tokens"] == 1
    assert record["request_bytes"] == len(r'{"role":"user","content":[{"type":"text","text":"abc\ud83d"}]},')


def test_images_that_the_agent_does_not_look_at(cli: Cli) -> None:
    image = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
    path = pi("a.jsonl", {"role": "user", "content": [image]}, {"role": "assistant", "content": [image]})
    told = " ".join(cli("estimate", path, "--profile", "pi").out.split())
    assert "1,200 tokens by the profile pi; 1,200 for each of 1 of 2 images" in told
