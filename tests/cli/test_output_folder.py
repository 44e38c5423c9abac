"""An output folder inside of the folder that is searched: a command can be said again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.running import Cli, Copy

LEFT_OUT = "left out: 2 sessions in the folder that the output goes to, such as {}\n"


@pytest.fixture(autouse=True)
def _sessions(session: Copy) -> None:
    session("home/a.jsonl")
    session("home/sub/b.jsonl", "plain/chat")


def files() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file() and path.name != "journal"}


@pytest.mark.parametrize("out", ["home/out", "./home/sub/../out", "{here}/home/out"])
@pytest.mark.parametrize("command", ["migrate -r home --out {}", "migrate -r home --out {} --resume journal", "restore -r home --out {}"])
def test_what_an_earlier_run_has_written_is_no_session_to_read(cli: Cli, command: str, out: str) -> None:
    words = command.format(out.format(here=Path.cwd())).split()
    first = cli(*words)
    before = files()
    again = cli(*words)
    assert (first.code, first.err, again.code) == (0, "", 0)
    assert again.err == LEFT_OUT.format("home/out/a.jsonl")
    assert "2 sessions" in again.out
    assert files() == before
    assert cli(*words, "--quiet").err == ""


def test_copies_that_were_cured_are_not_cured_again(cli: Cli) -> None:
    Path("home/a.jsonl").write_bytes(b"\xef\xbb\xbf" + Path("home/a.jsonl").read_bytes())
    runs = [cli("repair", "-r", "home", "--out", "home/cured") for _ in range(2)]
    assert [run.code for run in runs] == [0, 0]
    assert [run.err for run in runs] == ["", LEFT_OUT.format("home/cured/a.jsonl")]
    assert sorted(str(path) for path in Path().rglob("b.jsonl")) == ["home/cured/sub/b.jsonl", "home/sub/b.jsonl"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("migrate -r home/sub --out home/sub", "this is one of the sessions to read"),
        ("migrate home/a.jsonl home/out/a.jsonl --out home/out", "would both be written to home/out/a.jsonl"),
        ("migrate -r all --out all/of", "all sessions that were found are where the output goes"),
    ],
)
def test_other_sessions_are_never_left_out(cli: Cli, session: Copy, words: str, said: str) -> None:
    session("all/of/x.jsonl")
    session("home/out/a.jsonl")
    ran = cli(*words.split())
    assert said in ran.err
    assert ran.code == 2
