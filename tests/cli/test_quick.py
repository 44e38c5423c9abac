"""Command lines are understood without typer, but never otherwise than by it."""

from __future__ import annotations

import re
import shlex
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.cli.app import run
from sessionkit.cli.coercion import convert
from sessionkit.cli.commands import COMMANDS
from sessionkit.cli.declare import Command, Origin, command_of
from sessionkit.cli.main import main
from sessionkit.cli.quick import read, understand
from sessionkit.errors import ExitCode, UsageError
from tests.rights import unprivileged

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypothesis.strategies import SearchStrategy

    from sessionkit.cli.declare import Parameter

Call: TypeAlias = "tuple[str, Mapping[str, Origin]]"
"""Values as they are shown, since True is equal to 1, and where they come from."""

README = Path(__file__).parents[2] / "README.md"
WORDS = [
    *("", "-", "--", "---", "-1", "-0", "0", "1", "+7", "05", "2", "x y", "a.jsonl", "a=b", "=", "--=", "images", "watermark", "pi"),
    *(
        "80%",
        "0.7",
        "1",
        "3/4",
        "64k",
        "4.5MiB",
        "14d",
        "json",
        "auto",
        "head",
        "yes",
        "True",
        "force",
        "keep",
        "s3://team/assets",
        "s3://",
    ),
    *("-h", "--help", "--version", "--no-help", "-qv", "-rj2", "-jr", "-q-v", "-q=1", "-j=2", "-x", "--quiet=1", "--no-quiet", "9" * 30),
]


def shown(values: Mapping[str, object]) -> str:
    return repr(sorted(values.items()))


@contextmanager
def listening() -> Iterator[list[Call]]:
    """Note what commands are called with, instead of calling them."""
    calls: list[Call] = []

    def call(_: Command, values: Mapping[str, object], origins: Mapping[str, Origin]) -> ExitCode:
        calls.append((shown(values), dict(origins)))
        return ExitCode.OK

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Command, "call", call)
        yield calls


def takes(parameter: Parameter, word: str) -> bool:
    try:
        convert(parameter, [word] if parameter.is_list else word)
    except ValueError:
        return False
    return True


def said(parameter: Parameter) -> SearchStrategy[list[str]]:
    """Something that is said of a parameter, in every way to say it, and mostly with sense."""
    fitting = st.sampled_from([word for word in WORDS if takes(parameter, word)] or WORDS)
    value = st.one_of(fitting, fitting, fitting, st.sampled_from(WORDS))
    if not parameter.names:
        return st.one_of(value, value, value.map(lambda word: f"./{word}")).map(lambda word: [word])
    name = st.sampled_from(parameter.names)
    if parameter.kind is bool:
        return st.one_of(name, name, st.just(parameter.negative)).map(lambda word: [word])
    apart = st.tuples(name, value).map(list)
    joined = st.tuples(name, value).map(lambda pair: [f"{pair[0]}={pair[1]}" if pair[0].startswith("--") else "".join(pair)])
    return st.one_of(apart, apart, joined)


def lines(name: str) -> SearchStrategy[list[str]]:
    parameters = command_of(name).parameters
    needed = [said(parameter) for parameter in parameters if not parameter.names or parameter.names == ("--error",)]
    piece = st.one_of([*map(said, parameters), *map(said, parameters), st.sampled_from(WORDS).map(lambda word: [word])])
    pieces = st.tuples(st.tuples(*needed), st.lists(piece, max_size=5)).map(lambda both: [*both[0], *both[1]])
    return pieces.flatmap(st.permutations).map(lambda shuffled: [word for piece in shuffled for word in piece])


@pytest.mark.parametrize("name", COMMANDS)
def test_whatever_is_understood_is_understood_as_typer_does(name: str) -> None:
    command, seen = command_of(name), set[bool]()

    @given(lines(name))
    def law(words: list[str]) -> None:
        understood = read(command, words)
        seen.add(understood is not None)
        if understood is None:
            return
        with listening() as calls:
            assert run([name, *words]) is ExitCode.OK
        assert calls == [(shown(understood[0]), understood[1])]

    law()
    assert seen == {True, False}


