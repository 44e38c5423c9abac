"""`compact`: where its settings come from, and what is refused."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.compaction.base import Settings
from sessionkit.errors import ExitCode
from sessionkit.ops.compact import Tombstoned

if TYPE_CHECKING:
    from tests.cli.running import Cli, Copy

SETTINGS = [
    # words, with those of the environment before them; settings; the member of `options` or `gate`, and its value
    ("", "keepRecentTokens = 3000", "keep_recent_tokens", 3000),
    ("", "[compact]\nkeepRecentTokens = 3000", "keep_recent_tokens", 3000),
    ("SESSIONKIT_KEEP_RECENT_TOKENS=2000", "keepRecentTokens = 3000", "keep_recent_tokens", 2000),
    ("SESSIONKIT_KEEP_RECENT_TOKENS=2000 --keepRecentTokens 1000", "", "keep_recent_tokens", 1000),
    ("SESSIONKIT_COMPACT_KEEP_RECENT_TOKENS=2000 SESSIONKIT_KEEP_RECENT_TOKENS=1000", "", "keep_recent_tokens", 2000),
    ("", "toolResultsNumToKeep = 2", "keep_recent", 2),
    ("SESSIONKIT_TOOL_RESULTS_NUM_TO_KEEP=3", "keep-recent = 2", "keep_recent", 3),
    ("SESSIONKIT_KEEP_RECENT=4", "", "keep_recent", 4),
    ("", "imageTokenEstimate = 7", "image_tokens", 7),
    ("SESSIONKIT_IMAGE_TOKEN_ESTIMATE=8", "imageTokenEstimate = 7", "image_tokens", 8),
    ("--window 100000", "reserveTokens = 5000", "threshold", 95_000),
    ("SESSIONKIT_RESERVE_TOKENS=6000 --window 100000", "", "threshold", 94_000),
    ("SESSIONKIT_RESERVE=7000 --window 100000", "reserveTokens = 5000", "threshold", 93_000),
    ("--window 100000 --gate pi", "reserve = 5000\nwatermark = '70%'", "threshold", 95_000),
    ("--window 100000 --gate watermark", "reserve = 5000\nwatermark = '70%'", "threshold", 70_000),
    ("--window 100000", "contextPercentageThreshold = 0.6", "threshold", 60_000),
    ("SESSIONKIT_CONTEXT_PERCENTAGE_THRESHOLD=0.5 --window 100000", "contextPercentageThreshold = 0.6", "threshold", 50_000),
    ("SESSIONKIT_WATERMARK=50% --window 100000 --gate codex", "", "threshold", 90_000),
    ("", "fraction = 0.5", "fraction", 0.5),
    ("--strategy qwen-split --fraction 60%", "", "fraction", 0.6),
    ("--strategy microcompact --compactable 'read, bash'", "", "compactable", ["bash", "read"]),
    ("--strategy auto --trigger size", "", "trigger", "size"),
    ("--tool-chars 9 --marker short --compare --retain-rounds 1", "", "tool_chars", 9),
]


@pytest.mark.parametrize("case", SETTINGS, ids=lambda case: f"{case[0]} {case[1]}")
def test_settings(cli: Cli, session: Copy, monkeypatch: pytest.MonkeyPatch, case: tuple[str, str, str, object]) -> None:
    line, settings, member, value = case
    words = shlex.split(line)
    for name, setting in (word.split("=") for word in words if word.startswith("SESSIONKIT_")):
        monkeypatch.setenv(name, setting)
    config = Path("../config/sessionkit/config.toml")
    config.parent.mkdir(parents=True)
    config.write_text(settings)
    ran = cli("compact", session("a.jsonl"), "--json", *(word for word in words if not word.startswith("SESSIONKIT_")))
    assert ran.code == ExitCode.OK, ran.err
    record = ran.records()[0]
    assert (record["options"] | record["gate"])[member] == value


def test_other_names_are_for_estimate_too(cli: Cli, session: Copy) -> None:
    assert cli("estimate", session("a.jsonl"), "--imageTokenEstimate", "7", "--json").records()[0]["image_tokens"] == 7
    for command in ("estimate", "compact"):
        assert "--imageTokenEstimate" not in cli(command, "--help").out


def test_defaults_are_those_of_the_library(cli: Cli, session: Copy) -> None:
    record, _ = cli("compact", session("a.jsonl"), "--json", "--tombstones").records()
    defaults = Settings()
    for name in ("keep_recent_tokens", "retain_rounds", "keep_recent", "tool_chars", "compactable", "marker", "trigger"):
        assert record["options"][name] == getattr(defaults, name)
    assert record["options"]["fraction"] == float(defaults.fraction)
    assert record["options"]["tombstones"] == Tombstoned().most


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "no sessions to work on"),
        ("a.jsonl --strategy word", "unknown strategy: word\n  next: one of auto, pi, my-pi, qwen-split, microcompact, ink"),
        ("a.jsonl --profile word", "unknown profile: word"),
        ("a.jsonl --provider word", "unknown provider: word\n  next: one of anthropic, "),
        ("a.jsonl --format word", "unknown format: word"),
        ("a.jsonl --show word", "'word' is not one of input, projection"),
        ("a.jsonl --show projection", "--show projection needs a summary"),
        ("a.jsonl --prefix-summary s.txt --strategy ink", "--prefix-summary does nothing with the strategy ink"),
        ("a.jsonl b.jsonl --prefix-summary s.txt", "--prefix-summary is for one session"),
        ("a.jsonl --show input --compare", "--show and --compare are told apart"),
        ("a.jsonl --marker cleared", "'cleared' is not one of none, short, mime"),
        ("a.jsonl --trigger word", "'word' is not one of auto, manual, force, idle, size"),
        ("a.jsonl --fraction 1", "'1' is no share of a conversation, such as 0.7 or 70%"),
        ("a.jsonl --fraction half", "'half' is no share of a conversation, such as 0.7 or 70%"),
        ("a.jsonl --keep-recent 0", "0 is less than 1"),
        ("a.jsonl --keep-recent-tokens -1", "-1 is less than 0"),
        ("a.jsonl --max-tombstones 3", "--max-tombstones alone leaves none\n  next: add --tombstones"),
        ("a.jsonl --plot a.gif", "a plot cannot be a .gif\n  next: name it FILE.svg or FILE.png"),
        ("a.jsonl --plot plot", "a plot cannot be a file without a suffix"),
        ("a.jsonl --fraction 0.5", "--fraction does nothing with the strategy pi\n  next: it is for qwen-split: name one with --strategy"),
        ("a.jsonl --recorded --tombstones", "--tombstones does nothing with --recorded\n  next: leave one of the two out, or add --json"),
        ("a.jsonl --recorded --keepRecentTokens 1", "--keep-recent-tokens does nothing with --recorded"),
        ("a.jsonl --strategy ink --keep-recent 3", "--keep-recent does nothing with the strategy ink"),
        ("a.jsonl --strategy microcompact --compactable ,", "--compactable names no tool"),
        ("a.jsonl --gate pi", "--gate needs a window"),
        ("a.jsonl --reserve 3", "--reserve needs a window"),
        ("a.jsonl --window 100 --reserve 3 --watermark 0.5", "--watermark and --reserve name two limits"),
        ("a.jsonl --window 100 --gate codex --reserve 3", "--gate codex and --reserve name two limits"),
        ("a.jsonl --window 16384 --gate pi", "leaves no room: the gate pi keeps 16,384 tokens free"),
        ("a.jsonl b.jsonl --plot a.svg", "--plot is for one session"),
        ("a.jsonl b.jsonl --show input", "--show is for one session"),
        ("a.jsonl b.jsonl --summary a.txt", "--summary is for one session"),
        ("a.jsonl b.jsonl --leaf x", "--leaf is for one session"),
    ],
)
def test_usage(cli: Cli, session: Copy, words: str, said: str) -> None:
    session("a.jsonl")
    session("b.jsonl")
    ran = cli("compact", *shlex.split(words))
    assert (ran.code, ran.out) == (ExitCode.USAGE, "")
    assert said in ran.err
