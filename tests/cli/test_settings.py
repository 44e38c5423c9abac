"""Where the values of options come from, and what wrong ones are told."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import ExitCode
from tests.pictures import picture

if TYPE_CHECKING:
    from tests.cli.running import Cli

USER = Path("../config/sessionkit/config.toml")
PROJECT = Path("../pyproject.toml")

# The sessions of these tests hold images of four sizes, so that the number of those that are taken tells the least size.
SIZES = {0: 4, 200: 3, 400: 2, 600: 1, 800: 0}


def graded() -> Path:
    """Write a session with images of 100, 300, 500 and 700 bytes."""
    path = Path("graded.jsonl")
    bmp = picture("BMP", size=(1, 1))
    contents = [bmp.ljust(size, b"\0") for size in (100, 300, 500, 700)]
    blocks = [{"type": "image", "data": base64.b64encode(content).decode(), "mimeType": "image/bmp"} for content in contents]
    path.write_text(json.dumps({"role": "user", "content": blocks}) + "\n")
    return path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, errors="surrogateescape")


@dataclass(frozen=True)
class Case:
    """What is said where, and the least size that it amounts to."""

    least: int
    environment: tuple[str, ...] = ()
    project: str = ""
    user: str = ""
    words: tuple[str, ...] = ()


PRECEDENCE = {
    "default": Case(0),
    "user": Case(200, user="min-bytes = 200"),
    "user, for one command": Case(400, user="min-bytes = 200\n[migrate]\nmin-bytes = 400"),
    "project": Case(400, project="[tool.sessionkit]\nmin-bytes = 400", user="min-bytes = 200"),
    "project, for one command": Case(600, project="[tool.sessionkit]\nmin-bytes = 200\n[tool.sessionkit.migrate]\nmin-bytes = 600"),
    "project before user's command": Case(400, project="[tool.sessionkit]\nmin-bytes = 400", user="[migrate]\nmin-bytes = 200"),
    "environment": Case(600, ("SESSIONKIT_MIN_BYTES=600",), "[tool.sessionkit]\nmin-bytes = 400", "min-bytes = 200"),
    "environment, for one command": Case(800, ("SESSIONKIT_MIN_BYTES=600", "SESSIONKIT_MIGRATE_MIN_BYTES=800")),
    "flag": Case(0, ("SESSIONKIT_MIN_BYTES=600",), "[tool.sessionkit]\nmin-bytes = 400", "min-bytes = 200", ("--min-bytes", "0")),
    "setting of another command": Case(0, project="[tool.sessionkit]\ntop = 3\n[tool.sessionkit.scan]\ntop = 2"),
    "a project without a table": Case(200, project="[tool.ruff]\nline-length = 3", user="min-bytes = 200"),
}


@pytest.mark.parametrize("case", PRECEDENCE.values(), ids=PRECEDENCE)
def test_precedence(cli: Cli, monkeypatch: pytest.MonkeyPatch, case: Case) -> None:
    for setting in case.environment:
        monkeypatch.setenv(*setting.split("="))
    write(PROJECT, case.project)
    write(USER, case.user)
    ran = cli("migrate", graded(), "--out", "out", "--json", *case.words)
    assert ran.code == 0, ran.err
    assert ran.records()[0]["media"] == SIZES[case.least]


def test_nearest_project(cli: Cli) -> None:
    write(PROJECT, "[tool.sessionkit]\nmin-bytes = 400")
    write(Path("pyproject.toml"), "[tool.sessionkit]\nmin-bytes = 600")
    assert cli("migrate", graded(), "--out", "out", "--json").records()[0]["media"] == SIZES[600]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("out = 'elsewhere'", ("-o", "out.jsonl")),
        ("in-place = true", ("--out", "out")),
        ("json = true", ("--out", "out")),
        ("media = 'images'\nrecursive = true\nkeep-going = true\njobs = 2\nno-fsync = true", ("--out", "out")),
        ("fsync = false", ("--out", "out", "--fsync")),
        ("fail-on = ['inline', 'bad-lines']\nmax-output = '2GiB'", ("--out", "out")),
        ("max-output = 1000", ("--out", "out")),
        ("profile = 'measured'\ngate = 'pi'\nwatermark = 1", ("--out", "out")),
    ],
)
def test_good_settings(cli: Cli, text: str, words: tuple[str, ...]) -> None:
    write(USER, text)
    ran = cli("migrate", graded(), *words)
    assert (ran.code, ran.err) == (ExitCode.OK, "")
    assert not Path("elsewhere").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("minbytes = 1", "bad setting minbytes: no command has an option --minbytes"),
        ("paths = ['a']", "bad setting paths: no command has an option --paths"),
        ("help = true", "bad setting help: no command has an option --help"),
        ("[migrate]\ntop = 1", "bad setting migrate.top: migrate has no option --top"),
        ("[scan]\nmin-bytes = 1", "bad setting scan.min-bytes: scan has no option --min-bytes"),
        ("migrate = 1", "bad setting migrate: it should be a table"),
        ("min-bytes = '1'", "bad setting min-bytes: it should be a whole number"),
        ("min-bytes = true", "bad setting min-bytes: it should be a whole number"),
        ("min-bytes = -1", "bad setting min-bytes: -1 is less than 0"),
        ("normalize = 1", "bad setting normalize: it should be true or false"),
        ("media = 3", "bad setting media: it should be a string"),
        ("media = 'video'", "bad setting media: 'video' is not one of images, all"),
        ("[scan]\nfail-on = 'inline'", "bad setting scan.fail-on: it should be a list of strings"),
        ('store = "a\\u0000b"', "bad setting store: it holds a NUL byte"),
        ('[scan]\nfail-on = ["a\\u0000b"]', "bad setting scan.fail-on: it holds a NUL byte"),
        ("store = ''", "bad setting store: it is empty"),
        ("min-bytes =", "not a TOML file: "),
        ("min-bytes = 1 # \udcff", "not a TOML file: 'utf-8' codec can't decode byte 0xff"),
        (f"a = {'[' * 100_000}", "not a TOML file: "),
    ],
)
def test_bad_settings(cli: Cli, text: str, said: str) -> None:
    write(USER, text)
    words = ["scan"] if "scan" in text else ["migrate", "--out", "out"]
    ran = cli(*words, graded())
    assert ran.code == ExitCode.USAGE
    assert f"error: {Path.cwd().parent}/config/sessionkit/config.toml: {said}" in ran.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tool.sessionkit]\nbogus = 1", "bad setting tool.sessionkit.bogus"),
        ("[tool]\nsessionkit = 3", "bad setting tool.sessionkit: it should be a table"),
        ("[tool.sessionkit]\nscan = []", "bad setting tool.sessionkit.scan: it should be a table"),
        ("[tool.sessionkit", "not a TOML file: "),
        ("[tool.sessionkit] # \udcff", "not a TOML file: 'utf-8' codec"),
    ],
)
def test_bad_settings_of_a_project(cli: Cli, text: str, said: str) -> None:
    write(PROJECT, text)
    ran = cli("scan", graded())
    assert ran.code == ExitCode.USAGE
    assert f"{Path.cwd().parent}/pyproject.toml: {said}" in ran.err


@pytest.mark.parametrize(
    "text",
    [
        "[tool.sessionkit]\nbogus = 1",
        "[ tool . 'sessionkit' ]\nbogus = 1",
        "tool.sessionkit.bogus = 1",
        "[tool]\nsessionkit.bogus = 1",
        "[ \"tool\" ]\n'sessionkit' = {bogus = 1}",
        "tool = {sessionkit = {bogus = 1}}",
        '["to\\u006fl".sessionkit]\nbogus = 1',
    ],
)
def test_settings_of_a_project_are_found_however_they_are_spelled(cli: Cli, text: str) -> None:
    write(PROJECT, text)
    assert "bad setting tool.sessionkit.bogus" in cli("scan", graded()).err


@pytest.mark.parametrize("text", ["[tool.ruff", "[tool.sessionkitten]\nbogus = 1", "# \udcff"])
def test_the_file_of_another_project_is_not_judged(cli: Cli, text: str) -> None:
    write(PROJECT, text)
    ran = cli("scan", graded())
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize("text", ["[tool]\nruff", "tool = \udcff"])
def test_what_is_broken_in_the_file_of_another_project_is_told_once(cli: Cli, text: str) -> None:
    write(PROJECT, text)
    ran = cli("scan", graded())
    assert ran.code == 0
    assert ran.err.count(f"warning: {Path.cwd().parent}/pyproject.toml: not a TOML file") == len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("share", ["1", "0.8", "'80%'", "'1'"])
@pytest.mark.parametrize("key", ["watermark", "contextPercentageThreshold"])
def test_a_share_is_a_number_or_a_string(cli: Cli, key: str, share: str) -> None:
    write(USER, f"{key} = {share}")
    ran = cli("estimate", graded(), "--window", "1000")
    assert ("limit: 1,000 tokens of a window of 1,000" in ran.out) is ("1" in share)
    assert ran.code == 0, ran.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("watermark = true", "watermark: it should be a number or a string"),
        ("watermark = []", "watermark: it should be a number or a string"),
        ("watermark = 2", "watermark: '2' is no share of a window, such as 0.8 or 80%"),
        ("gate = 1", "gate: '1' is not one of watermark, pi, "),
        ("store = 1", "store: it should be a string"),
        ("store = 1.5", "store: it should be a string"),
    ],
)
def test_numbers_that_mean_nothing(cli: Cli, text: str, said: str) -> None:
    write(USER, text)
    ran = cli("estimate", graded(), "--window", "1000")
    assert ran.code == ExitCode.USAGE
    assert f"bad setting {said}" in ran.err


@pytest.mark.parametrize(
    ("text", "words", "hint"),
    [
        ("jobs = -1", ("scan",), "see `sessionkit scan --help` for its options"),
        ("[migrate]\ntop = 1", ("scan",), "see `sessionkit migrate --help` for its options"),
        ("bogus = 1", ("scan",), "see `sessionkit --help` for the commands"),
        ("fail-on = ['bricks']", ("scan",), "what is meant for check goes into [check] of the file"),
        ("profile = 'measured'", ("check",), "what is meant for estimate or compact goes into [estimate] or [compact] of the file"),
        ("fail-on = ['inline']", ("check",), "what is meant for scan goes into [scan] of the file"),
    ],
)
def test_a_bad_setting_has_a_next_step(cli: Cli, text: str, words: tuple[str, ...], hint: str) -> None:
    """Also where only the command itself finds that it means nothing to it."""
    write(USER, text)
    ran = cli(*words, graded())
    assert ran.code == ExitCode.USAGE
    error, step = ran.err.splitlines()
    assert error.startswith(f"error: {Path.cwd().parent}/config/sessionkit/config.toml: bad setting ")
    assert step.endswith(hint)


@pytest.mark.parametrize("words", [("--fail-on", "brick"), ("--fail-on", "bricks", "--profile", "acme")])
def test_a_mistake_on_the_command_line_is_not_put_on_a_file(cli: Cli, words: tuple[str, ...]) -> None:
    write(USER, "fail-on = ['bloats']\nprofile = 'claude-code'")
    ran = cli("check", graded(), *words)
    assert ran.code == ExitCode.USAGE
    assert "bad setting" not in ran.err


def test_help_in_spite_of_bad_settings(cli: Cli) -> None:
    write(USER, "bogus = 1")
    assert cli("scan", "--help").code == 0


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        ("SESSIONKIT_FAIL_ON=bad-lines inline", ExitCode.FINDINGS),
        ("SESSIONKIT_SCAN_FAIL_ON=bad-lines", ExitCode.OK),
        ("SESSIONKIT_QUIET=yes", ExitCode.OK),
        ("SESSIONKIT_QUIET=maybe", ExitCode.USAGE),
        ("SESSIONKIT_JOBS=many", ExitCode.USAGE),
    ],
)
def test_environment(cli: Cli, monkeypatch: pytest.MonkeyPatch, setting: str, code: ExitCode) -> None:
    monkeypatch.setenv(*setting.split("="))
    ran = cli("scan", graded())
    assert ran.code == code
    assert ("(from the environment)" in ran.err) is (code is ExitCode.USAGE)
