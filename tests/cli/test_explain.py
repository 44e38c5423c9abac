"""`explain`: the list of faults, and the page of each."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from sessionkit.cli.printable import cells
from sessionkit.errors import ExitCode
from sessionkit.faults import FAULTS

if TYPE_CHECKING:
    from tests.cli.running import Cli


def test_the_list_names_every_fault_once_by_its_cure(cli: Cli) -> None:
    ran = cli("explain")
    assert (ran.code, ran.err) == (ExitCode.OK, "")
    *blocks, last = re.split(r"^(?=[a-z])", ran.out, flags=re.MULTILINE)[1:]
    lists = {block.partition(":")[0]: re.findall(r"^  ([a-z0-9-]+)", block, re.MULTILINE) for block in blocks}
    assert sorted(chain.from_iterable(lists.values())) == sorted(fault.id for fault in FAULTS)
    assert "wrong-media-type" in lists["cured by `sessionkit repair`"]
    assert lists["cured when something else is"] == ["no-final-newline"]
    assert {"duplicate-lines", "twin-bytes", "nul-escape"} <= set(lists["cured when it is asked for"])
    assert {"text-bomb", "header-missing", "thinking-modified"} <= set(lists["only reported"])
    assert last == "next: `sessionkit explain FAULT` tells more of one\n"


def test_the_list_fits_the_screen(cli: Cli) -> None:
    assert [line for line in cli("explain").out.splitlines() if cells(line) > 80] == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.id)
def test_a_page_is_printed_as_it_stands(cli: Cli, fault: object) -> None:
    assert hasattr(fault, "id")
    assert hasattr(fault, "page")
    assert cli("explain", fault.id).out == f"{fault.page}\n"


def test_an_unknown_fault(cli: Cli) -> None:
    ran = cli("explain", "image-to-large")
    assert (ran.code, ran.out) == (ExitCode.USAGE, "")
    assert ran.err.splitlines()[:2] == [
        "error: unknown fault: image-to-large",
        "  next: did you mean image-too-large or request-too-large or image-too-many-pixels? `sessionkit explain` lists all",
    ]


@pytest.mark.parametrize("command", ["check", "explain"])
def test_help_has_examples(cli: Cli, command: str) -> None:
    ran = cli(command, "--help")
    assert "Examples:" in ran.out
    assert "sessionkit explain image-too-large" in ran.out
    assert [line for line in ran.out.splitlines() if cells(line) > 80] == []
