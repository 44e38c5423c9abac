"""`compact`: what it tells of one session and of many."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.compaction import STRATEGIES
from sessionkit.errors import ExitCode
from sessionkit.tokens import PROFILES
from sessionkit.tokens.gates import GATES
from tests.cli.test_start_up import HEAVY, PROBE

if TYPE_CHECKING:
    from tests.cli.running import Cli, Copy

KEEP = ("--keep-recent-tokens", "3000")
"""Of the recorded session of Pi this keeps what Pi itself kept."""


def test_a_session(cli: Cli, session: Copy) -> None:
    ran = cli("compact", session("a.jsonl"), *KEEP, "--window", "20000")
    assert (ran.code, ran.err) == (ExitCode.OK, "")
    lines = ran.out.splitlines()
    assert lines[0] == "a.jsonl: pi, keeping 3,000 tokens; counted by the profile pi"
    assert [line.split() for line in lines[1:6]] == [
        ["part", "messages", "tokens", "images", "base64", "bytes"],
        ["system", "1", "0", "0", "0", "B", "56", "B"],
        ["summarised", "2", "2,452", "2", "7.7", "kB", "8.2", "kB"],
        ["summarised:", "turn", "prefix", "11", "6,159", "5", "16", "kB", "18", "kB"],
        ["kept", "13", "2,572", "2", "27", "kB", "29", "kB"],
    ]
    assert [line.split() for line in lines[6:11]] == [
        ["kind", "summarised", "kept"],
        ["text", "121", "109"],
        ["tool", "calls", "55", "22"],
        ["tool", "results", "35", "41"],
        ["images", "8,400", "2,400"],
    ]
    said = " ".join(" ".join(lines[11:]).split())
    for sentence in (
        "gate watermark does not fire: 1,242 tokens are in the context, and the limit is 16,000 of 20,000",
        "cut at #16, assistant, line 18, entry b8a156a0: read(…)",
        "it splits the turn that begins at #5, user, line 7, entry ac9c9508",
        "the summary is made from 284 tokens, without 7 media, which leave no trace (--marker mime leaves one)",
        "afterwards: 2,572 tokens and the summary, which --summary FILE would count",
        "the next request: about 55 kB, of which 51 kB are base64; 29 kB of it stay",
        "survives: 1 message with 0.0% of the tokens; 11,183 tokens are behind that",
        "media: 2 kept, 7 stripped",
        "#7, line 9 image/png 320x200 3.0 kB 54bc732333ce… stripped, no trace",
        "#17, line 19 image/png 2000x250 17 kB ecc5fcd7c23d… kept",
        "newest_media_summarised: the newest media of the user, in #3, are summarised",
    ):
        assert sentence in said


SENTENCES = [
    # words; what is said
    ("--keep-recent-tokens 3000 --marker mime", "without 7 media, for which a placeholder stands"),
    ("--keep-recent-tokens 3000 --tombstones", "media: 2 kept, 2 stripped, 5 with a tombstone"),
    ("--keep-recent-tokens 3000 --tombstones --max-tombstones 1", "media: 2 kept, 6 stripped, 1 with a tombstone"),
    ("--keep-recent-tokens 3000 --summary s.txt", "afterwards: 2,574 tokens, 2 images, 27 kB of base64; smaller by 77.0%"),
    ("--keep-recent-tokens 3000 --provider anthropic", "the whole request: 5"),
    ("", "nothing to compact: all of it fits into what is kept"),
    ("--strategy microcompact", "microcompact, keeping the newest 5 of each group; counted by the profile qwen"),
    ("--strategy microcompact --keep-recent 1", "media: 2 kept, 7 cleared"),
    ("--strategy qwen-split", "qwen-split, summarising 70% of the characters; counted by the profile qwen"),
    ("--strategy auto", "nothing to compact"),
    ("--window 20000 --gate pi --reserve 19000", "gate pi fires: 1,242 tokens are in the context, and the limit is 1,000 of 20,000"),
    ("", "gate watermark: no window is known (--window), and 1,242 tokens are in the context"),
    ("--keep-recent-tokens 3000 --profile neutral", "counted by the profile neutral"),
]


@pytest.mark.parametrize(("words", "said"), SENTENCES)
def test_sentences(cli: Cli, session: Copy, words: str, said: str) -> None:
    Path("s.txt").write_text("pictures")
    ran = cli("compact", session("a.jsonl"), *shlex.split(words))
    assert (ran.code, ran.err) == (ExitCode.OK, "")
    assert said in " ".join(ran.out.split())


def test_many_sessions(cli: Cli, session: Copy) -> None:
    session("folder/a.jsonl")
    session("folder/b.jsonl", "codex/session")
    lines = cli("compact", "-r", "folder", *KEEP, "--window", "1300").out.splitlines()
    assert lines[0].split() == ["session", "cut", "tokens", "gone", "images", "gone", "gate"]
    assert lines[1].split() == ["folder/a.jsonl", "#16", "11,183", "8,611", "9", "7", "fires"]
    assert lines[3] == "2 sessions, 2 by pi: 2 to compact; the gate fires in 2"
    assert "folder/b.jsonl: pi, keeping 3,000 tokens" in cli("compact", "-r", "folder", *KEEP, "-v").out
    assert cli("compact", "-r", "folder", "-q").out == ""
    assert "nothing to compact in 2: all of it fits into what is kept" in cli("compact", "-r", "folder").out


def test_strategies_side_by_side(cli: Cli, session: Copy) -> None:
    _, titles, *rows = cli("compact", session("a.jsonl"), *KEEP, "--compare").out.splitlines()
    assert titles.split() == ["strategy", "cut", "gone", "stays", "images", "base64", "to", "summarise"]
    assert [row.split()[0] for row in rows] == [strategy.name for strategy in STRATEGIES]
    assert rows[0].split() == ["pi", "#16", "split", "8,611", "2,572", "2", "27", "kB", "284"]
    assert "pi does nothing: all of it fits into what is kept" in cli("compact", "a.jsonl", "--compare").out


RECORDED = [
    # case; line, before, after, summary, kept, images before and after
    ("pi/compacted", "line 31 1,242 - 6 13 9 > 2", "entry c854c654; the first one kept is b8a156a0"),
    ("claude-code/compacted", "line 28 1,242 598 6 1 7 > 0", "started by manual"),
    ("codex/compacted", "line 56 10,942 6,113 6 1 9 > 0", "the first one kept is msg_"),
    ("qwen-code/compacted", "line 31 8,542 1,084 17 0 7 > 0", "entry df5d087e"),
]


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case[0])
def test_what_the_agent_did(cli: Cli, session: Copy, case: tuple[str, str, str]) -> None:
    path, row, about = case
    out = cli("compact", session("a.jsonl", path), "--recorded").out
    assert row in [" ".join(line.split()) for line in out.splitlines()]
    assert about in out
    record, _ = cli("compact", "a.jsonl", "--recorded", "--json").records()
    assert row.startswith(f"line {record['recorded'][0]['line']} ")
    assert record["strategies"] is None


def test_no_agent_did_anything(cli: Cli, session: Copy) -> None:
    session("folder/a.jsonl")
    session("folder/b.jsonl", "pi/compacted")
    lines = cli("compact", "-r", "folder", "--recorded").out.splitlines()
    assert "no compaction is recorded" in lines
    assert lines[-1] == "2 sessions, 1 recorded compaction"


def test_what_cannot_be_read(cli: Cli, session: Copy) -> None:
    session("a.jsonl")
    Path("other.jsonl").write_text('{"a": 1}\n')
    assert cli("compact", "other.jsonl").code == ExitCode.FAILED
    assert cli("compact", "other.jsonl", "--show", "input").code == ExitCode.FAILED
    assert "no entry has the id 'word'" in cli("compact", "a.jsonl", "--leaf", "word").err
    assert cli("compact", "other.jsonl", "a.jsonl").code == ExitCode.PARTIAL
    ran = cli("compact", "a.jsonl", "--summary", "missing.txt")
    assert (ran.code, ran.out) == (ExitCode.FAILED, "")
    assert "missing.txt: cannot be read" in ran.err


def test_help_knows_all_names(cli: Cli) -> None:
    shown = cli("compact", "--help").out
    assert "Examples:\n    sessionkit compact " in shown
    assert [line for line in shown.splitlines() if len(line) > 80] == []
    for name in (*(gate.name for gate in GATES), *(profile.name for profile in PROFILES), *(strategy.name for strategy in STRATEGIES)):
        assert name in shown


def test_start_up(session: Copy) -> None:
    ran = subprocess.run([sys.executable, "-c", PROBE, "compact", session("a.jsonl")], capture_output=True, check=True)
    assert HEAVY.isdisjoint(json.loads(ran.stderr))
