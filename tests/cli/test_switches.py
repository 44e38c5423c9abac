"""Every switch can be switched off again: a flag takes back what the environment or a file says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.core import TyperOption

from sessionkit.cli.app import build
from sessionkit.cli.commands import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.running import Cli, Copy

SWITCHES = [
    (name, opt.removeprefix("--"))
    for name, command in build().commands.items()
    for option in command.params
    if isinstance(option, TyperOption) and option.is_bool_flag
    for opt in option.secondary_opts
]


@pytest.mark.parametrize(("command", "negative"), SWITCHES, ids=str)
def test_negative_is_known_and_not_in_the_way(cli: Cli, command: str, negative: str) -> None:
    ran = cli(command, f"--{negative}", "--help")
    assert ran.code == 0
    is_listed = re.search(rf"^  (?:\S+ )*--{negative}\b", ran.out, re.MULTILINE)
    assert bool(is_listed) is (not negative.startswith("no-"))


def test_all_switches_have_one() -> None:
    assert {command for command, _ in SWITCHES} == set(COMMANDS) - {"explain"}
    for command in build().commands.values():
        assert all(option.secondary_opts for option in command.params if isinstance(option, TyperOption) and option.is_bool_flag)


@pytest.fixture(params=["environment", "file"])
def switch_on(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Switch an option on in the environment or in a file."""

    def in_environment(name: str) -> None:
        monkeypatch.setenv(f"SESSIONKIT_{name.replace('-', '_').upper()}", "1")

    def in_file(name: str) -> None:
        Path("pyproject.toml").write_text(f"[tool.sessionkit]\n{name} = true")

    return in_environment if request.param == "environment" else in_file


@pytest.mark.parametrize("name", ["dry-run", "quiet", "json"])
def test_negative_takes_back_a_setting(cli: Cli, session: Copy, switch_on: Callable[[str], None], name: str) -> None:
    switch_on(name)
    on = cli("migrate", session("a.jsonl"), "--out", "on")
    off = cli("migrate", "a.jsonl", "--out", "off", f"--no-{name}")
    assert "1 session: 64 kB before" in off.out
    assert "dry run" not in off.out
    assert off.out != on.out
    assert Path("off/a.jsonl").exists()


def test_negative_in_a_file(cli: Cli, session: Copy) -> None:
    Path("pyproject.toml").write_text("[tool.sessionkit]\nno-dry-run = false")
    assert "dry run: nothing was written" in cli("migrate", session("a.jsonl"), "--out", "out").out