def lines_of_readme() -> list[str]:
    """Command lines, without what a shell would do with them."""
    blocks = re.findall(r"(?<=^```)(?:console|sh)\n.*?(?=^```$)", README.read_text(), re.MULTILINE | re.DOTALL)
    found = re.findall(r"^(?:\$ (?:.*[;&|] )?)?(sessionkit .*)$", "".join(blocks), re.MULTILINE)
    return [re.split(r" [|>&]|;", line)[0] for line in found]


@pytest.mark.parametrize("line", lines_of_readme())
def test_lines_of_the_readme_are_understood(line: str) -> None:
    assert understand(shlex.split(line)[1:]) is not None


def test_there_are_lines() -> None:
    assert len(lines_of_readme()) > 40
    assert {shlex.split(line)[1] for line in lines_of_readme()} >= {*COMMANDS} - {"explain"}


@pytest.mark.parametrize(
    "line",
    [
        "migrate a.jsonl --out=out -nqj2 --no-json --no-dry-run",
        "migrate -j 2 -- -a.jsonl --out",
        "migrate - --store s3://team/assets --fsync --keep-going -q --no-quiet",
        "compact a.jsonl --keepRecentTokens=3000 --toolResultsNumToKeep 2",
        "scan --fail-on inline a.jsonl --fail-on=bad-lines",
        "locate a.jsonl --error -",
        "explain",
        "explain lost-parent",
        "truncate",
    ],
)
def test_understood(line: str) -> None:
    assert understand(shlex.split(line)) is not None


@pytest.mark.parametrize(
    "line",
    [
        "",
        "--version",
        "--help",
        "migrat a.jsonl",
        "migrate a.jsonl --help",
        "migrate a.jsonl -h",
        "migrate a.jsonl --ou out",
        "migrate a.jsonl --out",
        "migrate a.jsonl --out --json",
        "migrate a.jsonl --jobs 0",
        "migrate a.jsonl --jobs many",
        "migrate a.jsonl --json=yes",
        "migrate a.jsonl -q-json",
        "migrate a.jsonl --media video",
        "migrate a.jsonl --store ''",
        "compact a.jsonl --fraction 1",
        "locate a.jsonl",
        "locate --error x",
        "locate a.jsonl b.jsonl --error x",
        "gc",
        "truncate a.json",
    ],
)
def test_left_to_typer(line: str) -> None:
    assert understand(shlex.split(line)) is None


def test_what_is_odd_is_told_by_typer() -> None:
    with pytest.raises(UsageError, match="No such option: --ou"):
        run(["migrate", "a.jsonl", "--ou", "out"])


@pytest.mark.parametrize("name", ["SESSIONKIT_JOBS", "SESSIONKIT_SCAN_JOBS", "_SESSIONKIT_COMPLETE"])
def test_variables_are_left_to_typer(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert understand(["scan", "a.jsonl"]) is not None
    monkeypatch.setenv(name, "2")
    assert understand(["scan", "a.jsonl"]) is None


@pytest.mark.parametrize(
    ("path", "text", "is_understood"),
    [
        ("../config/sessionkit/config.toml", "jobs = 2", False),
        ("../pyproject.toml", "[tool.sessionkit]\njobs = 2", False),
        ("pyproject.toml", "[tool]\nsessionkit.jobs = 2", False),
        ("pyproject.toml", "[tool.ruff]\nline-length = 140", True),
    ],
)
def test_settings_are_left_to_typer(path: str, text: str, is_understood: bool) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)
    assert (understand(["scan", "a.jsonl"]) is not None) is is_understood


@unprivileged
def test_settings_that_cannot_be_read_are_left_to_typer() -> None:
    Path("pyproject.toml").touch(0)
    assert understand(["scan", "a.jsonl"]) is None


def test_both_ways_are_taken() -> None:
    line = ["scan", "a.jsonl", "--top=3"]
    with listening() as calls:
        assert (main(line), main(["-h"])) == (ExitCode.OK, ExitCode.OK)
        assert run(line) is ExitCode.OK
    assert len(calls) == 2
    assert calls[0] == calls[1]
    assert calls[0][1]["top"] is Origin.TYPED
