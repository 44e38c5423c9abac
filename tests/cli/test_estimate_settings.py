"""`estimate`: what is set for it, limits, and what makes no sense."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import ExitCode
from tests.cli.estimating import answer, chat, pi, picture_of, user

if TYPE_CHECKING:
    from tests.cli.running import Cli, Copy


IMAGE_TOKENS = [
    # words, with those of the environment before them; settings: tokens of an image
    ("", "", 1200),
    ("", "image-tokens = 7", 7),
    ("QWEN_IMAGE_TOKEN_ESTIMATE=5", "image-tokens = 7", 7),
    ("QWEN_IMAGE_TOKEN_ESTIMATE=5 --profile qwen", "image-tokens = 7", 5),
    ("QWEN_IMAGE_TOKEN_ESTIMATE=5 SESSIONKIT_IMAGE_TOKENS=6 --profile qwen", "", 6),
    ("SESSIONKIT_IMAGE_TOKENS=6 --image-tokens 8", "[estimate]\nimage-tokens = 7", 8),
    ("--profile codex", "", 1844),
]


@pytest.mark.parametrize("case", IMAGE_TOKENS, ids=lambda case: case[0])
def test_tokens_of_an_image(cli: Cli, monkeypatch: pytest.MonkeyPatch, case: tuple[str, str, int]) -> None:
    line, settings, tokens = case
    for name, value in (word.split("=") for word in line.split() if "=" in word):
        monkeypatch.setenv(name, value)
    config = Path("../config/sessionkit/config.toml")
    config.parent.mkdir(parents=True)
    config.write_text(settings)
    words = [word for word in line.split() if "=" not in word]
    record, _ = cli("estimate", chat("a.jsonl", user([picture_of("https://x/y.png")])), "--json", *words).records()
    assert (record["image_tokens"], record["tokens"]) == (tokens, tokens)


LIMITS = [
    # of a context of 1,010 tokens
    ("--window 1263", ExitCode.OK),
    ("--window 1263 --fail-over", ExitCode.OK),
    ("--window 1262 --fail-over", ExitCode.FINDINGS),
    ("--window 1262", ExitCode.OK),
    ("--window 2020 --watermark 0.5 --fail-over", ExitCode.OK),
    ("--window 2019 --watermark 50% --fail-over", ExitCode.FINDINGS),
    ("--window 2019 --watermark 1/2 --fail-over", ExitCode.FINDINGS),
    ("--window 1123 --gate codex --fail-over", ExitCode.FINDINGS),
    ("--window 1124 --gate codex --fail-over", ExitCode.OK),
    ("--window 1262 --fail-over --json", ExitCode.FINDINGS),
    ("--window 1262 --fail-over -q", ExitCode.FINDINGS),
]


@pytest.mark.parametrize(("words", "code"), LIMITS)
def test_limits(cli: Cli, words: str, code: ExitCode) -> None:
    path = pi("a.jsonl", answer("abcd", 1000), user("x" * 40))
    ran = cli("estimate", path, *shlex.split(words))
    assert (ran.code, ran.err) == (code, "")
    if "-q" in words:
        assert ran.out == ""
    elif "--json" in words:
        assert [ran.records()[0]["status"], ran.records()[-1]["over"]] == ["over", 1]
    else:
        assert ("above the limit: 1 session" in ran.out) is ("1262" in words or code is ExitCode.FINDINGS)


def test_a_watermark_of_the_settings_gives_way_to_a_gate_that_is_typed(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SESSIONKIT_WATERMARK", "10%")
    path = chat("a.jsonl", user("x" * 400))
    assert cli("estimate", path).code == ExitCode.OK
    assert "limit: 20 tokens" in cli("estimate", path, "--window", "200").out
    assert "limit: 180 tokens" in cli("estimate", path, "--window", "200", "--gate", "codex").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "no sessions to work on"),
        ("a.jsonl --fail-over", "--fail-over needs a window: over what is not known\n  next: add --window"),
        ("a.jsonl --profile gpt", "unknown profile: gpt\n  next: one of auto, all, neutral, pi, "),
        ("a.jsonl --format word", "unknown format: word\n  next: one of pi, codex, "),
        ("a.jsonl --gate word", "'word' is not one of watermark, pi, "),
        ("a.jsonl --by word", "'word' is not one of message, role, kind"),
        ("a.jsonl --watermark 2", "'2' is no share of a window"),
        ("a.jsonl --watermark 0%", "'0%' is no share of a window"),
        ("a.jsonl --watermark half", "'half' is no share of a window"),
        ("a.jsonl --watermark 0.5 --gate pi", "--gate pi and --watermark name two limits"),
        ("a.jsonl --gate claude", "--gate needs a window: a limit is a part of one\n  next: add --window"),
        ("a.jsonl --watermark 80%", "--watermark needs a window: a limit is a part of one\n  next: add --window"),
        ("a.jsonl --gate claude --window 1000", "a window of 1,000 tokens leaves no room: the gate claude keeps 33,000 tokens free"),
        ("a.jsonl --watermark 1/2%", "'1/2%' is no share of a window"),
        ("a.jsonl --watermark 1.5/2", "'1.5/2' is no share of a window"),
        (f"a.jsonl --watermark 0.{'1' * 5000}", "is no share of a window"),
        ("a.jsonl --watermark 1/0", "'1/0' is no share of a window"),
        ("a.jsonl --watermark 1_0%", "'1_0%' is no share of a window"),
        ("a.jsonl --window 1_0", "'1_0' is not a whole number"),
        ("a.jsonl --window ٣", "'٣' is not a whole number"),
        ("a.jsonl --window -5", "-5 is less than 1"),
        ("a.jsonl --window 0", "0 is less than 1"),
        ("a.jsonl --image-tokens 0", "0 is less than 1"),
        ("a.jsonl --provider word", "unknown provider: word\n  next: one of anthropic, "),
        ("a.jsonl --model word", "no formula is known for the model word"),
    ],
)
def test_usage(cli: Cli, session: Copy, words: str, said: str) -> None:
    session("a.jsonl")
    ran = cli("estimate", *shlex.split(words))
    assert (ran.code, ran.out) == (ExitCode.USAGE, "")
    assert said in ran.err


def test_a_bad_variable_of_qwen_code(cli: Cli, session: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QWEN_IMAGE_TOKEN_ESTIMATE", "0x10")
    assert cli("estimate", session("a.jsonl")).code == ExitCode.OK
    ran = cli("estimate", "a.jsonl", "--profile", "qwen")
    assert (ran.code, ran.out) == (ExitCode.USAGE, "")
    assert "bad value of QWEN_IMAGE_TOKEN_ESTIMATE: 0x10" in ran.err


@pytest.mark.parametrize("value", ["1_0", "٣", " 5", "1.0"])
def test_a_variable_that_is_no_whole_number(cli: Cli, session: Copy, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SESSIONKIT_IMAGE_TOKENS", value)
    ran = cli("estimate", session("a.jsonl"))
    assert (ran.code, ran.out) == (ExitCode.USAGE, "")
    assert f"{value!r} is not a whole number (from the environment)" in ran.err
