"""`gc`: what it says in each form, and what it exits with."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from sessionkit.cli.ages import age, parse_age
from sessionkit.cli.printable import cells
from sessionkit.core.stores import LockKind
from sessionkit.errors import ExitCode
from tests.cli.test_json import REFERENCE_NAMES, closed, names_in, schema_of
from tests.cli.test_text import HOSTILE
from tests.holding import holding
from tests.ops.runs import die_writing, stamps

if TYPE_CHECKING:
    from tests.cli.running import Cli

NUMBER = 6
"""Assets of the fixture."""


@pytest.fixture
def orphans(spilled: Path) -> list[Path]:
    """Assets that the session does not name any more: all but the first two."""
    lines = spilled.read_bytes().splitlines(keepends=True)
    spilled.write_bytes(b"".join(lines[:7]))
    named = spilled.read_text()
    found = sorted(path for path in spilled.parent.glob("images/*") if path.stem not in named)
    assert len(found) == NUMBER - 2
    return found


def old(*paths: Path) -> None:
    for path in paths:
        os.utime(path, (1, 1))


@pytest.mark.usefixtures("orphans")
def test_a_dry_run_is_the_default(cli: Cli, spilled: Path) -> None:
    before = stamps(spilled.parent)
    for words in ([], ["--grace", "0"], ["--grace", "0", "--apply", "--dry-run"], ["--purge-trash", "--older-than", "0"]):
        ran = cli("gc", "spilled", *words)
        assert (ran.code, ran.err) == (ExitCode.OK, "")
        assert ran.out.splitlines()[-1].startswith("dry run: nothing was written")
    assert stamps(spilled.parent) == before


def test_there_and_back_and_gone(cli: Cli, spilled: Path, orphans: list[Path]) -> None:
    before = {path: path.read_bytes() for path in orphans}
    assert cli("gc", "spilled", "--grace", "0", "--apply").code == ExitCode.OK
    assert not any(path.exists() for path in orphans)
    assert cli("verify", spilled).code == ExitCode.OK
    assert cli("gc", "spilled", "--undo").code == ExitCode.OK
    assert {path: path.read_bytes() for path in orphans} == before
    cli("gc", "spilled", "--grace", "0", "--apply")
    assert cli("gc", "spilled", "--purge-trash", "--apply").out == "0 trashes deleted for good, 0 B\n"
    assert (
        cli("gc", "spilled", "--purge-trash", "--older-than", "0", "--apply").out.splitlines()[-1].startswith("1 trash deleted for good, ")
    )
    assert cli("gc", "spilled", "--undo").code == ExitCode.FAILED
    assert sorted(path.name for path in Path("spilled").iterdir()) == ["a.jsonl", "images"]


def test_the_grace_is_two_weeks(cli: Cli, orphans: list[Path]) -> None:
    old(orphans[0])
    ran = cli("gc", "spilled", "--apply")
    assert [path.exists() for path in orphans] == [False, True, True, True]
    assert "3 kept for their age of less than 14d" in ran.out


def test_what_is_used_meanwhile_is_kept_without_any_grace(cli: Cli, orphans: list[Path]) -> None:
    os.utime(orphans[0], (1 << 33, 1 << 33))
    ran = cli("gc", "spilled", "--grace", "0")
    assert "1 kept for being used just now, 3 orphans to free" in " ".join(ran.out.split())


@pytest.mark.parametrize("words", ["--root part", "--root part/rest.txt", "part"])
def test_it_is_shown_a_part_and_keeps_what_the_rest_names(cli: Cli, orphans: list[Path], words: str) -> None:
    Path("part").mkdir()
    name = "rest.txt" if "--root" in words else "rest.jsonl"
    Path("part", name).write_text("\n".join(path.stem for path in orphans[1:]))
    assert cli("gc", "spilled", "--grace", "0", "--apply", *words.split()).code == ExitCode.OK
    assert [path.exists() for path in orphans] == [False, True, True, True]


def test_what_cannot_be_read_frees_nothing(cli: Cli, orphans: list[Path]) -> None:
    Path("spilled/torn.jsonl.gz").write_bytes(b"\x1f\x8b\x08\x00")
    ran = cli("gc", "spilled", "--grace", "0", "--apply")
    assert ran.code == ExitCode.FAILED
    assert ran.err.startswith("error: spilled/torn.jsonl.gz: ")
    assert "nothing is freed" in ran.err
    assert all(path.exists() for path in orphans)


CODES = [
    ("gc spilled", ExitCode.OK),
    ("gc spilled spilled --grace 12h", ExitCode.OK),
    ("gc empty --root spilled --store spilled/images", ExitCode.OK),
    ("gc", ExitCode.USAGE),
    ("gc ''", ExitCode.USAGE),
    ("gc spilled/a.jsonl", ExitCode.USAGE),
    ("gc spilled --grace 14", ExitCode.USAGE),
    ("gc spilled --grace -1d", ExitCode.USAGE),
    ("gc spilled --root ''", ExitCode.USAGE),
    ("gc spilled --trash 20260901T100000Z", ExitCode.USAGE),
    ("gc spilled --older-than 3d --apply", ExitCode.USAGE),
    ("gc spilled --undo --grace 0", ExitCode.USAGE),
    ("gc spilled --undo --root spilled", ExitCode.USAGE),
    ("gc spilled --purge-trash --root spilled", ExitCode.USAGE),
    ("gc spilled --undo --purge-trash", ExitCode.USAGE),
    ("gc empty", ExitCode.FAILED),
    ("gc nowhere", ExitCode.FAILED),
    ("gc spilled --root nowhere", ExitCode.FAILED),
    ("gc spilled --store nowhere", ExitCode.FAILED),
    ("gc spilled --undo", ExitCode.FAILED),
    ("gc spilled --undo --trash 20260901T100000Z", ExitCode.FAILED),
]


@pytest.mark.usefixtures("spilled")
@pytest.mark.parametrize(("line", "code"), CODES)
def test_exit_codes(cli: Cli, line: str, code: ExitCode) -> None:
    Path("empty").mkdir()
    ran = cli(*shlex.split(line))
    assert ran.code == code
    assert (ran.err == "") is (code == ExitCode.OK)


@pytest.mark.parametrize(("others", "code"), [([], ExitCode.FAILED), (["other"], ExitCode.PARTIAL)])
def test_locked(cli: Cli, orphans: list[Path], others: list[str], code: ExitCode) -> None:
    for other in others:
        Path(other, "images").mkdir(parents=True)
        Path(other, "b.jsonl").touch()
    with holding(Path("spilled/images"), LockKind.SHARED) as writer:
        ran = cli("gc", "spilled", *others, "--grace", "0", "--apply", "--lock-timeout", "0")
    assert ran.code == code
    assert writer.named.search(ran.err)
    assert ("1 store: " in ran.out, "0 stores" in ran.out) == (bool(others), False)
    assert all(path.exists() for path in orphans)


@pytest.mark.usefixtures("orphans")
def test_what_is_left_alone_is_told(cli: Cli) -> None:
    Path("spilled/images/mine.txt").touch()
    Path("spilled/lonely/images").mkdir(parents=True)
    Path("spilled/lonely/images", f"{'0' * 64}.png").touch()
    Path("spilled/linked").mkdir()
    Path("spilled/linked/b.jsonl").touch()
    Path("spilled/linked/images").symlink_to("../images")
    ran = cli("gc", "spilled")
    for path in ("spilled/images/mine.txt", "spilled/lonely/images", "spilled/linked/images"):
        assert f"      {path}\n" in ran.out
    summary = cli("gc", "spilled", "--json").records()[-1]
    assert (summary["lonely"], summary["linked"]) == (["spilled/lonely/images"], ["spilled/linked/images"])


def test_verbose_lists_each(cli: Cli, orphans: list[Path]) -> None:
    old(*orphans[:2])
    shown = cli("gc", "spilled", "-v").out
    assert [path.name in shown for path in orphans] == [True] * 4
    *records, _, _ = cli("gc", "spilled", "-v", "--json").records()
    assert [(record["asset"], record["state"], record["bytes"]) for record in records] == [
        (f"images/{path.name}", "orphan" if number < 2 else "young", path.stat().st_size) for number, path in enumerate(orphans)
    ]


def test_quiet(cli: Cli, orphans: list[Path]) -> None:
    for words in (["--grace", "0", "--apply"], ["--undo"], ["--purge-trash", "--apply"]):
        ran = cli("gc", "spilled", "-q", *words)
        assert (ran.code, ran.out, ran.err) == (ExitCode.OK, "", "")
    assert all(path.exists() for path in orphans)


RUNS = ["-v", "--grace 0 -v", "--grace 0 --apply -v", "--undo -n", "--undo", "--grace 0 --apply", "--purge-trash --older-than 0 --apply"]


@pytest.mark.usefixtures("orphans")
def test_output_fits_its_schema(cli: Cli) -> None:
    Path("spilled/images", HOSTILE.replace("/", "")).touch()
    die_writing(Path("spilled"), Path("spilled/images"))
    validator = Draft202012Validator(closed(schema_of("gc")))
    kinds = []
    for words in RUNS:
        ran = cli("gc", "spilled", "--json", *words.split())
        records = ran.records()
        for record in records:
            validator.validate(record)
        kinds.append((records[-2]["type"], records[-2]["status"]))
        assert not names_in(records) & REFERENCE_NAMES
        assert ran.out.isascii()
        assert records[-1]["exit_code"] == ran.code == ExitCode.OK
    planned, collected = ("store", "planned"), ("store", "collected")
    assert kinds == [planned, planned, collected, ("trash", "planned"), ("trash", "put-back"), collected, ("trash", "purged")]


def test_a_failure_fits_its_schema(cli: Cli, orphans: list[Path]) -> None:
    with holding(orphans[0].parent, LockKind.SHARED):
        failed, summary = cli("gc", "spilled", "--json", "--grace", "0", "--apply", "--lock-timeout", "0").records()
    validator = Draft202012Validator(closed(schema_of("gc")))
    for record in (failed, summary):
        validator.validate(record)
    assert (failed["status"], failed["error"]["kind"], summary["stores"], summary["failed"]) == ("failed", "LockedError", 1, 1)


def test_figures(cli: Cli, spilled: Path, orphans: list[Path]) -> None:
    sizes = [path.stat().st_size for path in orphans]
    old(orphans[0])
    die_writing(Path("spilled"), Path("spilled/images"))
    store, summary = cli("gc", "spilled", "--json", "--apply").records()
    expected = {"assets": 6, "named": 2, "young": 3, "young_bytes": sum(sizes[1:]), "orphans": 1, "orphan_bytes": sizes[0], "moved": 1}
    assert {key: store[key] for key in expected} == {key: summary[key] for key in expected} == expected
    assert (store["leftovers"], summary["leftovers"]) == (1, 2)
    assert (summary["roots"], summary["root_bytes"], summary["grace_seconds"]) == (1, spilled.stat().st_size, 14 * 86_400)
    manifest = json.loads(Path("spilled/images/.trash", store["trash"], "manifest.json").read_text())
    assert [asset["asset"] for asset in manifest["assets"]] == [f"images/{orphans[0].name}"]


@pytest.mark.parametrize("words", RUNS)
def test_80_columns(cli: Cli, words: str) -> None:
    folder = Path("long" * 30, "会話" * 30, HOSTILE)
    (folder / "images").mkdir(parents=True)
    (folder / "images" / f"{'0' * 64}.heic").write_bytes(bytes(999_000))
    (folder / "images" / HOSTILE).touch()
    (folder / "a.jsonl").touch()
    if "undo" in words or "purge" in words:
        cli("gc", folder, "--grace", "0", "--apply")
    ran = cli("gc", folder, *words.split())
    assert ran.code == ExitCode.OK
    assert [line for line in ran.out.splitlines() if cells(line) > 80] == []
    assert all(char.isprintable() for char in ran.out.replace("\n", ""))


@pytest.mark.parametrize(
    ("text", "seconds", "shown"),
    [
        ("14d", 1_209_600, "14d"),
        ("12h", 43_200, "12h"),
        ("24 H", 86_400, "1d"),
        ("90m", 5400, "90m"),
        ("5s", 5, "5s"),
        ("2w", 1_209_600, "14d"),
    ],
)
def test_ages(text: str, seconds: int, shown: str) -> None:
    assert parse_age(text) == seconds
    assert age(seconds) == shown


def test_no_age() -> None:
    assert (parse_age("0"), age(0)) == (0, "0")


@pytest.mark.parametrize("text", ["", "14", "-1d", "1.5d", "d", "1y", "99999999d"])
def test_not_an_age(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no span of time|is too long"):
        parse_age(text)


def test_schema_is_one() -> None:
    Draft202012Validator.check_schema(schema_of("gc"))
    assert schema_of("gc")["$id"] == "sessionkit.gc/1"
