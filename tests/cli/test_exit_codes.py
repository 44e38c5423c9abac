"""What each outcome exits with, and what it says."""

from __future__ import annotations

import base64
import errno
import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit import __version__
from sessionkit.errors import ExitCode
from sessionkit.ops.migrate import Plan

if TYPE_CHECKING:
    from tests.cli.running import Cli, Copy

BAD_LINE = f'{{"data": "iVBORw0KGgoAAAANSUhEUg{"A" * 2000}", \n'


@pytest.fixture
def files(session: Copy) -> None:
    """The files that the command lines of this module name."""
    session("a.jsonl")
    session("b.jsonl", "plain/chat")
    session("folder/a.jsonl")
    session("claude.jsonl", "claude-code/session")
    Path("bad.jsonl").write_text(BAD_LINE)
    Path("torn.jsonl.gz").write_bytes(b"\x1f\x8b\x08\x00")
    Path("list").write_text("a.jsonl\nb.jsonl\n")
    Path("other.jsonl").write_text("something else\n")
    Path("fifty.jsonl").write_text('{"a": 1}\n' * 50)


DONE = [
    "--version",
    "--help",
    "-h",
    "migrate --help",
    "restore -h",
    "migrate a.jsonl --out out",
    "migrate a.jsonl b.jsonl --out out -j 2",
    "migrate a.jsonl -o out/x.jsonl",
    "migrate -r folder --out out",
    "migrate '[ab].jsonl' --out out",
    "migrate --files-from list --out out",
    "migrate a.jsonl --out out --dry-run",
    "migrate bad.jsonl --out out",
    "migrate b.jsonl --in-place --force",
    "migrate a.jsonl -o other.jsonl --force",
    "restore fifty.jsonl -o back.jsonl --max-output 450",
    "verify a.jsonl",
    "scan a.jsonl",
    "scan a.jsonl --fail-on bad-lines",
]

USAGE = [
    ("", "Usage: sessionkit"),
    ("mirgate", "No such command 'mirgate'. Did you mean 'migrate'\\?\n  next: see `sessionkit --help`"),
    ("migrate a.jsonl --bogus", "No such option: --bogus.*\n  next: see `sessionkit migrate --help`"),
    ("migrate", "no output is named|no sessions"),
    ("migrate --out out", "no sessions to work on"),
    ("migrate a.jsonl", "no output is named\n  next: --out DIR .*-o FILE .*--in-place"),
    ("restore a.jsonl", "no output is named"),
    ("migrate a.jsonl --out out -o x.jsonl", "more than one output is named: --out and -o"),
    ("migrate a.jsonl --in-place --out out", "more than one output is named: --out and --in-place"),
    ("migrate folder --out out", "folder: this is a folder\n  next: add -r"),
    ("migrate a.jsonl folder/a.jsonl --out out", "would both be written to out/a.jsonl"),
    ("migrate a.jsonl b.jsonl -o out.jsonl", "-o takes one session"),
    ("migrate a.jsonl --out .", "would be written over"),
    ("migrate 'nothing*' --out out", "no file matches the pattern"),
    ("migrate - --in-place", "cannot be changed in place"),
    ("migrate - --files-from - --out out", "standard input is named"),
    ("migrate a.jsonl --out out --media video", "'--media': 'video' is not one of images, all"),
    ("migrate a.jsonl --out out --min-bytes many", "'--min-bytes': 'many' is not a whole number"),
    ("migrate a.jsonl --out out --min-bytes -1", "-1 is less than 0"),
    ("migrate a.jsonl --out out -j 0", "0 is less than 1"),
    ("restore a.jsonl --out out --max-output huge", "'huge' is not a size"),
    ("verify a.jsonl --json --output-format sarif", "--json and --output-format sarif name two formats"),
    ("scan a.jsonl --fail-on rust", "'rust' is not one of inline, "),
    ("migrate a.jsonl --out ''", "'--out': it is empty; name a file, or a folder: `.` is the working one"),
    ("migrate a.jsonl --output ''", "'-o' / '--output': it is empty"),
    ("verify a.jsonl --store ''", "'--store': it is empty"),
    ("scan --files-from ''", "'--files-from': it is empty"),
    ("scan a.jsonl ''", "a path is empty\n  next: `.` is the working folder"),
    (f"restore a.jsonl --out out --max-output {'9' * 400}", "is too large"),
    ("migrate a.jsonl --out out --dask ''", "it is empty; name a scheduler"),
    ("migrate - --out out --dask tcp://host:1", "a worker elsewhere cannot read standard input"),
    ("migrate a.jsonl -o - --dask tcp://host:1", "a worker elsewhere cannot write to standard output"),
    ("migrate a.jsonl --out out --dry-run --resume journal", "journal: a dry run leaves nothing to go on with"),
]

