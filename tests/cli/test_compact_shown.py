"""`compact`: the input of the summary, the context afterwards, and the picture."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.errors import ExitCode

if TYPE_CHECKING:
    from tests.cli.running import Cli, Copy, Program

KEEP = ("--keep-recent-tokens", "3000")
"""Of the recorded session of Pi this keeps what Pi itself kept."""


def test_the_input_of_the_summary(cli: Cli, session: Copy) -> None:
    """All that goes to the model, to the letter; what the agent's own instructions are is not known."""
    out = cli("compact", session("a.jsonl"), *KEEP, "--show", "input").out
    first, second = out.removeprefix("===== request 1 of 2 =====\n").split("===== request 2 of 2 =====\n")
    assert first.startswith("<conversation>\n[User]: <file name=")
    assert first.endswith("\n</conversation>\n\n{instructions}\n")
    assert second.startswith("# Conversation\n[User]: Compare the two pages")
    record, _ = cli("compact", "a.jsonl", *KEEP, "--show", "input", "--json").records()
    assert [f"{text}\n" for text in record["requests"]] == [first, second]
    assert record["summary_input"] in first
    assert record["prefix_input"] in second


def test_the_input_of_messages(cli: Cli, session: Copy) -> None:
    out = cli("compact", session("a.jsonl"), "--strategy", "qwen-split", "--show", "input").out
    assert "[image: image/png]" in out
    assert out.endswith("user  not in the session\n  {instructions}\n")
    record, _ = cli("compact", "a.jsonl", "--strategy", "qwen-split", "--json").records()
    assert {block["type"] for message in record["summary_input"] for block in message["content"]} >= {"text", "tool_call", "tool_result"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--show input", "nothing to compact: all of it fits into what is kept"),
        ("--show projection --summary s.txt", "nothing to compact: all of it fits into what is kept"),
        ("--show projection --summary s.txt --provider gemini", "nothing to compact"),
        ("--show input --strategy microcompact", "microcompact asks no model for a summary"),
    ],
)
def test_nothing_to_show(cli: Cli, session: Copy, words: str, said: str) -> None:
    Path("s.txt").write_text("pictures")
    ran = cli("compact", session("a.jsonl"), *shlex.split(words))
    assert (ran.code, ran.out) == (ExitCode.OK, "")
    assert said in ran.err
    assert cli("compact", "a.jsonl", *shlex.split(words), "-q").err == ""


def projected(cli: Cli, path: Path, *words: str) -> Any:  # noqa: ANN401  JSON
    Path("s.txt").write_text("pictures")
    record, _ = cli("compact", path, *KEEP, "--summary", "s.txt", "--tombstones", *words, "--json").records()
    return record


def test_the_projection(cli: Cli, session: Copy) -> None:
    record = projected(cli, session("a.jsonl"))
    projection = record["projection"]
    assert projection["boundary"] == {"epoch": 1, "kept_from": 16, "planned_at": 29}
    assert [message["role"] for message in projection["messages"][:3]] == ["system", "compaction", "assistant"]
    assert projection["wire"].startswith(
        "The conversation history before this point was compacted into the following summary:\n\n<summary>\npictures\n\n["
    )
    shown = cli("compact", "a.jsonl", *KEEP, "--summary", "s.txt", "--tombstones", "--show", "projection").out
    assert shown.startswith("epoch 1: kept from #16 on, planned up to #28\n\nsystem  line 4")
    assert "compaction  not in the session\n  pictures\n\n  [Image Tombstone: file=" in shown
    assert shown.count("[image: ") == 2


def test_the_summary_of_a_split_turn(cli: Cli, session: Copy) -> None:
    """Pi asks for it by itself, and joins both answers and its lists of files."""
    Path("s.txt").write_text("the history")
    Path("p.txt").write_text("the turn")
    words = (session("a.jsonl"), "--show", "projection", "--prefix-summary", "p.txt", "--json")
    record, _ = cli("compact", *words, *KEEP, "--summary", "s.txt").records()
    [joined] = [message for message in record["projection"]["messages"] if message["role"] == "compaction"]
    assert joined["content"][0]["text"].startswith(
        "the history\n\n---\n\n**Turn Context (split turn):**\n\nthe turn\n\n<read-files>\n/home/user/project/chart.webp\n"
    )
    assert joined["content"][0]["text"].endswith("/home/user/project/login.png\n</read-files>")
    for more, said in ((KEEP, "the history before the split turn has no summary"), (("--keep-recent-tokens", "8700"), "no turn is split")):
        assert said in cli("compact", *words, *more).err


def test_tombstones_lead_to_the_pictures(cli: Cli, spilled: Path) -> None:
    """Each names a file of the asset store, its pixels, and how to read it again."""
    record = projected(cli, spilled)
    buried = [one for one in record["media"] if one["fate"] == "tombstone"]
    assert len({one["tombstone"] for one in buried}) == 4
    for one in buried:
        assert f'{one["width"]}x{one["height"]}, sha256="{one["sha256"]}"' in one["tombstone"]
        assert "Use read(" in one["tombstone"]
        assert one["tombstone"] in record["projection"]["wire"]
        assert [*spilled.parent.glob(f"images/{one['sha256']}.*")] != []


def test_spilled_and_inline_say_the_same(cli: Cli, spilled: Path) -> None:
    inline, other = (projected(cli, path) for path in (Path("inline/a.jsonl"), spilled))
    assert inline | {"session": ""} == other | {"session": ""}


