"""What the help says, and what the pages of the project say of the options."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from sessionkit.cli.commands import COMMANDS
from sessionkit.cli.declare import command_of

if TYPE_CHECKING:
    from sessionkit.cli.declare import Option
    from tests.cli.running import Cli

OPTIONS = [(name, parameter.declared) for name in COMMANDS for parameter in command_of(name).parameters if parameter.names]
NO_VERBS = {"a", "all", "also", "as", "by", "every", "for", "in", "nothing", "of", "only", "or", "that", "the", "what", "whether", "whose"}


def test_no_summary_is_cut(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _, _, listing = cli("--help").out.partition("\nCommands:\n")
    listed = [line.split(maxsplit=1) for line in listing.partition("\n\n")[0].splitlines()]
    assert [name for name, _ in listed] == list(COMMANDS)
    assert all(not summary.endswith("...") for _, summary in listed)


@pytest.mark.parametrize("option", [option for _, option in OPTIONS], ids=[f"{name} {option.names[-1]}" for name, option in OPTIONS])
def test_an_option_is_told_in_a_sentence(option: Option) -> None:
    """With what it does first, behind the name of those that it is for: nobody has read the option above it."""
    sentence = re.fullmatch(r"(?:[a-z-]+(?:, [a-z-]+)*: )?([A-Z]?[a-z]+) \S.*[.]", option.help)
    assert sentence
    assert sentence[1].lower() not in NO_VERBS


def test_what_several_commands_have_is_declared_once() -> None:
    for (_, one), (_, other) in combinations(OPTIONS, 2):
        assert one is other or (one.names, one.help) != (other.names, other.help)
