"""`--json` against its published schemas."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from sessionkit.errors import ExitCode
from sessionkit.ops.findings import FindingKind
from sessionkit.ops.scan import ByteKind, ScanKind
from tests.cli.running import FIXTURES, FOLDERS

if TYPE_CHECKING:
    from tests.cli.running import Cli, Copy

COMMANDS = ("migrate", "restore", "verify", "scan")
REFERENCE_NAMES = {"asset_path", "asset_prefix", "asset_field"}


def schema_of(command: str) -> dict[str, Any]:
    schema = json.loads((files("sessionkit.cli") / "schemas" / f"{command}.json").read_text("utf-8"))
    assert isinstance(schema, dict)
    return schema


def closed(schema: Any) -> Any:  # noqa: ANN401  any part of a schema
    """The same schema, refusing members that it does not describe: users may meet more, but nothing undocumented today."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: closed(part) for key, part in schema.items()}
    return parts | ({"additionalProperties": False} if "properties" in schema and schema.get("type") == "object" else {})


def names_in(value: object) -> set[str]:
    match value:
        case dict():
            return set(value).union(*map(names_in, value.values()))
        case list():
            return set[str]().union(*map(names_in, value))
        case _:
            return set()


@pytest.fixture
def many(cli: Cli, session: Copy) -> Path:
    """A folder of all kinds of sessions, some of them spilled; assets are missing, corrupt and too many."""
    session("many/spilled/inline.jsonl")
    cli("migrate", "many/spilled/inline.jsonl", "-o", "many/spilled/a.jsonl")
    first, second, *_ = sorted(Path("many/spilled/images").iterdir())
    first.unlink()
    second.write_bytes(b"x")
    (second.parent / f"{'0' * 64}.png").write_bytes(b"orphan")
    (second.parent / "stranger").touch()
    Path("many/bad\udcff\x1b.jsonl").write_bytes(b'{"a": \n{"image": "\xff' + b"A" * 2000 + b'"}\n')
    Path("many/torn.jsonl.gz").write_bytes(b"\x1f\x8b\x08\x00")
    Path("many/spilled/a.jsonl.gz").touch()
    Path("many/spilled/a.jsonl.zst").touch()
    for fixture in (path for folder in FOLDERS for path in folder.rglob("*.jsonl")):
        target = Path("many", *fixture.relative_to(FIXTURES).parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(fixture.read_bytes())
    return Path("many")


@pytest.mark.parametrize(
    "words", [("migrate", "--out", "out", "--normalize"), ("restore", "--out", "out"), ("verify",), ("scan", "--fail-on", "inline")]
)
def test_output_fits_its_schema(cli: Cli, many: Path, words: tuple[str, ...]) -> None:
    ran = cli(*words, "-r", many, "--json", "-j", "2")
    validator = Draft202012Validator(closed(schema_of(words[0])))
    records = ran.records()
    for record in records:
        validator.validate(record)
    assert not names_in(records) & REFERENCE_NAMES
    assert ran.code == ExitCode.PARTIAL
    assert ran.out.isascii()

    *others, summary = records
    sessions = [record for record in others if record["type"] == "session"]
    assert (summary["type"], summary["sessions"], summary["exit_code"]) == ("summary", len(sessions), ran.code)
    failed = {record["session"] for record in sessions if record["status"] == "failed"}
    assert "many/torn.jsonl.gz" in failed
    assert len(failed) == summary["failed"]
    left_out = [path for record in sessions for path in record["left_out"]]
    assert left_out == ["many/spilled/a.jsonl.gz", "many/spilled/a.jsonl.zst"]
    assert summary["left_out"] == 2
    assert r"many/bad\xff" + "\x1b.jsonl" in {record["session"] for record in sessions}


@pytest.mark.parametrize("words", [("migrate", "--out", "out"), ("restore", "--out", "out")])
def test_statuses(cli: Cli, session: Copy, words: tuple[str, ...]) -> None:
    source = session("a.jsonl")
    statuses = [cli(*words, source, "--json", *more).records()[0]["status"] for more in (["--dry-run"], [], [])]
    assert statuses == ["planned", "written", "unchanged"]


@pytest.mark.parametrize("words", [("migrate", "-r", "in", "--out", "out"), ("restore", "-r", "spilled", "--out", "out")])
def test_a_batch_that_goes_on(cli: Cli, session: Copy, words: tuple[str, ...]) -> None:
    session("in/a.jsonl")
    cli("migrate", "-r", "in", "--out", "spilled")
    missing = Path(words[2], "b.jsonl.gz")
    missing.write_bytes(b"")
    assert [cli(*words, "--resume", "journal", "--json").code for _ in range(2)] == [ExitCode.PARTIAL] * 2
    missing.unlink()
    record, summary = cli(*words, "--resume", "journal", "--json").records()
    for each in (record, summary):
        Draft202012Validator(closed(schema_of(words[0]))).validate(each)
    assert (record["status"], summary["resumed"], summary["unchanged"], Path("journal").exists()) == ("resumed", 1, 0, False)


def test_counts_stand_in_one_order(cli: Cli, session: Copy) -> None:
    """What a session has comes from a set, whose order is another one in each process."""
    Path("b.jsonl").write_bytes(b'{}{}\n{"torn')
    *_, summary = cli("scan", session("a.jsonl"), "b.jsonl", "--json").records()
    assert summary["has"].keys() == {"bad-lines", "duplicates", "glued-lines", "inline", "unknown-format"}
    for counts in (summary["has"], summary["kinds"], summary["formats"]):
        assert list(counts) == sorted(counts)


def test_figures_of_migrate(cli: Cli, session: Copy) -> None:
    record, summary = cli("migrate", session("a.jsonl"), "--out", "out", "--json").records()
    expected = {"media": 9, "unique": 6, "bytes_before": Path("a.jsonl").stat().st_size, "bytes_after": Path("out/a.jsonl").stat().st_size}
    assert {key: record[key] for key in expected} == expected
    assert {key: summary[key] for key in expected} == expected
    assert record["stored_bytes"] == sum(path.stat().st_size for path in Path("out/images").iterdir())


def test_totals_are_of_the_whole_run(cli: Cli, session: Copy) -> None:
    """Two copies of a session hold each picture twice as often, and no other ones."""
    for folder in ("in", "in/below"):
        session(f"{folder}/a.jsonl")
        session(f"{folder}/b.jsonl")
    one = cli("scan", "in/a.jsonl", "--json").records()[-1]
    four = cli("scan", "-r", "in", "--json").records()[-1]
    first = one["kinds"]["images"] - one["repeated_bytes"]
    assert four["unique"] == one["unique"] == 6
    assert four["repeated_bytes"] == 4 * one["kinds"]["images"] - first
    assert four["duplication"] == 4 * one["duplication"] == 6.0

    cli("migrate", "-r", "in", "--out", "out")
    *_, summary = cli("verify", "-r", "out", "--json").records()
    sizes = [path.stat().st_size for path in Path("out").rglob("images/*")]
    assert (summary["references"], summary["assets"], summary["checked_bytes"]) == (36, len(sizes), sum(sizes))


@pytest.mark.parametrize("command", COMMANDS)
def test_schema_is_one(command: str) -> None:
    schema = schema_of(command)
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"sessionkit.{command}/1"


def test_schemas_know_all_kinds() -> None:
    assert schema_of("verify")["$defs"]["kind"]["enum"] == list(FindingKind)
    assert schema_of("scan")["$defs"]["scan_kind"]["enum"] == list(ScanKind)
    assert schema_of("scan")["$defs"]["kinds"]["propertyNames"]["enum"] == list(ByteKind)
