"""`messages`: a conversation to read, and to compare."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import textwrap
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from sessionkit.errors import ExitCode
from tests.cli.running import FIXTURES
from tests.cli.test_json import closed, names_in, schema_of
from tests.cli.test_start_up import HEAVY, PROBE
from tests.pictures import picture

if TYPE_CHECKING:
    from tests.cli.running import Cli, Copy, Program

SESSIONS = sorted(path for path in FIXTURES.glob("*/*/session.json*") if path.parts[-3] not in {"hostile", "shapes"})
PNG = picture("PNG", size=(29, 40))
DATA = base64.b64encode(PNG).decode()
SHOWN = f"[image: image/png 29x40 sha256:{sha256(PNG).hexdigest()[:12]}…]"


def pi(*messages: dict[str, object]) -> Path:
    """Write a session of Pi, whose entries are called a, b, c …"""
    names = "abcdefghijklmnopqrstuvwxyz"
    entries: list[object] = [{"type": "session", "version": 3, "id": "s", "cwd": "/"}]
    for name, parent, message in zip(names, (None, *names), messages, strict=False):
        entries.append({"type": "message", "id": name, "parentId": parent, "message": message})
    path = Path("session.jsonl")
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return path


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def image(data: str = DATA, media_type: str = "image/png") -> dict[str, object]:
    return {"type": "image", "data": data, "mimeType": media_type}


def test_a_conversation_to_read(cli: Cli) -> None:
    call = {"type": "toolCall", "id": "call_1", "name": "write", "arguments": {"path": "a.py", "text": "def a():\n\tpass\n", "mode": 420}}
    thought = {"type": "thinking", "thinking": "A login\npage.", "thinkingSignature": "c2lnbmVk"}
    path = pi(
        {"role": "user", "content": [text("Look:\r\nhere\n"), image(media_type="image/jpeg")]},
        {"role": "assistant", "content": [thought, text("I see."), call]},
        {"role": "toolResult", "toolCallId": "call_1", "toolName": "write", "content": [text("no space left")], "isError": True},
        {"role": "bashExecution", "command": "ls", "output": "a.py\n", "exitCode": 2, "cancelled": False, "truncated": False},
        {"role": "user", "content": [{"type": "hologram", "data": "?"}]},
    )
    ran = cli("messages", path)
    assert ran.code == ExitCode.OK
    assert ran.err.startswith("1 thing passed over (-v shows what), first session.jsonl:6 at")
    assert ran.out == (
        "user  line 2, entry a\n"
        "  Look:\n"
        "  here\n"
        f"  {SHOWN}\n"
        "\n"
        "assistant  line 3, entry b\n"
        "  thinking:\n"
        "    A login\n"
        "    page.\n"
        "  I see.\n"
        "  call write:\n"
        "    path: a.py\n"
        "    text:\n"
        "      def a():\n"
        "          pass\n"
        "    mode: 420\n"
        "\n"
        "tool  line 4, entry c\n"
        "  result of write, an error:\n"
        "    no space left\n"
        "\n"
        "user (shell)  line 5, entry d\n"
        "  $ ls  (exit code 2)\n"
        "    a.py\n"
        "\n"
        "user  line 6, entry e\n"
        "  [unsupported block: hologram]\n"
    )


MEDIA = [
    (image("!"), "[image: image/png (not base64)]"),
    ({"type": "image", "data": "https://example.com/a.png"}, "[image: unknown type https://example.com/a.png]"),
    (image(DATA, "image/\x1b[31mpng"), SHOWN),
    (image("!", "image/\x1b[31mpng"), r"[image: image/\x1b[31mpng (not base64)]"),
    ({"type": "image", "asset_path": f"images/{'0' * 64}.png", "width": 3, "height": 4, "asset_field": "data"}, "3x4 (asset missing)]"),
]


@pytest.mark.parametrize(("block", "shown"), MEDIA)
def test_media(cli: Cli, block: dict[str, object], shown: str) -> None:
    ran = cli("messages", pi({"role": "user", "content": [block]}))
    assert shown in ran.out


HOSTILE = "\x1b]0;owned\x07\x9b31m\u202egnp\udcff"


def test_hostile_text_is_inert(cli: Cli) -> None:
    blocks = [
        text(HOSTILE),
        image("!", HOSTILE),
        {"type": HOSTILE},
        {"type": "toolCall", "id": HOSTILE, "name": HOSTILE, "arguments": {HOSTILE: HOSTILE, "n": [HOSTILE]}},
    ]
    path = pi({"role": "assistant", "content": blocks}, {"role": "toolResult", "toolName": HOSTILE, "toolCallId": HOSTILE, "content": []})
    for words in ([], ["-v"], ["--json"]):
        ran = cli("messages", path, *words)
        assert all(char.isprintable() for char in (ran.out + ran.err).replace("\n", ""))
        assert ran.code == ExitCode.OK


HEADINGS = [
    (
        {"role": "assistant", "content": [text("I")], "stopReason": "aborted"},
        "assistant (aborted: most agents leave it out of the next request)  l",
    ),
    (
        {"role": "assistant", "content": [text("I")], "stopReason": "error"},
        "assistant (error: most agents leave it out of the next request)  l",
    ),
    ({"role": "assistant", "content": [text("I")], "stopReason": "length"}, "assistant  line 2"),
    ({"role": "bashExecution", "command": "ls", "output": "", "excludeFromContext": True}, "  $ ls  (not for the model)"),
    ({"role": "system", "content": "", "sections": {"preamble": "You", "tools": "ls"}}, "  [sections: preamble, tools]"),
    ({"role": "user", "content": [{"type": ""}]}, "  [unsupported block: without a type]"),
]


@pytest.mark.parametrize(("message", "shown"), HEADINGS)
def test_what_is_marked(cli: Cli, message: dict[str, object], shown: str) -> None:
    path = pi(message)
    assert any(line.startswith(shown) for line in cli("messages", path).out.splitlines())
    assert cli("messages", path, "--json").records()[0]["stop_reason"] == message.get("stopReason")


@pytest.mark.parametrize(
    ("tokens", "heading"), [(5, "compaction of 5 tokens  "), (-1, "compaction  "), (None, "compaction  "), ("5", "compaction  ")]
)
def test_the_size_before_a_compaction(cli: Cli, tokens: object, heading: str) -> None:
    path = pi({"role": "user", "content": "hi"})
    compaction = {"type": "compaction", "id": "z", "parentId": "a", "summary": "s", "firstKeptEntryId": "a", "tokensBefore": tokens}
    with path.open("a") as file:
        file.write(json.dumps(compaction) + "\n")
    assert cli("messages", path).out.startswith(heading)


def test_base64_is_never_printed(cli: Cli) -> None:
    large = base64.b64encode(picture("PNG", size=(300, 200)) + bytes(range(256)) * 12).decode()
    call = {
        "type": "toolCall",
        "id": "1",
        "name": "write",
        "arguments": {"content": f"x\n{large}", "list": ["\n".join(textwrap.wrap(large, 76))]},
    }
    thought = {"type": "thinking", "thinking": "", "thinkingSignature": large}
    path = pi({"role": "assistant", "content": [text(f"see {large} there"), call, thought, image(), image(large)]})
    for words in ([], ["--json"]):
        shown = cli("messages", path, *words).out
        assert large[:60] not in shown
        assert large[-60:] not in shown
        assert DATA[:60] not in shown
        assert f"see [{len(large):,} characters of base64] there" in shown


def test_values_that_readers_of_json_refuse(cli: Cli) -> None:
    deep: Any = "bottom"
    for _ in range(200):
        deep = [deep]
    arguments = {"number": float("nan"), "big": 10**30, "half": "\ud83d", "deep": deep}
    path = pi({"role": "assistant", "content": [{"type": "toolCall", "id": "1", "name": "n", "arguments": arguments}]})
    ran = cli("messages", path, "--json")
    assert "NaN" not in ran.out
    found = ran.records()[0]["content"][0]["arguments"]
    assert (found["number"], found["big"], found["half"]) == (None, 10**30, r"\ud83d")
    assert json.dumps(found["deep"]).count("[") == 200


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: "/".join(path.parts[-3:-1]))
def test_output_fits_its_schema(cli: Cli, path: Path) -> None:
    ran = cli("messages", path, "--json")
    validator = Draft202012Validator(closed(schema_of("messages")))
    *messages, summary = ran.records()
    for record in (*messages, summary):
        validator.validate(record)
    assert [record["index"] for record in messages] == list(range(summary["messages"]))
    assert not names_in(ran.records()) & {"asset_path", "asset_field", "data"}
    assert ran.out.isascii()


def test_schema_is_one() -> None:
    schema = schema_of("messages")
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == "sessionkit.messages/1"


@pytest.mark.parametrize("case", ["pi/session", "claude-code/compacted", "codex/session", "gemini-cli/session", "qwen-code/compacted"])
def test_spilled_and_inline_say_the_same(cli: Cli, session: Copy, case: str) -> None:
    session("inline/a.jsonl", case)
    cli("migrate", "inline/a.jsonl", "-o", "spilled/a.jsonl")
    *inline, _ = cli("messages", "inline/a.jsonl", "--json").records()
    *spilled, _ = cli("messages", "spilled/a.jsonl", "--json").records()
    assert spilled == inline
    assert cli("messages", "spilled/a.jsonl").out == cli("messages", "inline/a.jsonl").out


def test_another_branch(cli: Cli) -> None:
    path = pi(*(dict[str, object](role="user", content=word) for word in ("one", "two", "three")))
    assert "three" in cli("messages", path).out
    assert cli("messages", path, "--leaf", "b").out.splitlines()[-1] == "  two"
    ran = cli("messages", path, "--leaf", "z")
    assert (ran.code, ran.out) == (ExitCode.USAGE, "")
    assert "no entry has the id 'z': the newest are c, b, a" in ran.err


def test_what_was_passed_over_is_told_in_few_words_or_all(cli: Cli) -> None:
    path = pi({"role": "user", "content": "hi"})
    with path.open("a") as file:
        file.write('{"type": "hologram", "id": "z", "parentId": "a"}\n{"torn": \n')
    few = "2 things passed over (-v shows what), first session.jsonl:4: not JSON: the\n  line ends in the middle of a value\n"
    assert cli("messages", path).err == few
    assert cli("messages", path, "--json").err == ""
    told = cli("messages", path, "-v").err
    assert told.startswith("passed over:\n")
    assert "entry of the unknown type hologram\n      session.jsonl:3" in told
    assert "session.jsonl:4" in told
    assert len(cli("messages", path, "--json").records()[-1]["skipped"]) == 2


REFUSALS = [
    ("", 2, "Missing argument 'SESSION'"),
    ("a.jsonl b.jsonl", 2, "unexpected extra argument"),
    ("folder", 2, "folder: this is a folder\n  next: name one session in it"),
    ("*.jsonl", 2, "*.jsonl: 2 sessions match the pattern"),
    ("a.jsonl --format word", 2, "unknown format: word\n  next: one of pi, codex, "),
    ("missing.jsonl", 3, "missing.jsonl: cannot be read"),
    ("other.txt", 3, "other.txt: not a session of a known format: its first lines are none of pi, codex, qwen-code, claude-code"),
]


@pytest.mark.parametrize("case", REFUSALS, ids=lambda case: case[0])
def test_refusals(cli: Cli, session: Copy, case: tuple[str, int, str]) -> None:
    words, code, said = case
    session("a.jsonl")
    session("b.jsonl")
    Path("folder").mkdir()
    Path("other.txt").write_text('{"a": 1}\n')
    ran = cli("messages", *words.split())
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err


def test_standard_input(program: Program, session: Copy) -> None:
    path = session("a.jsonl")
    ran = program("messages", "-", stdin=path.read_bytes())
    assert ran.stdout == program("messages", path).stdout
    assert ran.stdout.count(b"[image: ") == 9


def test_help_and_start_up(cli: Cli, session: Copy) -> None:
    shown = cli("messages", "--help").out
    assert "Examples:\n    sessionkit messages " in shown
    assert [line for line in shown.splitlines() if len(line) > 80] == []
    ran = subprocess.run([sys.executable, "-c", PROBE, "messages", session("a.jsonl")], capture_output=True, check=True)
    assert HEAVY.isdisjoint(json.loads(ran.stderr))