@pytest.mark.parametrize("provider", ["anthropic", "openai-chat", "openai-responses", "gemini"])
def test_the_body_that_follows(cli: Cli, session: Copy, provider: str) -> None:
    Path("s.txt").write_text("the summary of it")
    words = (session("a.jsonl"), *KEEP, "--summary", "s.txt", "--show", "projection", "--provider", provider)
    ran = cli("compact", *words)
    assert ran.code == ExitCode.OK
    body = json.loads(ran.out)
    assert "the summary of it" in json.dumps(body)
    assert "Which of the two attached pages" not in json.dumps(body)
    record, _ = cli("compact", *words, "--json").records()
    assert record["after"]["wire_bytes"] == len(ran.out.encode())
    assert record["before"]["wire_bytes"] > record["after"]["wire_bytes"]


def test_a_body_that_lacks_a_picture(cli: Cli, spilled: Path) -> None:
    for asset in spilled.parent.glob("images/*"):
        asset.unlink()
    ran = cli("compact", spilled, *KEEP)
    assert ran.code == ExitCode.OK
    assert "the bytes of the next request are unknown, because assets are missing" in ran.out
    assert re.search(r" - [0-9a-f]{12}… \w.*\n      missing\n", ran.out)
    record = projected(cli, spilled, "--provider", "anthropic")
    assert (record["before"]["media_bytes"], record["after"]["media_bytes"]) == (None, None)
    assert {one["fault"] for one in record["media"]} == {"missing"}


def test_no_option_is_named_that_only_rehydrate_has(cli: Cli, spilled: Path) -> None:
    Path("s.txt").write_text("pictures")
    words = ("--summary", "s.txt", "--show", "projection", "--provider")
    nameless = cli("compact", "inline/a.jsonl", *KEEP, "--leaf", "ca76dbc8", *words, "openai-responses")
    for asset in spilled.parent.glob("images/*"):
        asset.unlink()
    refused = cli("compact", spilled, *KEEP, *words, "anthropic")
    assert (nameless.code, refused.code, refused.out) == (ExitCode.OK, ExitCode.FAILED, "")
    assert "for no model in particular\n" in nameless.err
    assert "  next: put the file back from a backup\n" in refused.err
    assert not any(option in nameless.err + refused.err for option in ("--model", "--missing"))


def test_a_plot(cli: Cli, session: Copy) -> None:
    ran = cli("compact", session("a.jsonl"), *KEEP, "--window", "20000", "--plot", "a.svg")
    drawing = Path("a.svg").read_bytes()
    assert (ran.code, ran.err) == (ExitCode.OK, "a.svg: 8.4 kB\n")
    assert ran.out == cli("compact", "a.jsonl", *KEEP, "--window", "20000").out
    assert b"cut at #16, assistant, line 18" in drawing
    assert b"gate watermark: 16,000 of 20,000 tokens" in drawing
    for more in (["--json"], ["--show", "input"]):
        Path("a.svg").unlink()
        assert cli("compact", "a.jsonl", *KEEP, "--window", "20000", "--plot", "a.svg", "-q", *more).err == ""
    assert Path("a.svg").read_bytes() == drawing
    assert cli("compact", "a.jsonl", "--plot", "a.PNG").code == ExitCode.OK
    assert Path("a.PNG").read_bytes().startswith(b"\x89PNG\r\n")


def test_a_plot_replaces_no_other_file_unasked(cli: Cli, session: Copy) -> None:
    session("a.jsonl")
    Path("a.svg").write_text("<svg>mine</svg>")
    ran = cli("compact", "a.jsonl", "--plot", "a.svg")
    assert (ran.code, Path("a.svg").read_text()) == (ExitCode.FAILED, "<svg>mine</svg>")
    assert "another file stands here" in ran.err
    assert cli("compact", "a.jsonl", "--plot", "a.svg", "--force").code == ExitCode.OK
    assert "tokens" in Path("a.svg").read_text()


def test_nothing_is_written_under_the_name_of_an_asset(cli: Cli, spilled: Path) -> None:
    [asset, *_] = sorted(spilled.parent.glob("images/*.png"))
    content = asset.read_bytes()
    for words in (["compact", spilled, "--plot", asset], ["rehydrate", spilled, "--provider", "anthropic", "-o", asset]):
        ran = cli(*words, "--force")
        assert (ran.code, asset.read_bytes()) == (ExitCode.USAGE, content)
        assert "this is the name of an asset" in ran.err


def test_another_branch_of_standard_input(program: Program, session: Copy) -> None:
    data = session("a.jsonl").read_bytes()
    whole, summary = map(json.loads, program("compact", "-", "--json", *KEEP, stdin=data).stdout.splitlines())
    assert (whole["session"], whole["cut"]["line"], summary["planned"]) == ("-", 18, 1)
    part, _ = map(json.loads, program("compact", "-", "--json", *KEEP, "--leaf", "87cad858", stdin=data).stdout.splitlines())
    assert part["before"]["tokens"] < whole["before"]["tokens"]
    shown = program("compact", "-", *KEEP, "--summary", "a.jsonl", "--show", "projection", stdin=data)
    assert shown.stdout.count(b"[image: image/png 2000x250 sha256:ecc5fcd7c23d") == 1


def test_why_little_is_summarised_all_the_same(cli: Cli, session: Copy) -> None:
    told = " ".join(cli("compact", session("a.jsonl", "ink/session")).out.split())
    assert "all of it is less than 20,000 tokens: pi then keeps what follows the first place where it can cut, and no more" in told
    assert "all of it is less" not in cli("compact", "a.jsonl", "--keep-recent-tokens", "1").out
