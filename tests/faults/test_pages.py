"""The pages of the faults, as `explain` prints them, and the tables of README.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sessionkit.faults import FAULTS, Fault

README = (Path(__file__).parents[2] / "README.md").read_text()
HEADINGS = ["Rule", "What you see", "Cure", "What it loses"]
ROWS = re.compile(r"^\| `([a-z0-9-]+)` \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)

each_fault = pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.id)


def paragraphs(fault: Fault) -> dict[str, str]:
    """What stands under each heading."""
    first, *others = re.split(rf"^({'|'.join(HEADINGS)})\n", fault.page, flags=re.MULTILINE)
    assert first.lower() == f"{fault.id}: {fault.title}\n\n".lower()
    return dict(zip(others[::2], others[1::2], strict=True))


@each_fault
def test_a_page_has_its_parts_in_order(fault: Fault) -> None:
    parts = paragraphs(fault)
    assert list(parts) == HEADINGS
    for part in parts.values():
        assert re.fullmatch(r"(  .*\n)*  .*\n?\n?", part), "indented, with an empty line behind it"


@each_fault
def test_a_page_fits_the_screen(fault: Fault) -> None:
    assert [line for line in fault.page.split("\n") if len(line) > 80] == []
    assert fault.page.replace("\n", "").isprintable()
    assert not fault.page.endswith("\n")


def tables() -> tuple[dict[str, str], dict[str, str]]:
    """Rows of README.md by fault, with their last columns: what is cured, and what is only reported."""
    head, _, tail = README.partition("\n| fault | what is wrong, and what comes of it | cure |\n")
    assert head
    cured, _, reported = tail.partition("\n| fault | what is wrong | why there is no cure |\n")
    return dict(ROWS.findall(cured)), dict(ROWS.findall(reported.partition("\n\n")[0]))


def test_the_readme_has_a_row_for_every_fault() -> None:
    cured, reported = tables()
    assert cured.keys().isdisjoint(reported)
    assert cured.keys() | reported.keys() == {fault.id for fault in FAULTS}


@each_fault
def test_page_and_readme_agree_on_whether_there_is_a_cure(fault: Fault) -> None:
    cured, _ = tables()
    assert paragraphs(fault)["Cure"].strip().startswith("None") is (fault.id not in cured)


@each_fault
def test_page_and_readme_name_the_same_options(fault: Fault) -> None:
    row = tables()[0].get(fault.id, "")
    for option in re.findall(r"`(--[a-z]+(?: [a-z-]+)?)`", row):
        assert option in fault.page.replace("\n  ", " "), "what the table names stands on the page"
