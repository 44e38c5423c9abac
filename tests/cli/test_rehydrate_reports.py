"""Reports of `rehydrate`: JSON against its schema, and where two requests part."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from sessionkit.errors import ExitCode, RefusedError, UnreadableError, UsageError
from sessionkit.providers.limits import Rule
from sessionkit.providers.prefix import Outcome
from sessionkit.providers.units import Wire
from tests.cli.running import FIXTURES
from tests.cli.sending import ANTHROPIC, BMP, PNG, WIDE, body_of, image, pi
from tests.cli.test_json import REFERENCE_NAMES, closed, names_in, schema_of

if TYPE_CHECKING:
    from sessionkit.errors import SessionkitError
    from tests.cli.running import Cli, Copy, Ran


def validated(ran: Ran) -> list[dict[str, Any]]:
    """Records that fit the schema."""
    validator = Draft202012Validator(closed(schema_of("rehydrate")))
    records = ran.records()
    for record in records:
        validator.validate(record)
    assert not names_in(records) & REFERENCE_NAMES
    assert ran.out.isascii()
    return records


def test_json(cli: Cli) -> None:
    path = pi("a.jsonl", image(WIDE), image(BMP, "image/bmp"), image(PNG, "image/jpeg"), image(PNG + bytes(4_000_000)))
    ran = cli("rehydrate", path, *ANTHROPIC, "--json")
    records = validated(ran)
    assert [record["type"] for record in records] == ["note", "breach", "breach", "doubt", "summary"]
    assert [record["rule"] for record in records[1:4]] == ["side", "type", "base64"]
    assert (records[1]["path"], records[1]["measured"], records[1]["allowed"]) == ("messages.0.content.1", 9001, 8000)
    summary = records[-1]
    assert (summary["exit_code"], summary["written"], summary["output"]) == (ran.code, False, None) == (1, False, None)
    assert summary["bytes"] == len(body_of(path))
    assert [summary[name] for name in ("notes", "faults", "breaches", "doubts", "media")] == [1, 0, 2, 1, 4]


def test_json_beside_a_file(cli: Cli, session: Copy) -> None:
    [summary] = validated(cli("rehydrate", session("a.jsonl"), *ANTHROPIC, "--json", "-o", "body.json"))
    assert (summary["output"], summary["written"], summary["model"]) == ("body.json", True, "mock")
    assert summary["bytes"] == Path("body.json").stat().st_size


def test_json_of_faults(cli: Cli) -> None:
    cli("migrate", pi("in/a.jsonl", image(PNG)), "-o", "out/a.jsonl", "--no-fsync")
    shutil.rmtree("out/images")
    ran = cli("rehydrate", "out/a.jsonl", *ANTHROPIC, "--json")
    fault, summary = validated(ran)
    assert (fault["type"], fault["line"], fault["pointer"]) == ("fault", 2, "/message/content/1")
    assert (summary["faults"], summary["bytes"], summary["exit_code"], ran.code) == (1, None, 3, 3)


def test_json_of_what_was_passed_over(cli: Cli) -> None:
    path = pi("a.jsonl")
    with path.open("a") as file:
        file.write('{"torn": \n')
    skipped, summary = validated(cli("rehydrate", path, *ANTHROPIC, "--json"))
    assert (skipped["type"], skipped["cause"], skipped["line"]) == ("skipped", "not JSON: the line ends in the middle of a value", 4)
    assert (summary["skipped"], summary["notes"]) == (1, 0)


@pytest.mark.parametrize(
    ("words", "kind", "before"),
    [
        (("missing.jsonl",), UnreadableError, []),
        (("strange.jsonl",), RefusedError, []),
        (("a.jsonl", "--leaf", "nobody"), UsageError, []),
        (("a.jsonl", "-o", "taken.json"), RefusedError, ["note"]),
        (("a.jsonl", "-o", "a.jsonl"), UsageError, []),
        (("a.jsonl", "--tools-file", "missing.json"), UnreadableError, []),
        (("a.jsonl", "--request-fields", "half.json"), UsageError, []),
        (("--diff", "a.jsonl", "missing.jsonl"), UnreadableError, []),
    ],
)
def test_json_of_failures(cli: Cli, words: tuple[str, ...], kind: type[SessionkitError], before: list[str]) -> None:
    pi("a.jsonl", image(PNG, "image/jpeg"))
    for name in ("strange.jsonl", "taken.json"):
        Path(name).write_text('{"what": "ever"}\n')
    Path("half.json").write_text('{"\\ud800": {"\\ud800": 1}}')
    ran = cli("rehydrate", *words, *ANTHROPIC, "--json")
    *others, failed, summary = validated(ran)
    assert [record["type"] for record in others] == before
    assert (failed["type"], failed["status"], failed["error"]["kind"]) == ("session", "failed", kind.__name__)
    assert (summary["type"], summary["failed"], summary["written"]) == ("summary", 1, False)
    assert ran.code == kind.exit_code == failed["error"]["exit_code"] == summary["exit_code"]
    assert ran.err.startswith("error: ")


def test_the_schema_knows_all_words() -> None:
    definitions = schema_of("rehydrate")["$defs"]
    assert definitions["breach"]["properties"]["rule"]["enum"] == list(Rule)
    assert definitions["difference"]["properties"]["outcome"]["enum"] == list(Outcome)
    assert definitions["difference"]["properties"]["interface"]["enum"] == list(Wire)


WIRES = FIXTURES / "wires"


def test_diff(cli: Cli) -> None:
    for name, wire in (("earlier", "gemini-cli-session-gemini"), ("later", "gemini-cli-resumed-gemini")):
        shutil.copyfile(WIRES / f"{wire}.json", f"{name}.json")
    ran = cli("rehydrate", "--diff", "earlier.json", "later.json")
    assert (ran.code, ran.err) == (ExitCode.OK, "")
    assert re.match(r"the requests part behind \d+ units\nearlier: earlier\.json\nlater: later\.json\nearlier there:", ran.out)
    assert "contents[1].parts[0].thoughtSignature" in ran.out
    assert re.search(r"^billed again: about [\d,]+ tokens", ran.out, re.MULTILINE)
    assert re.search(r"^uploaded all the same: \d+ kB$", ran.out, re.MULTILINE)
    assert [line for line in ran.out.splitlines() if len(line) > 80] == []
    [record] = validated(cli("rehydrate", "--diff", "earlier.json", "later.json", "--json"))
    assert (record["outcome"], record["earlier"]["path"]) == ("broken", "contents[1].parts[0].thoughtSignature")
    assert record["cost_ratio"] > 1


def test_diff_of_a_session_and_what_was_sent(cli: Cli, session: Copy) -> None:
    path = session("a.jsonl")
    words = ("--provider", "openai-chat", "--leaf", "ca76dbc8")
    ran = cli("rehydrate", "--diff", WIRES / "pi-openai-chat.json", path, *words)
    assert ran.out.startswith("both requests are alike: ")
    assert "billed again" not in ran.out
