"""`compact`: its output is safe to show, fits 80 columns, and its schema."""

from __future__ import annotations

import base64
import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from sessionkit.cli.printable import cells
from sessionkit.compaction import STRATEGIES
from sessionkit.compaction.base import Branch, Group, Marker, NoteKind, Reason, Trigger
from sessionkit.compaction.projection import Worth
from sessionkit.compaction.recorded import Kind
from sessionkit.errors import ExitCode
from sessionkit.ops.compact import Fate, Part
from sessionkit.tokens.gates import GATES
from tests.cli.running import FIXTURES, FOLDERS
from tests.cli.test_json import REFERENCE_NAMES, closed, names_in, schema_of
from tests.pictures import picture

if TYPE_CHECKING:
    from tests.cli.running import Cli, Copy

HOSTILE = "\x1b]0;owned\x07\u202egnp.lnosj\n\udcff"


def hostile(path: str) -> Path:
    """Write a conversation in which everything that others choose is hostile, and holds pictures."""
    data = base64.b64encode(picture("PNG", size=(300, 200)) + bytes(range(256)) * 12).decode()
    image = {"type": "image", "data": data, "mimeType": f"image/{HOSTILE}", "name": HOSTILE}
    call = {"type": "toolCall", "id": HOSTILE, "name": HOSTILE, "arguments": {"path": HOSTILE, "data": data}}
    result: dict[str, object] = {
        "role": "toolResult",
        "toolCallId": HOSTILE,
        "toolName": HOSTILE,
        "content": [image, {"type": "text", "text": data}],
    }
    messages: list[dict[str, object]] = [
        {"role": "user", "content": [{"type": "text", "text": f"{HOSTILE}\tx data:image/png;base64,{data}"}, image]},
        {"role": "assistant", "content": [call]},
        result,
        {"role": "user", "content": [{"type": "text", "text": HOSTILE}, image]},
        {"role": "assistant", "content": [{"type": "text", "text": data}]},
    ]
    entries: list[object] = [{"type": "session", "version": 3, "id": "s", "cwd": "/"}]
    for number, message in enumerate(messages):
        entries.append(
            {"type": "message", "id": f"{number}{HOSTILE}", "parentId": f"{number - 1}{HOSTILE}" if number else None, "message": message}
        )
    target = Path(path)
    target.parent.mkdir(exist_ok=True)
    target.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return target


FORMS = [
    "",
    "-v --tombstones",
    "--compare --recorded",
    "--show input",
    "--show input --compat --marker mime",
    "--show input --strategy qwen-split --fraction 0.1",
    "--summary s.txt --tombstones --show projection",
    "--strategy microcompact --keep-recent 1 --show projection --tombstones --compat",
    "--json --summary s.txt --tombstones --compare --recorded",
    "--json --show input --compat",
    "--plot a.svg",
]


@pytest.mark.parametrize("words", FORMS)
def test_hostile_sessions_are_safe_to_show(cli: Cli, words: str) -> None:
    path = hostile(f"folder/{HOSTILE}.jsonl")
    Path("s.txt").write_text(f"{HOSTILE[:-1]}pictures")
    ran = cli("compact", path, "--keep-recent-tokens", "1300", *shlex.split(words))
    assert ran.code == ExitCode.OK
    assert all(char.isprintable() for char in (ran.out + ran.err).translate({9: None, 10: None}))
    assert base64.b64encode(bytes(range(256)) * 3).decode()[:60] not in ran.out
    if Path("a.svg").exists():
        assert "\x1b" not in Path("a.svg").read_text()


@pytest.mark.parametrize("words", ["", "--compare --recorded", "-v --tombstones --window 5000", "--strategy microcompact --keep-recent 1"])
def test_80_columns(cli: Cli, session: Copy, words: str) -> None:
    hostile(f"folder/{HOSTILE}.jsonl")
    for name in (f"{'long' * 30}/{'name' * 30}.jsonl", f"{'会話' * 30}.jsonl"):
        session(f"folder/{name}")
    for paths in (["-r", "folder"], ["-r", *FOLDERS], [FIXTURES / "pi/compacted/session.jsonl"], [f"folder/{HOSTILE}.jsonl"]):
        ran = cli("compact", *paths, "--keep-recent-tokens", "500", *shlex.split(words))
        assert [line for line in ran.out.splitlines() if cells(line) > 80] == []
        assert all(char.isprintable() for char in (ran.out + ran.err).replace("\n", ""))


@pytest.mark.parametrize("strategy", ["auto", "my-pi", "microcompact"])
def test_output_fits_its_schema(cli: Cli, strategy: str) -> None:
    hostile(f"folder/{HOSTILE}.jsonl")
    words = ("--strategy", strategy, "--keep-recent-tokens", "500", "--keep-recent", "1", "--compare", "--recorded", "--tombstones")
    ran = cli("compact", "-r", *FOLDERS, "folder", "--json", *words, "--window", "5000", "--provider", "gemini")
    validator = Draft202012Validator(closed(schema_of("compact")))
    *sessions, summary = ran.records()
    for record in (*sessions, summary):
        validator.validate(record)
    assert ran.out.isascii()
    assert not names_in(ran.records()) & REFERENCE_NAMES
    assert ran.code == summary["exit_code"] == ExitCode.PARTIAL
    done = [record for record in sessions if record["status"] != "failed"]
    assert (summary["sessions"], summary["failed"]) == (len(sessions), len(sessions) - len(done))
    assert summary["planned"] == len([record for record in done if record["status"] == "planned"])
    assert sum(summary["nothing"].values()) == len(done) - summary["planned"]
    assert summary["gone"] == sum(record["gone"] for record in done)


@pytest.mark.parametrize("words", ["--show input", "--show projection --summary s.txt", "--summary s.txt --provider anthropic"])
@pytest.mark.parametrize("strategy", [strategy.name for strategy in STRATEGIES])
def test_what_is_shown_fits_the_schema(cli: Cli, session: Copy, strategy: str, words: str) -> None:
    Path("s.txt").write_text("pictures")
    validator = Draft202012Validator(closed(schema_of("compact")))
    for path in (session("a.jsonl"), hostile("b.jsonl")):
        ran = cli(
            "compact", path, "--strategy", strategy, "--keep-recent-tokens", "1000", "--keep-recent", "1", "--json", *shlex.split(words)
        )
        for record in ran.records():
            validator.validate(record)
        assert ran.out.isascii()


def test_schema_knows_all_names() -> None:
    schema = schema_of("compact")
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == "sessionkit.compact/1"
    known = schema["$defs"]["session"]["properties"]
    assert known["strategy"]["enum"] == [strategy.name for strategy in STRATEGIES]
    assert known["reason"]["enum"] == [*Reason, None]
    assert known["branch"]["enum"] == [*Branch, None]
    assert known["verdict"]["enum"] == [*Worth, None]
    assert known["marker"]["enum"] == [*Marker, None]
    assert known["options"]["properties"]["trigger"]["enum"] == [*Trigger, None]
    assert known["gate"]["properties"]["name"]["enum"] == [gate.name for gate in GATES]
    assert known["warnings"]["items"]["properties"]["kind"]["enum"] == list(NoteKind)
    assert known["parts"]["items"]["properties"]["part"]["enum"] == list(Part)
    assert known["media"]["items"]["properties"]["fate"]["enum"] == list(Fate)
    assert list(known["kept"]["oneOf"][1]["properties"]) == list(Group)
    assert known["recorded"]["oneOf"][1]["items"]["properties"]["kind"]["enum"] == list(Kind)
