"""Command lines of `rehydrate` that mean nothing, or come to nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, get_type_hints

import pytest

from sessionkit.cli.commands.rehydrate import rehydrate
from sessionkit.errors import ExitCode
from sessionkit.providers.base import OpenAIDetail, Signatures
from sessionkit.providers.replay import Missing, Orphans
from sessionkit.providers.vision import Vision

if TYPE_CHECKING:
    from tests.cli.running import Cli, Copy

USAGE = [
    ("a.jsonl", "no provider is named\n  next: say --provider anthropic"),
    ("a.jsonl --provider openai", "unknown provider: openai\n  next: one of anthropic, openai-chat, openai-responses, gemini"),
    ("a.jsonl --provider gemini --api codex-responses", "gemini has no variant codex-responses"),
    ("a.jsonl --provider openai-responses --api responses", "openai-responses has no variant responses"),
    ("a.jsonl a.jsonl --provider gemini", "one session becomes one body, and there are 2"),
    ("folder --provider gemini", "folder: this is a folder\n  next: name one session in it"),
    ("*.jsonl --provider gemini", r"\*.jsonl: 2 sessions match the pattern"),
    ("a.jsonl --provider gemini --leaf nobody", "no entry has the id 'nobody'"),
    ("a.jsonl --provider gemini --client cursor", "unknown client: cursor"),
    ("a.jsonl --provider gemini --vision maybe", "'--vision': 'maybe' is not one of yes, no"),
    ("a.jsonl --provider gemini --detail huge", "'--detail': 'huge' is not one of auto, low, high, original"),
    ("a.jsonl --provider gemini --cache", "--cache does nothing for gemini\n  next: it is for anthropic: leave it out"),
    (
        "a.jsonl --provider anthropic --detail low",
        "--detail does nothing for anthropic\n  next: it is for openai-chat and openai-responses",
    ),
    ("a.jsonl --provider openai-chat --gemini-signatures never", "--gemini-signatures does nothing for openai-chat"),
    ("a.jsonl --provider gemini --missing keep", "'--missing': 'keep' is not one of refuse, placeholder"),
    ("a.jsonl --provider gemini --model=", "--model names no model\n  next: leave it away"),
    ("a.jsonl --provider gemini --curl --messages-only", "--curl sends a whole body"),
    ("a.jsonl --provider gemini --curl --json -o b.json", "--json and --curl both write to standard output"),
    ("a.jsonl --provider gemini -o a.jsonl", "a.jsonl: this is the session, and would be written over\n  next: choose another file"),
    ("a.jsonl --provider gemini -o body.json.gz", "the name of an archive"),
    ("a.jsonl --provider gemini --tools-file bad.json", "bad.json:2: not a JSON document: expecting value, column 1"),
    ("a.jsonl --provider gemini --catalog bad.json", "bad.json:2: not a JSON document"),
    ("a.jsonl --provider gemini --request-fields list.json", "list.json: it does not say what it should: it is no object"),
    ("a.jsonl --provider gemini --request-fields large.json", "large.json at /a/0: not a JSON document: a number that JSON does not know"),
    ("a.jsonl --provider gemini --request-fields half.json", "half.json at /a/0: half of a surrogate pair is no character"),
    ("--diff bad.json a.jsonl --provider gemini", "bad.json:2: not a JSON document: expecting value, column 1"),
    ("--diff - - --provider gemini", "standard input cannot be read twice\n  next: write one of the two to a file"),
    ("a.jsonl --provider gemini --request-fields model.json", "the fields of the request name a model, .*\n  next: name it with --model"),
    ("--diff a.jsonl --provider gemini", "--diff compares two: 1 are named"),
    ("--diff a.jsonl b.jsonl", "a.jsonl: this is no recorded body, and no provider is named"),
    ("--diff a.jsonl b.jsonl --provider gemini --curl", "--diff writes no body"),
]


@pytest.mark.parametrize(("words", "said"), USAGE, ids=[row[0] for row in USAGE])
def test_usage(cli: Cli, session: Copy, words: str, said: str) -> None:
    for name in ("a.jsonl", "b.jsonl", "folder/a.jsonl"):
        session(name)
    Path("bad.json").write_text('{"a":\n')
    Path("list.json").write_text("[]")
    Path("model.json").write_text('{"model": "m"}')
    Path("large.json").write_text('{"a": [1e400]}')
    Path("half.json").write_text('{"a": [{"\\ud800": 1}]}')
    ran = cli("rehydrate", *words.split())
    assert (ran.code, bool(ran.out)) == (ExitCode.USAGE, "--json" in words)
    assert re.search(said, ran.err), ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("missing.jsonl --provider gemini", "missing.jsonl: cannot be read: no such file"),
        ("a.jsonl --provider gemini --catalog missing.json", "missing.json: cannot be read: no such file"),
        ("empty.jsonl --provider gemini", "empty.jsonl: it is empty\n  next: name a session file"),
        ("--diff empty.jsonl a.jsonl --provider gemini", "empty.jsonl: it is empty"),
        ("strange.jsonl --provider gemini", "strange.jsonl: not a session of a known format"),
    ],
)
def test_failures(cli: Cli, session: Copy, words: str, said: str) -> None:
    session("a.jsonl")
    Path("empty.jsonl").touch()
    Path("strange.jsonl").write_text('{"what": "ever"}\n')
    ran = cli("rehydrate", *words.split())
    assert (ran.code, ran.out) == (ExitCode.FAILED, "")
    assert said in ran.err


WORDS = {"vision": Vision, "detail": OpenAIDetail, "gemini_signatures": Signatures, "orphans": Orphans, "missing": Missing}


@pytest.mark.parametrize("name", WORDS)
def test_options_take_the_words_of_their_enums(name: str) -> None:
    parse = get_type_hints(rehydrate, include_extras=True)[name].__metadata__[0].parser
    assert [parse(word) for word in WORDS[name]] == list(WORDS[name])


def test_settings_wait_for_a_provider_that_knows_them(cli: Cli, session: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SESSIONKIT_REHYDRATE_DETAIL", "low")
    assert cli("rehydrate", session("a.jsonl"), "--provider", "anthropic").code == ExitCode.OK