LONG = "x" * 300

FAILED = [
    ("migrate missing.jsonl --out out", 3, "error: missing.jsonl: cannot be read: no such file or directory\n  next: check the path"),
    ("migrate missing.jsonl gone.jsonl --out out", 3, "2 of 2 sessions failed:\nerror: missing.jsonl.*\n.*\nerror: gone.jsonl"),
    ("migrate a.jsonl missing.jsonl --out out", 4, "1 of 2 sessions failed:\nerror: missing.jsonl"),
    (
        "migrate missing.jsonl a.jsonl --out out -j 1 --fail-fast",
        3,
        "1 of 2 sessions failed:.*\n1 session not done, because of --fail-fast",
    ),
    (
        "migrate 1.no 2.no 3.no 4.no 5.no a.jsonl/b --out out",
        3,
        "6 of 6 sessions failed:\nerror: 1.no: .*\n  and 4 more like it: 2.no, 3.no, … .-v tells each.\n  next: .*\nerror: a.jsonl/b",
    ),
    ("scan 1.no 2.no 3.no 4.no 5.no -v", 3, "failed:\n(error: [1-5].no: .*\n  next: .*\n){5}$"),
    ("migrate torn.jsonl.gz --out out", 3, "torn.jsonl.gz: the gzip archive is broken"),
    ("migrate claude.jsonl --in-place", 3, "claude.jsonl: not migrated in place: Claude Code cannot read"),
    ("migrate a.jsonl -o other.jsonl", 3, "other.jsonl: another file stands here"),
    ("migrate --files-from nowhere --out out", 3, "nowhere: the list of files cannot be read"),
    ("restore fifty.jsonl -o back.jsonl --max-output 449", 3, "it would take 450 bytes, and 449 are allowed"),
    ("verify missing.jsonl", 3, "missing.jsonl: cannot be read"),
    (f"scan {LONG}", 3, "x: cannot be read: file name too long\n  next: choose a shorter name"),
    (f"migrate a.jsonl --out {LONG}", 3, "x: .*: file name too long\n.*  next: choose a shorter name"),
    (f"migrate a.jsonl --out out --store {LONG}", 3, "x: .*: file name too long\n.*  next: choose a shorter name"),
    ("migrate a.jsonl -o a.jsonl/b", 3, "a.jsonl/b: cannot be written: not a directory\n  while working on a.jsonl\n  next: a file stands"),
    ("migrate a.jsonl -o /dev/null", 3, "not a regular file\n  while working on a.jsonl\n  next: choose another output"),
    ("scan /dev/null", 3, "not a regular file\n  next: name a regular file; a pipe is named -"),
    ("scan missing.jsonl a.jsonl", 4, "missing.jsonl: cannot be read"),
]

FINDINGS = [
    ("scan a.jsonl --fail-on inline", "refused by --fail-on inline: 1 session"),
    ("scan a.jsonl b.jsonl --fail-on duplicates --fail-on inline", "refused by --fail-on inline: 2 sessions"),
]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("line", DONE)
def test_done(cli: Cli, line: str) -> None:
    ran = cli(*shlex.split(line))
    assert (ran.code, ran.err) == (ExitCode.OK, "")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("line", "said"), USAGE)
