"""`check`: what it says to programs."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from sessionkit.cli.printable import cells
from sessionkit.cli.reports.check.sarif import rules
from sessionkit.errors import ExitCode
from sessionkit.faults import FAULTS
from sessionkit.faults.base import Severity
from tests.cli.checking import write_files
from tests.cli.sarif_schema import SARIF
from tests.cli.test_json import closed, names_in, schema_of
from tests.faults.recipe import recipes
from tests.faults.workshop import FIXTURES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.running import Cli


@pytest.fixture
def files() -> None:
    write_files()


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of odd sessions, of one for each fault, and of what is none."""
    folder = tmp_path_factory.mktemp("everything")
    for fixture in FIXTURES.glob("[hs]*/*/input.jsonl"):
        shutil.copyfile(fixture, folder / f"{fixture.parent.name}.jsonl")
    for fault, recipe in {recipe.fault: recipe for recipe in recipes()}.items():
        (folder / f"{fault}.jsonl").write_bytes(recipe.make().content)
    (folder / "no.jsonl").write_text("hello\n")
    (folder / "no.jsonl.gz").touch()
    (folder / "array.jsonl").write_text('[{"role": "user", "parts": []}]')
    return folder


def test_80_columns(cli: Cli, everything: Path) -> None:
    ran = cli("check", "-r", everything, "-v")
    assert [line for line in ran.out.splitlines() if cells(line) > 80] == []


def test_json_fits_its_schema(cli: Cli, everything: Path) -> None:
    schema = schema_of("check")
    Draft202012Validator.check_schema(schema)
    assert (schema["$id"], schema["$defs"]["severity"]["enum"]) == ("sessionkit.check/1", list(Severity))
    validator = Draft202012Validator(closed(schema))
    ran = cli("check", "-r", everything, "--json", "--fail-on", "bricks")
    records = ran.records()
    for record in records:
        validator.validate(record)
    assert not names_in(records) & {"asset_path", "asset_prefix", "asset_field"}
    *sessions, summary = records
    assert (ran.code, summary["exit_code"]) == (ExitCode.PARTIAL, ExitCode.PARTIAL)
    checked = [record for record in sessions if record["status"] != "failed"]
    assert (summary["sessions"], summary["failed"], summary["left_out"]) == (len(sessions), len(sessions) - len(checked), 1)
    assert summary["bricked"] == sum(record["worst"] == "bricks" for record in checked) == summary["refused"]
    assert summary["degraded"] == sum(record["worst"] == "degrades" for record in checked)
    assert summary["partial"] == sum(bool(record["unseen"]) for record in checked) > 0
    told = sum(len(record["findings"]) + len(record["notes"]) for record in checked)
    assert sum(row["number"] for row in summary["counts"]) == told


@pytest.mark.usefixtures("files")
def test_a_record_in_json(cli: Cli) -> None:
    record, summary = cli("check", "degraded.jsonl", "--json", "--select", "wrong-media-type").records()
    assert record["findings"] == [
        {
            "path": "degraded.jsonl",
            "fault": "wrong-media-type",
            "severity": "degrades",
            "live": True,
            "line": 3,
            "pointer": "/message/content/3/source/data",
            "cause": "it is labelled image/png, and its bytes are image/jpeg",
            "cure": "another label",
            "obstacle": None,
            "option": None,
            "lossless": True,
            "image": {
                "declared": "image/png",
                "detected": "image/jpeg",
                "bytes": 2732,
                "base64_length": 3644,
                "sha256": "d5743985a8999f5a24df4204c45fe9ab580bcd7eccb24fa9faf18ce98b4417e2",
                "width": 160,
                "height": 120,
            },
            "twins": [],
            "wire_path": "messages.0.content.4",
            "bytes_won": 0,
        }
    ]
    assert (record["status"], record["worst"], record["refused"], record["profile"]) == ("findings", "degrades", True, "claude-code")
    assert (summary["degraded"], summary["curable"], summary["exit_code"]) == (1, 1, 1)


@pytest.mark.usefixtures("files")
def test_github(cli: Cli) -> None:
    ran = cli("check", "bricked.jsonl", "degraded.jsonl", "no.jsonl", "--output-format", "github")
    bricked, degraded, failed = ran.out.splitlines()
    assert bricked == (
        "::error file=bricked.jsonl,line=11,title=sessionkit empty-text::a text block in the result of a tool is empty"
        " (at /message/content/2)%0Ain the next request: messages.6.content.0.content.2%0Acure: taken out"
    )
    assert degraded == (
        "::warning file=degraded.jsonl,line=3,title=sessionkit wrong-media-type::it is labelled image/png, and its bytes are image/jpeg"
        " (at /message/content/3/source/data)%0Aimage/jpeg 160x120, 2,732 bytes (3,644 characters of base64); labelled image/png"
        "%0Ain the next request: messages.0.content.4%0Acure: another label"
    )
    assert failed == (
        "::error file=no.jsonl,title=sessionkit failed::no record could be read: its lines are no JSON objects, one a line"
        "%0Anext: name a session file; `jq -c .` writes a document on one line"
    )


@pytest.mark.usefixtures("files")
def test_github_notes_only_when_asked(cli: Cli) -> None:
    words = ("check", "notes.jsonl", "--output-format", "github")
    assert cli(*words).out == ""
    assert cli(*words, "-v").out.count("::notice ") == 15
    assert cli(*words, "--fail-on", "dead-images").out.count("::notice ") == 7


@pytest.mark.usefixtures("files")
def test_sarif(cli: Cli) -> None:
    document = json.loads(cli("check", "-r", ".", "--output-format", "sarif").out)
    Draft202012Validator(SARIF).validate(document)
    (run,) = document["runs"]
    known = run["tool"]["driver"]["rules"]
    assert {result["ruleId"] for result in run["results"]} == {known[result["ruleIndex"]]["id"] for result in run["results"]}
    assert {result["level"] for result in run["results"]} == {"error", "warning", "note"}
    assert any(result["relatedLocations"] for result in run["results"])
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, ExitCode.PARTIAL)
    (failure,) = invocation["toolExecutionNotifications"]
    assert (failure["level"], failure["message"]["text"].partition(":")[0]) == ("error", "no record could be read")


def test_every_fault_has_a_rule() -> None:
    assert [rule["id"] for rule in rules()] == [fault.id for fault in FAULTS]
