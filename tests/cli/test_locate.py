"""`locate`: the answer, the command that cures it, and how it exits."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from sessionkit.errors import ExitCode
from tests.cli.test_json import REFERENCE_NAMES, closed, names_in, schema_of
from tests.faults.media_bases import HTML, of_pi, pasted

if TYPE_CHECKING:
    from tests.cli.running import Cli, Program, Ran
    from tests.faults.workshop import Session

LABEL = "The image was specified using the image/png media type, but the image appears to be a image/jpeg image"
AT = f"messages.0.content.4.image.source.base64: {LABEL}"


def written(session: Session, name: str = "a.jsonl") -> Path:
    path = Path(name)
    path.write_bytes(session.content)
    return path


def validated(ran: Ran) -> list[dict[str, Any]]:
    """Records that fit the schema."""
    validator = Draft202012Validator(closed(schema_of("locate")))
    records = ran.records()
    for record in records:
        validator.validate(record)
    assert not names_in(records) & REFERENCE_NAMES
    assert ran.out.isascii()
    return records


@pytest.fixture
def bricked() -> Path:
    """The second picture has the label of another type."""
    return written(pasted().with_label(1, "image/png"), "bricked session.jsonl")


def test_a_hit(cli: Cli, bricked: Path) -> None:
    ran = cli("locate", bricked, "--error", AT)
    assert (ran.code, ran.err) == (ExitCode.OK, "")
    assert ran.out.splitlines() == [
        "refused: the media type of an image must be that of its bytes, at",
        "  messages.0.content.4",
        "bricked session.jsonl:3 at /message/content/3/source/data",
        "  image: image/jpeg 160x120, 2,732 bytes (3,644 characters of base64);",
        "    labelled image/png",
        "  sha256 d5743985a8999f5a24df4204c45fe9ab580bcd7eccb24fa9faf18ce98b4417e2",
        "  wrong-media-type: it is labelled image/png, and its bytes are image/jpeg",
        "  in the request: messages.0.content.4",
        "  found by its rule and its place",
        "next: sessionkit repair 'bricked session.jsonl' --only wrong-media-type --apply",
    ]


def test_the_command_cures_it(cli: Cli, bricked: Path) -> None:
    hit, summary = validated(cli("locate", bricked, "--error", AT, "--json"))
    assert (hit["type"], summary["verdict"], summary["exit_code"]) == ("hit", "one", 0)
    program, *words = shlex.split(hit["command"])
    assert program == "sessionkit"
    assert cli(*words, "--live").code == ExitCode.OK
    assert bricked.read_bytes() == pasted().content
    assert cli("locate", bricked, "--error", AT).code == ExitCode.FINDINGS


def test_the_command_puts_a_note_where_no_rule_is_broken(cli: Cli) -> None:
    path = written(pasted())
    other, summary = validated(cli("locate", path, "--error", "messages.0.content.4: something new", "--json"))
    assert (other["type"], other["fault"], summary["verdict"]) == ("other", None, "none")
    assert cli(*shlex.split(other["command"])[1:], "--live").code == ExitCode.OK
    block = json.loads(path.read_bytes().splitlines()[2])["message"]["content"][3]
    assert block["type"] == "text"
    assert block["text"].startswith("[image removed")


SEVERAL = of_pi().with_image(0, HTML, "image/png").with_image(3, HTML[:-1], "image/png")


def test_several(cli: Cli) -> None:
    ran = cli("locate", written(SEVERAL), "--error", "Could not process image")
    assert ran.code == ExitCode.FINDINGS
    assert ran.out.count("a.jsonl:") == 2
    assert "several break the rule" in ran.out
    assert ran.out.splitlines()[-1] == "next: sessionkit repair a.jsonl --only undecodable-image --apply"


def test_none(cli: Cli) -> None:
    ran = cli("locate", written(of_pi()), "--error", "Could not process image")
    assert (ran.code, ran.err) == (ExitCode.FINDINGS, "")
    assert ran.out.splitlines() == ["refused: an image must be one that can be decoded", "nothing in this session breaks this rule"]


def test_many(cli: Cli) -> None:
    path = written(of_pi().grown(0, 95))
    said = "Too much media: 0 document pages + 104 images > 100"
    assert "… and 4 more (-v shows them)" in cli("locate", path, "--error", said).out
    assert cli("locate", path, "--error", said, "-v").out.count("too-many-images:") == 14


def test_quiet(cli: Cli, bricked: Path) -> None:
    assert cli("locate", bricked, "--error", AT, "-q").out == ""


def test_json(cli: Cli) -> None:
    *hits, summary = validated(cli("locate", written(SEVERAL), "--error", "Could not process image", "--json"))
    assert [(hit["type"], hit["line"], hit["fault"], hit["evidence"]) for hit in hits] == [
        ("hit", 5, "undecodable-image", ["rule"]),
        ("hit", 11, "undecodable-image", ["rule"]),
    ]
    assert (summary["verdict"], summary["hits"], summary["others"], summary["exit_code"]) == ("several", 2, 0, 1)
    assert (summary["provider"], summary["client"], summary["profile"]) == ("anthropic", "pi", "anthropic")
    Draft202012Validator.check_schema(schema_of("locate"))


def test_json_of_unknown_words(cli: Cli) -> None:
    [summary] = validated(cli("locate", written(of_pi()), "--error", "no", "--json"))
    assert (summary["rule"], summary["faults"], summary["wire_paths"], summary["verdict"]) == (None, [], [], "none")


def test_json_of_a_failure(cli: Cli) -> None:
    Path("text.jsonl").write_text("hello\n")
    ran = cli("locate", "text.jsonl", "--error", "no", "--json")
    failed, summary = validated(ran)
    assert (failed["type"], failed["status"], failed["error"]["what"]) == ("session", "failed", "no record could be read")
    assert (summary["verdict"], summary["exit_code"], ran.code) == (None, 3, 3)
    assert "no record could be read" in ran.err


def test_a_file_and_standard_input(cli: Cli, program: Program, bricked: Path) -> None:
    shown = cli("locate", bricked, "--error", AT).out
    Path("error.log").write_text(f"2026-11-30 12:00:00 ERROR {json.dumps({'message': AT})}\n")
    assert cli("locate", bricked, "--error", "@error.log").out == shown
    done = program("locate", bricked, "--error", "-", stdin=AT.encode())
    assert (done.returncode, done.stdout.decode()) == (0, shown)


def test_a_session_on_standard_input(program: Program, bricked: Path) -> None:
    done = program("locate", "-", "--error", AT, stdin=bricked.read_bytes())
    assert done.returncode == ExitCode.OK
    assert done.stdout.decode().splitlines()[-1] == "next: sessionkit repair SESSION --only wrong-media-type --apply"


def test_another_client(cli: Cli, bricked: Path) -> None:
    assert "and its place" in cli("locate", bricked, "--error", AT.replace("content.4", "content.3"), "--client", "pi").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a.jsonl"], "Missing option '--error'"),
        (["a.jsonl", "--error", " "], "the error is an empty text"),
        (["a.jsonl", "--error", "@empty"], "the error is an empty text"),
        (["a.jsonl", "--error", "a.jsonl"], "--error a.jsonl: this is a file"),
        (["-", "--error", "-"], "both the session and the error are to be read from standard input"),
        (["a.jsonl", "--error", "no", "--client", "emacs"], "unknown client: emacs"),
        (["a.jsonl", "b.jsonl", "--error", "no"], "Got unexpected extra argument"),
    ],
)
def test_usage(cli: Cli, words: list[str], said: str) -> None:
    written(of_pi())
    Path("empty").touch()
    ran = cli("locate", *words)
    assert (ran.code, ran.out) == (ExitCode.USAGE, "")
    assert said in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["missing.jsonl", "--error", "no"], "missing.jsonl"),
        (["a.jsonl", "--error", "@missing.log"], "missing.log"),
        (["text.jsonl", "--error", "no"], "no record could be read"),
    ],
)
def test_what_cannot_be_read(cli: Cli, words: list[str], said: str) -> None:
    written(of_pi())
    Path("text.jsonl").write_text("hello\n")
    ran = cli("locate", *words)
    assert (ran.code, ran.out) == (ExitCode.FAILED, "")
    assert said in ran.err


def test_a_long_text_without_spaces(cli: Cli, bricked: Path) -> None:
    """It is longer than the name of any file."""
    assert cli("locate", bricked, "--error", json.dumps({"message": AT + "x" * 5000}, separators=(",", ":"))).code == ExitCode.OK


def test_what_is_quoted_is_never_printed(cli: Cli) -> None:
    session = of_pi()
    text = session.exhibits[0].text
    ran = cli("locate", written(session), "--error", f'Invalid value (TYPE_BYTES), Base64 decoding failed for "{text}"')
    assert text[:64] not in ran.out + ran.err


def test_help(cli: Cli) -> None:
    shown = cli("locate", "--help").out
    assert "Examples:" in shown
    assert [line for line in shown.splitlines() if len(line) > 80] == []
