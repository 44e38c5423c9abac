"""`verify` for CI: GitHub annotations and SARIF."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from sessionkit.cli.reports.verify.sarif import rules
from sessionkit.ops.findings import FindingKind
from tests.cli.sarif_schema import SARIF

if TYPE_CHECKING:
    from tests.cli.running import Cli


@pytest.fixture
def broken(spilled: Path) -> Path:
    """A spilled session with an odd name that lacks an asset, and one that cannot be read."""
    target = spilled.rename(spilled.parent / "100%, a:b.jsonl")
    next(target.parent.glob("images/*.png")).unlink()
    (target.parent / "torn.jsonl.gz").write_bytes(b"\x1f\x8b\x08\x00")
    return target.parent


def test_github(cli: Cli, broken: Path) -> None:
    ran = cli("verify", "-r", broken, "--output-format", "github")
    first, *_, last = ran.out.splitlines()
    assert re.fullmatch(
        r"::error file=spilled/100%25%2C a%3Ab\.jsonl,line=\d+,title=sessionkit asset-missing"
        r"::images/[0-9a-f]{64}\.png: no file of this name \(at /message/content/\d\)%0Anext: .*",
        first,
    )
    assert last.startswith("::error file=spilled/torn.jsonl.gz,title=sessionkit failed::the gzip archive is broken")


def test_github_notes_only_when_asked(cli: Cli, broken: Path) -> None:
    (broken / "images/stranger").touch()
    (broken / "torn.jsonl.gz").unlink()
    assert "::notice" not in cli("verify", "-r", broken, "--output-format", "github").out
    assert "::notice file=spilled/images/stranger," in cli("verify", "-r", broken, "--output-format", "github", "-v").out


def test_sarif(cli: Cli, broken: Path) -> None:
    document = json.loads(cli("verify", "-r", broken, "--output-format", "sarif").out)
    Draft202012Validator(SARIF).validate(document)
    run = document["runs"][0]
    known = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert known[result["ruleIndex"]]["id"] == result["ruleId"]
    uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]}
    assert "spilled/100%25%2C%20a%3Ab.jsonl" in uris
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].startswith("the gzip archive is broken")


def test_sarif_of_absolute_paths(cli: Cli, broken: Path) -> None:
    document = json.loads(cli("verify", "-r", broken.absolute(), "--output-format", "sarif").out)
    uri = document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.startswith(f"file://{broken.absolute()}/100%25")


def test_sarif_of_nothing(cli: Cli, spilled: Path) -> None:
    ran = cli("verify", spilled, "--output-format", "sarif")
    run = json.loads(ran.out)["runs"][0]
    assert (ran.code, run["results"], run["invocations"][0]["executionSuccessful"]) == (0, [], True)


CAVEAT = "the hashes were not checked (--fast)"


@pytest.mark.parametrize("is_damaged", [False, True])
def test_what_was_not_checked_is_said(cli: Cli, spilled: Path, is_damaged: bool) -> None:
    if is_damaged:
        next(spilled.parent.glob("images/*.png")).unlink()
    said = {form: cli("verify", spilled, "--fast", "--output-format", form).out for form in ("text", "json", "github", "sarif")}
    assert said["text"].splitlines()[-1].endswith(f"; {CAVEAT}")
    summary = json.loads(said["json"].splitlines()[-1])
    assert (summary["reading"], summary["caveat"]) == ("headers", CAVEAT)
    assert said["github"].splitlines()[-1] == f"::notice title=sessionkit verify::{CAVEAT}"
    invocation = json.loads(said["sarif"])["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is True
    assert invocation["toolExecutionNotifications"] == [{"level": "note", "message": {"text": CAVEAT}}]


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_nothing_is_unchecked_without_fast(cli: Cli, spilled: Path, form: str) -> None:
    assert CAVEAT not in cli("verify", spilled, "--output-format", form).out


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_base64_in_the_place_of_a_path_is_not_repeated(cli: Cli, form: str) -> None:
    data = base64.b64encode(bytes(range(256)) * 8).decode()
    line = {"type": "image", "asset_path": data}
    Path("odd.jsonl").write_text(json.dumps(line) + "\n")
    ran = cli("verify", "odd.jsonl", "--output-format", form)
    assert ran.code == 1
    assert data[:64] not in ran.out
    assert "characters of base64" in ran.out


def test_every_kind_has_a_rule() -> None:
    assert [rule["id"] for rule in rules()] == list(FindingKind)
