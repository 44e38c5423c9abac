"""`sessionkit prepare`: a line for each image, whatever becomes of it."""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from sessionkit.errors import ExitCode
from tests.cli.test_json import closed, schema_of
from tests.pictures import animation, picture

if TYPE_CHECKING:
    from tests.cli.running import Cli, Program

PNG = picture("PNG")


@pytest.fixture(autouse=True)
def _images() -> None:
    """The files that the command lines of this module name."""
    Path("a.png").write_bytes(PNG)
    Path("b.bmp").write_bytes(picture("BMP"))
    Path("-dash.png").write_bytes(PNG)
    Path("page.png").write_text("<html></html>")
    Path("bin").write_bytes(b"\0")
    Path("moving.png").write_bytes(animation("PNG"))
    Path("folder").mkdir()
    Path("list").write_text("b.bmp\na.png\n")
    os.mkfifo("fifo")


CASES = [
    ("a.png", 0, ""),
    ("-- -dash.png", 0, ""),
    ("./-dash.png", 0, ""),
    ("a.png b.bmp --as gemini", 0, ""),
    ("--files-from list", 0, ""),
    ("'*.bmp'", 0, ""),
    ("a.png --max-bytes 50", 0, "^left out: a.png: a single pixel takes 50 characters of base64 or more\n$"),
    ("a.png --max-bytes 50 -q", 0, "^$"),
    ("a.png --max-bytes 50 --no-resize", 0, "^left out: a.png: its base64 has 816 characters, and fewer than 50 are allowed\n$"),
    ("a.png --model nobody-1", 0, "^nobody here knows whether nobody-1 takes images, so the texts say .*: say --vision yes, or list it"),
    ("a.png --model nobody-1 -q", 0, "^$"),
    ("a.png --store images --dry-run", 0, ""),
    ("page.png", 3, "^error: page.png is a text, not an image: its content is HTML\n  next: read it as a text, or name an image\n$"),
    ("bin", 3, "^error: bin looks like a binary file\n  next: name an image\n$"),
    ("bin page.png", 3, "^2 of 2 images failed:\nerror: bin looks .*error: page.png is"),
    ("bin a.png", 4, "^1 of 2 images failed:\nerror: bin looks like a binary file\n"),
    ("bin a.png page.png --fail-fast", 3, "^1 of 3 images failed:\nerror: bin looks .*2 images not done, because of --fail-fast\n$"),
    ("missing.png", 3, "^error: missing.png: cannot be read: no such file or directory\n"),
    ("fifo", 3, "^error: fifo: cannot be read: it is a named pipe, not a regular file\n  next: name a regular file; a pipe is named -\n$"),
    ("a.png --store list", 3, "^error: list.*\n  while working on a.png\n"),
    ("folder", 2, "^error: folder: this is a folder\n  next: name images in it"),
    ("'*.gif'", 2, r"^error: \*.gif: no file matches the pattern"),
    ("''", 2, "^error: a path is empty"),
    ("", 2, "^error: no images to work on"),
    ("a.png --as bedrock", 2, "'bedrock' is not one of native, pi, anthropic"),
    ("a.png --max-pixels 0", 2, "0 is less than 1"),
    ("a.png --max-bytes 1", 2, "--max-bytes 1 has no room for any image\n  next: give the size that its base64 stays below"),
    ("a.png --max-bytes big", 2, "'big' is not a size"),
    ("a.png --vision maybe", 2, "'maybe' is not one of yes, no"),
    ("a.png --model ''", 2, "--model names no model"),
]


@pytest.mark.parametrize(("line", "code", "said"), CASES)
def test_exits_and_talk(cli: Cli, line: str, code: int, said: str) -> None:
    ran = cli("prepare", *shlex.split(line))
    assert ran.code == code, ran.err
    assert re.search(said or "^$", ran.err, re.DOTALL), ran.err
    assert bool(ran.out) is (code != ExitCode.USAGE)


