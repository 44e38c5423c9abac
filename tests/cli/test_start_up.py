"""What must not be imported, because it costs more than it does; and what a shell asks for."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import ExitCode

if TYPE_CHECKING:
    from tests.cli.running import Cli, Copy, Program

PROBE = """
import json, sys
from sessionkit.cli.main import main
code = main(sys.argv[1:])
sys.stderr.write(json.dumps(sorted(sys.modules)))
sys.exit(code)
"""
STRUCK = """
import os, runpy, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "sessionkit.errors":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
runpy.run_module("sessionkit", run_name="__main__", alter_sys=True)
"""
HEAVY = {"rich", "tqdm", "PIL", "pydantic", "zstandard", "dask", "distributed"}
LIBRARIES = HEAVY | {"orjson", "pybase64"}
FOR_HELP = {"typer", "tomllib"}
"""What is needed for those only who ask for help, make a mistake, or have settings."""
FOR_JSON = {"dataclasses", "inspect"}
"""What orjson imports by itself."""
FOR_ODD_RUNS = {"glob", "logging", "fractions"} | {
    f"sessionkit.{name}"
    for name in (
        "cli.reasons",
        "core.files.inplace",
        "core.files.writers",
        "ops.carry",
        "ops.migrate.parts",
        "ops.migrate.record",
        "ops.restore.record",
        "ops.resume",
    )
}
"""What is needed for those only who give patterns, change sessions in place, cut large ones, keep a journal, or meet failures."""
FOR_MEDIA = {"pybase64", "sessionkit.core.media.finder", "sessionkit.core.media.tree", "sessionkit.core.sniff"}
"""What is needed for sessions that hold media, or may hold some."""
FOR_WRITERS = {f"sessionkit.{name}" for name in ("cli.outputs", "core.files.atomic", "core.files.pending", "ops.outputs", "ops.writing")}


@pytest.mark.parametrize(
    ("words", "unwanted"),
    [
        (["--version"], LIBRARIES | FOR_HELP | FOR_JSON),
        (["--help"], LIBRARIES),
        (["migrate", "--help"], LIBRARIES),
        (["migrate", "a.jsonl", "--out", "out", "--min-bytes", "10", "--media", "all"], HEAVY | FOR_HELP | FOR_JSON | FOR_ODD_RUNS),
        (["migrate", "text.jsonl", "--out", "out"], HEAVY | FOR_HELP | FOR_JSON | FOR_ODD_RUNS | FOR_MEDIA),
        (["restore", "a.jsonl", "--out", "out"], HEAVY | FOR_HELP | FOR_JSON | FOR_ODD_RUNS - {"sessionkit.ops.carry"}),
        (["verify", "a.jsonl"], HEAVY | FOR_HELP | FOR_JSON | FOR_ODD_RUNS | FOR_WRITERS),
        (["scan", "a.jsonl", "--json"], HEAVY | FOR_HELP | FOR_ODD_RUNS | FOR_WRITERS),
        (["estimate", "a.jsonl"], HEAVY | FOR_HELP | FOR_ODD_RUNS | FOR_WRITERS),
        (["rehydrate", "a.jsonl", "--provider", "anthropic", "-q"], HEAVY | FOR_HELP),
        (["messages", "a.jsonl"], HEAVY | FOR_HELP),
        (["check", "a.jsonl"], HEAVY | FOR_HELP | {"decimal", "fractions"}),
        (["repair", "a.jsonl"], HEAVY | FOR_HELP),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_imports(session: Copy, words: list[str], unwanted: set[str]) -> None:
    session("a.jsonl", "plain/chat").with_name("text.jsonl").write_text('{"role":"user","content":"hello"}\n')
    ran = subprocess.run([sys.executable, "-c", PROBE, *words], capture_output=True, check=True)
    assert unwanted & set(json.loads(ran.stderr)) == set()


def test_ctrl_c_while_modules_are_imported() -> None:
    ran = subprocess.run([sys.executable, "-c", STRUCK], capture_output=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (ExitCode.INTERRUPTED, b"", b"")


def test_the_program_ends_without_a_search_for_cycles() -> None:
    code = "import gc, sys; from sessionkit.cli.main import main; sys.argv[1:] = ['--version']; main(); print(gc.get_freeze_count() > 0)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert ran.stdout.split()[-1:] == [b"True"]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("sessionkit mi", [b"migrate"]), ("sessionkit verify --out", [b"--output-format"]), ("sessionkit migrate --media im", [b"images"])],
)
def test_shell_completion(monkeypatch: pytest.MonkeyPatch, program: Program, typed: str, offered: list[bytes]) -> None:
    monkeypatch.setenv("_SESSIONKIT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    ran = program()
    assert (ran.returncode, ran.stdout.split()) == (0, offered)


@pytest.mark.parametrize("command", ["migrate", "restore", "verify", "scan", "repair"])
def test_help_has_examples(cli: Cli, command: str) -> None:
    ran = cli(command, "--help")
    assert "Examples:" in ran.out
    assert f"  sessionkit {command} " in ran.out
    assert [line for line in ran.out.splitlines() if len(line) > 80] == []
    assert "[str]" not in ran.out