def test_usage(cli: Cli, line: str, said: str) -> None:
    ran = cli(*shlex.split(line))
    assert (ran.code, ran.out) == (ExitCode.USAGE, "")
    assert re.search(said, ran.err), ran.err
    assert not Path("out").exists()


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("line", "code", "said"), FAILED)
def test_failed(cli: Cli, line: str, code: int, said: str) -> None:
    ran = cli(*shlex.split(line))
    assert ran.code == code
    assert re.search(said, ran.err, re.DOTALL), ran.err


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("line", "said"), FINDINGS)
def test_findings_of_scan(cli: Cli, line: str, said: str) -> None:
    ran = cli(*shlex.split(line))
    assert (ran.code, ran.err) == (ExitCode.FINDINGS, "")
    assert said in ran.out


@pytest.mark.parametrize("words", [(), ("--fast",), ("-q",), ("--json",), ("--output-format", "github"), ("--output-format", "sarif")])
def test_findings_of_verify(cli: Cli, spilled: Path, words: tuple[str, ...]) -> None:
    asset = next(spilled.parent.glob("images/*.png"))
    asset.unlink()
    ran = cli("verify", spilled, *words)
    assert (ran.code, ran.err) == (ExitCode.FINDINGS, "")
    assert asset.name in ran.out


def test_missing_asset_stops_restore(cli: Cli, spilled: Path) -> None:
    next(spilled.parent.glob("images/*.png")).unlink()
    assert cli("restore", spilled, "-o", "back.jsonl").code == ExitCode.FAILED
    assert not Path("back.jsonl").exists()
    assert cli("restore", spilled, "-o", "back.jsonl", "--leave-missing").code == ExitCode.FINDINGS


def test_live_session(cli: Cli, session: Copy) -> None:
    plain = session("a.jsonl", "plain/chat")
    plain.touch()
    assert cli("migrate", plain, "--in-place", "--force").code == ExitCode.FAILED
    assert cli("migrate", plain, "--in-place", "--force", "--live").code == ExitCode.OK


def test_version(cli: Cli, session: Copy) -> None:
    assert cli("--version").out == f"sessionkit {__version__}\n"
    assert cli("--version", "scan", session("a.jsonl")).out == f"sessionkit {__version__}\n"


def test_bad_lines_pass_with_a_warning(cli: Cli) -> None:
    Path("bad.jsonl").write_text(BAD_LINE)
    ran = cli("migrate", "bad.jsonl", "-o", "out.jsonl")
    assert "left as it was:" in ran.out
    assert "bad.jsonl:1" in ran.out
    assert Path("out.jsonl").read_text() == BAD_LINE


def test_removed_working_folder(cli: Cli) -> None:
    Path("gone").mkdir()
    os.chdir("gone")
    Path("../gone").rmdir()
    ran = cli("scan", "a.jsonl")
    assert (ran.code, ran.err.splitlines()[0]) == (ExitCode.FAILED, "error: the working folder was removed")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "error: not enough memory\n  next: use fewer processes"),
        (
            OSError(errno.EIO, "Input/output error", "a.jsonl"),
            "error: a.jsonl: the system refuses: input/output error\n  next: check the disk",
        ),
        (OSError(errno.EMFILE, "Too many open files"), "error: the system refuses: too many open files\n  next: raise the limit"),
    ],
)
def test_what_nobody_foresaw_of_the_system_is_no_bug(cli: Cli, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Plan, "run", fail)
    ran = cli("migrate", "a.jsonl", "--out", "out")
    assert ran.code == ExitCode.FAILED
    assert ran.err.startswith(said)


def test_base64_for_a_path_is_not_repeated(cli: Cli) -> None:
    data = base64.b64encode(bytes(range(256)) * 8).decode()
    for words in (["scan", data], ["migrate", "a.jsonl", "--media", data], ["verify", f'{{"data":"{data}"}}', "--json"]):
        ran = cli(*words)
        assert ran.code in {ExitCode.USAGE, ExitCode.FAILED}
        assert data[:40] not in ran.out + ran.err
        assert "2,732 characters of base64" in ran.err


def test_bug(cli: Cli, session: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Plan, "run", lambda *_: 1 / 0)
    ran = cli("migrate", session("a.jsonl"), "--out", "out")
    assert ran.code == ExitCode.BUG
    assert "Traceback (most recent call last)" in ran.err
    assert "ZeroDivisionError" in ran.err
    assert "please report it" in ran.err