def test_a_line_for_each_image_in_their_order(cli: Cli) -> None:
    ran = cli("prepare", "b.bmp", "bin", "a.png", "missing.png", "moving.png")
    assert ran.code == ExitCode.PARTIAL
    assert [json.loads(line)[0]["text"].partition("\n")[0] for line in ran.out.splitlines()] == [
        "Read image file [image/png]",
        "Error: bin looks like a binary file",
        "Read image file [image/png]",
        "Error: missing.png: cannot be read: no such file or directory",
        "Error: moving.png is an animated PNG, which no model takes",
    ]


def test_standard_input(program: Program) -> None:
    inline = program("prepare", "-", "--as", "pi", stdin=PNG)
    assert (inline.returncode, inline.stderr) == (0, b"")
    assert json.loads(inline.stdout)[1]["mimeType"] == "image/png"
    empty = program("prepare", "-")
    assert (empty.returncode, json.loads(empty.stdout)[0]["text"]) == (3, "Error: standard input is empty")


def test_store(cli: Cli) -> None:
    ran = cli("prepare", "a.png", "b.bmp", "a.png", "--store", "assets")
    paths = [json.loads(line)[1]["asset_path"] for line in ran.out.splitlines()]
    assert {path.name for path in Path("assets").iterdir()} == {path.removeprefix("images/") for path in paths}
    assert len(paths) == 3
    assert len(set(paths)) == 1  # the same pixels are the same PNG


@pytest.mark.parametrize("more", [(), ("--store", "images"), ("--as", "openai-chat")], ids=" ".join)
def test_json_fits_its_schema(cli: Cli, more: tuple[str, ...]) -> None:
    Path("odd\x1b[31m\n\x7f\udcff.png").write_bytes(PNG[:50])
    Path("big.png").write_bytes(picture("PNG", size=(60, 60)))
    ran = cli("prepare", "a.png", "b.bmp", "bin", "odd\x1b[31m\n\x7f\udcff.png", "big.png", "--max-bytes", "900", "--json", *more)
    validator = Draft202012Validator(closed(schema_of("prepare")))
    for record in ran.records():
        validator.validate(record)
    *records, summary = ran.records()
    assert [record["status"] for record in records] == ["prepared", "prepared", "failed", "failed", "prepared"]
    assert (summary["images"], summary["prepared"], summary["failed"], summary["exit_code"]) == (5, 3, 2, ran.code)
    assert ran.code == ExitCode.PARTIAL


def test_an_image_that_is_left_out_in_json(cli: Cli) -> None:
    record, summary = cli("prepare", "a.png", "--max-bytes", "9", "--json").records()
    assert (record["status"], record["is_error"], len(record["blocks"])) == ("omitted", False, 1)
    assert (summary["omitted"], summary["exit_code"]) == (1, 0)
    Draft202012Validator(closed(schema_of("prepare"))).validate(record)


def test_what_was_not_tried_did_not_fail(cli: Cli) -> None:
    *records, summary = cli("prepare", "a.png", "bin", "b.bmp", "--json", "--fail-fast").records()
    assert [record["status"] for record in records] == ["prepared", "failed", "failed"]
    assert (summary["images"], summary["failed"], summary["not_done"]) == (3, 1, 1)
    Draft202012Validator(closed(schema_of("prepare"))).validate(summary)


def test_frames_are_told(cli: Cli) -> None:
    Path("moving.gif").write_bytes(animation("GIF"))
    assert [record.get("frames") for record in cli("prepare", "moving.gif", "a.png", "--as", "gemini", "--json").records()] == [3, 1, None]


def test_names_do_nothing_to_a_terminal(cli: Cli) -> None:
    name = "odd\x1b[31m\n\x7f\u202e\udcff.png"
    Path(name).write_bytes(b"\0")
    ran = cli("prepare", name)
    assert (ran.code, ran.err.count("\n")) == (3, 2)
    assert r"odd\x1b[31m\n\x7f\u202e\xff.png" in ran.err
    for said in (ran.out, ran.err):
        assert said.replace("\n", "").isprintable()
    (block,) = json.loads(ran.out)
    assert block["text"] == r"Error: odd\x1b[31m\n\x7f\u202e\xff.png looks like a binary file"
