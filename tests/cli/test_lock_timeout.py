"""An asset folder that others hold: how long a command waits, and what it says then."""

from __future__ import annotations

import os
import re
import shutil
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.stores import LockKind
from sessionkit.errors import ExitCode
from tests.cli.running import FIXTURES
from tests.holding import Holding, holding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.running import Cli, Copy

IMAGES = Path("out/images")


@pytest.fixture
def holder() -> Iterator[Holding]:
    """A process that frees assets of the folder."""
    IMAGES.mkdir(parents=True)
    with holding(IMAGES, LockKind.EXCLUSIVE) as process:
        yield process


def test_the_error_names_the_holder_and_the_next_step(cli: Cli, session: Copy, holder: Holding) -> None:
    ran = cli("migrate", session("a.jsonl"), "--out", "out", "--lock-timeout", "0")
    assert ran.code == ExitCode.FAILED
    first, second, third = ran.err.splitlines()
    who = rf"process {holder.process.pid} on {os.uname().nodename} \(-c\) since \S+Z"
    assert re.fullmatch(rf"error: out/images: the asset store is locked: held by {who}; waited 0 s", first)
    assert second == "  while working on a.jsonl"
    assert third == "  next: run again when that has ended, or wait longer with --lock-timeout SECONDS"
    assert [path.name for path in Path("out").rglob("*")] == ["images", ".lock"]


def test_it_waits(cli: Cli, session: Copy, holder: Holding) -> None:
    timer = threading.Timer(0.3, holder.end)
    timer.start()
    assert cli("migrate", session("a.jsonl"), "--out", "out", "--lock-timeout", "30").code == ExitCode.OK
    timer.join()
    assert cli("verify", "out/a.jsonl").code == ExitCode.OK
    assert [path.name for path in IMAGES.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    "words",
    ["migrate {inline} --out out", "migrate {inline} {other} --out out -j 2", "restore {native} --out out", "repair {broken} --out out"],
)
@pytest.mark.usefixtures("holder")
def test_every_command_that_puts_assets(cli: Cli, session: Copy, words: str) -> None:
    sessions = {
        "inline": session("a.jsonl"),
        "other": session("b.jsonl", "codex/session"),
        "native": session("native/n.jsonl", "native/spilled"),
        "broken": shutil.copyfile(FIXTURES / "faults" / "pi" / "undecodable-image-truncated" / "bad.jsonl", "c.jsonl"),
    }
    shutil.copytree(FIXTURES / "native" / "spilled" / "images", "native/images")
    ran = cli(*words.format(**sessions).split(), "--lock-timeout", "0")
    assert ran.code == ExitCode.FAILED
    assert "the asset store is locked" in ran.err


@pytest.mark.usefixtures("holder")
def test_it_is_a_setting_like_any_other(cli: Cli, session: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    path = session("a.jsonl")
    Path("pyproject.toml").write_text("[tool.sessionkit]\nlock-timeout = 0\n")
    assert "waited 0 s" in cli("migrate", path, "--out", "out").err
    monkeypatch.setenv("SESSIONKIT_LOCK_TIMEOUT", "1")
    assert "waited 1 s" in cli("migrate", path, "--out", "out").err


@pytest.mark.parametrize("seconds", ["-1", "soon", "0.5"])
def test_it_takes_whole_seconds(cli: Cli, session: Copy, seconds: str) -> None:
    assert cli("migrate", session("a.jsonl"), "--out", "out", "--lock-timeout", seconds).code == ExitCode.USAGE


@pytest.mark.usefixtures("holder")
def test_a_dry_run_does_not_mind(cli: Cli, session: Copy) -> None:
    assert cli("migrate", session("a.jsonl"), "--out", "out", "--dry-run", "--lock-timeout", "0").code == ExitCode.OK
