"""Text for people: it fits, it is safe, and it has colours only where they are wanted."""

from __future__ import annotations

import base64
import json
import os
import pty
import subprocess
import termios
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.cli.printable import cells
from tests.cli.running import FOLDERS, PROGRAM
from tests.pictures import picture

if TYPE_CHECKING:
    from tests.cli.running import Cli, Copy

HOSTILE = "\x1b]0;owned\x07\x9b31m\u202egnp.lnosj\n\udcff.jsonl"
NAMES = ["a.jsonl", f"{'long' * 30}/{'name' * 30}.jsonl", f"{'会話' * 30}.jsonl", HOSTILE]
COMMANDS = [
    ("migrate", "-v", "--out", "out"),
    ("migrate", "--dry-run", "--out", "out"),
    ("restore", "-v", "--out", "out"),
    ("verify", "-v"),
    ("scan", "-v"),
    ("scan", "--fail-on", "inline"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("folders", [["folder"], FOLDERS], ids=["names", "fixtures"])
def test_80_columns(cli: Cli, session: Copy, words: tuple[str, ...], folders: list[str | Path]) -> None:
    for name in NAMES:
        session(f"folder/{name}")
    ran = cli(*words, "-r", *folders)
    assert [line for line in ran.out.splitlines() if cells(line) > 80] == []
    assert all(char.isprintable() for char in ran.out.replace("\n", ""))


def test_80_columns_of_findings(cli: Cli, spilled: Path) -> None:
    for asset in spilled.parent.glob("images/*"):
        asset.unlink()
    ran = cli("verify", spilled, "-v")
    assert [line for line in ran.out.splitlines() if cells(line) > 80] == []


@pytest.mark.parametrize(
    "words", [("migrate", "--out", "out"), ("verify",), ("scan", "--json"), ("verify", "--output-format", "github")], ids=" ".join
)
def test_hostile_names_are_escaped(cli: Cli, words: tuple[str, ...]) -> None:
    ran = cli(*words, HOSTILE, "\x1bmissing")
    assert ran.code == 3
    assert all(char.isprintable() for char in (ran.out + ran.err).replace("\n", ""))
    assert r"\x1b]0;owned\x07\x9b31m\u202egnp.lnosj\n\udcff.jsonl: cannot be read" in ran.err


def test_rows_say_something(cli: Cli, session: Copy) -> None:
    session("folder/with.jsonl")
    Path("folder/without.jsonl").write_text('{"type": "user", "text": "no image"}\n')
    assert "without" not in cli("migrate", "-r", "folder", "--out", "out").out
    assert "without" in cli("migrate", "-r", "folder", "--out", "out", "-v").out
    assert cli("migrate", "-r", "folder", "--out", "out", "-q").out == ""


def test_summary_of_migrate(cli: Cli, session: Copy) -> None:
    session("folder/a.jsonl")
    session("folder/b.jsonl")
    lines = cli("migrate", "-r", "folder", "--out", "out").out.splitlines()
    assert lines[0].split() == ["session", "before", "after", "media", "unique", "saved"]
    assert lines[1].split() == ["folder/a.jsonl", "64", "kB", "15", "kB", "9", "6", "77.1%"]
    assert lines[3] == "2 sessions: 128 kB before, 29 kB after, 77.1% saved"
    assert lines[4] == "18 media (76 kB), 6 unique; a reference takes 135 B on average"
    assert lines[5] == "29 kB stored: 6 new, 12 repeated"


def test_media_of_scan_are_counted_alike(cli: Cli, session: Copy) -> None:
    """PDFs are media too; what stays inline counts, and is told apart."""
    session("a.jsonl")
    blocks = [b"%PDF-1.7" + bytes(2000), b"%PDF-1.7" + bytes(2000)]
    odd = {"type": "image", "data": "iVBORw0KGgo\n" + "A" * 2000, "mimeType": "image/png"}
    content = [{"type": "document", "source": {"type": "base64", "data": base64.b64encode(data).decode()}} for data in blocks]
    Path("pdf.jsonl").write_text(json.dumps({"role": "user", "content": [*content, odd]}) + "\n")
    lines = cli("scan", "a.jsonl", "pdf.jsonl").out.splitlines()
    assert lines[0].split() == ["session", "format", "bytes", "media", "unique", "share"]
    assert [line.split()[4:6] for line in lines[1:3]] == [["9", "6"], ["3", "1"]]
    (summed,) = [line for line in lines if line.startswith("12 media")]
    assert summed.startswith("12 media, of which 1 must stay inline; 7 unique, each stands 1.6 times on")


def test_repetition_is_that_of_all_sessions(cli: Cli) -> None:
    """Nothing is repeated within either session, and one half of both is."""
    line = {"type": "image", "data": base64.b64encode(picture("BMP", size=(100, 100))).decode()}
    for name in ("a.jsonl", "b.jsonl"):
        Path(name).write_text(json.dumps(line) + "\n")
    said = " ".join(cli("scan", "a.jsonl", "b.jsonl").out.split())
    assert "2 media; 1 unique, each stands 2.0 times on average; 50.0% of all bytes are repetition" in said


@pytest.mark.parametrize("words", [("migrate", "--out", "out"), ("restore", "--out", "out"), ("verify",), ("scan",), ("estimate",)])
@pytest.mark.parametrize("more", [(), ("-v",), ("--json",)])
def test_archives_that_are_left_out_are_named(cli: Cli, session: Copy, words: tuple[str, ...], more: tuple[str, ...]) -> None:
    for number in range(12):
        session(f"folder/{number:02}.jsonl", "plain/chat")
        Path(f"folder/{number:02}.jsonl.gz").touch()
    ran = cli(*words, *more, "-r", "folder")
    assert ran.err.splitlines() == [
        *(f"left out: folder/{number:02}.jsonl.gz: its session stands beside it unpacked" for number in range(10)),
        "left out: 2 more archives (--json names all)",
    ]
    assert cli(*words, "-q", "-r", "folder").err == ""


def _on_terminal(words: list[str], **environment: str) -> bytes:
    """Output on a real terminal."""
    reading, writing = pty.openpty()
    termios.tcsetwinsize(writing, (24, 80))
    how = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": "xterm"} | environment
    subprocess.run([*PROGRAM, *words], stdout=writing, stderr=writing, env=how, check=False)
    os.write(writing, b".")  # the other end reads at least this
    os.close(writing)
    shown = os.read(reading, 1 << 16)
    os.close(reading)
    return shown


@pytest.mark.parametrize(
    ("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)]
)
def test_colours(session: Copy, environment: dict[str, str], coloured: bool) -> None:
    shown = _on_terminal(["scan", str(session("a.jsonl")), "missing.jsonl"], **environment)
    assert (b"\x1b[1msession" in shown) is coloured
    assert (b"\x1b[31merror: missing.jsonl" in shown) is coloured


def test_progress_only_on_a_terminal(session: Copy) -> None:
    source = session("a.jsonl")
    with source.open("ab") as file:
        file.writelines(b'{"text": "%s"}\n' % (b"no image " * 100_000) for _ in range(20))
    words = ["scan", str(source)]
    assert b"%|" in _on_terminal(words)
    assert b"%|" not in _on_terminal([*words, "-q"])
    assert subprocess.run([*PROGRAM, *words], capture_output=True, check=True).stderr == b""
