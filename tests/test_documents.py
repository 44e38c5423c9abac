"""What the pages for people say of the project is so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from sessionkit.cli.commands import COMMANDS
from sessionkit.cli.declare import command_of
from sessionkit.errors import ExitCode
from tests.packaging import ROOT, pyproject

if TYPE_CHECKING:
    from collections.abc import Iterator

README = (ROOT / "README.md").read_text()
LINK = re.compile(r"\]\(([^)\s]+)\)")


def section(title: str) -> str:
    """What stands below a heading of README.md."""
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def rows(text: str) -> Iterator[list[str]]:
    """Cells of the rows of tables, without their heads."""
    for line in text.splitlines():
        if line.startswith("| ") and "| option |" not in line and "| target |" not in line and "| exit code |" not in line:
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def quoted(text: str) -> list[str]:
    """What stands between backticks."""
    return re.findall("`([^`]+)`", text)


BATCHES = quoted(section("Everywhere").partition("taken by *batches*:")[2].partition("\n")[0])
COMMON = [(cells[0], cells[1]) for cells in rows(section("Everywhere")) if len(cells) == 3]


def named(cell: str) -> set[str]:
    """Commands that a cell means: `a`, `b`; batches, `a`; batches but `a`; all but `a`."""
    names = set(quoted(cell))
    if "but" not in cell:
        return names | set(BATCHES if "batches" in cell else ())
    assert cell.startswith(("all but ", "batches but "))
    return set(COMMANDS if cell.startswith("all") else BATCHES) - names


def having(option: str) -> set[str]:
    """Commands that have an option."""
    return {name for name in COMMANDS if any(option in (*each.names, each.negative) for each in command_of(name).parameters)}


@pytest.mark.parametrize(("options", "commands"), COMMON, ids=lambda cell: cell)
def test_options_are_those_of_the_commands_that_are_named(options: str, commands: str) -> None:
    for option in quoted(options):
        assert having(option.split(maxsplit=1)[0]) == named(commands)


def test_options_of_many_commands_are_told() -> None:
    told = {option.split()[0] for options, _ in COMMON for option in quoted(options)}
    everywhere = {
        each.names[-1] for name in COMMANDS for each in command_of(name).parameters if each.names and len(having(each.names[-1])) > 7
    }
    missing = {option for option in everywhere if not told.intersection(names_of(option))}
    assert not missing


def names_of(option: str) -> set[str]:
    """All names of an option."""
    return {name for command in having(option) for each in command_of(command).parameters if option in each.names for name in each.names}


def test_exit_codes_are_all_told() -> None:
    told = [cells[0] for cells in rows(section("Everywhere")) if len(cells) == 2]
    assert sorted(int(code) for cell in told for code in cell.split(",")) == sorted(ExitCode)


def test_batches_take_many_sessions() -> None:
    assert set(BATCHES) == {name for name in COMMANDS if any(each.name == "paths" for each in command_of(name).parameters)}


def test_targets_are_all_told() -> None:
    targets = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert targets
    told = {word for cells in rows(section("Development")) for word in quoted(cells[0]) if word.startswith("make ")}
    assert told == {f"make {target}" for target in targets[1].split()}


def test_contents_lead_to_headings() -> None:
    headings = re.findall(r"^## (.*)$", README, re.MULTILINE)
    places = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    linked = {link.removeprefix("#") for link in LINK.findall(README) if link.startswith("#")}
    assert linked == places


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/asset-reference.md", "fixtures/README.md"])
def test_links_lead_to_files_that_are_handed_on(page: str) -> None:
    """In a clone, and in the archive of the source."""
    included = pyproject()["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    for link in LINK.findall((ROOT / page).read_text()):
        if not link.startswith(("#", "https://")):
            file = ((ROOT / page).parent / link).resolve().relative_to(ROOT)
            assert (ROOT / file).is_file()
            assert f"/{file.parts[0]}" in included or file.match("*.md")


def test_what_the_ci_runs_is_handed_on() -> None:
    included = pyproject()["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert "`.ci/run`" in README
    assert "/.ci" in included


def test_no_release_is_spoken_of_that_is_not_there() -> None:
    assert "pip install 'sessionkit" not in README
    extras = {extra for line in re.findall(r"pip install '\.\[([a-z0-9,]+)\]'", README) for extra in line.split(",")}
    assert extras == set(pyproject()["project"]["optional-dependencies"]) - {"dev"}
