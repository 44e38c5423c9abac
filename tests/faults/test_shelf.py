"""What is said of the shelf as a whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sessionkit.errors import UsageError
from sessionkit.faults import fault_of, is_cured_unasked
from sessionkit.faults.base import Finding, Severity, Spot, State

LABEL = Finding("wrong-media-type", Severity.BRICKS, State.LIVE, Spot(3), "it is another", "another label")


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        (LABEL, True),
        (replace(LABEL, severity=Severity.HARMLESS), True),
        (replace(LABEL, state=State.ASLEEP), False),
        (replace(LABEL, option="all"), False),
        (replace(LABEL, cure="", obstacle="nothing helps"), False),
        (replace(LABEL, fault="no-final-newline"), True),
        (replace(LABEL, fault="duplicate-lines"), False),
    ],
    ids=["a cure", "harmless", "asleep", "waits for an option", "no cure", "goes along with others", "is always asked for"],
)
def test_what_is_cured_unasked(finding: Finding, expected: bool) -> None:
    assert is_cured_unasked(finding) is expected


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("wrong-label", "`sessionkit explain` lists all"),
        ("image-empti", "did you mean image-empty? `sessionkit explain` lists all"),
        ("unpaired-tool", "did you mean unpaired-tool-call or unpaired-tool-result? `sessionkit explain` lists all"),
    ],
)
def test_an_unknown_fault_names_its_neighbours(word: str, hint: str) -> None:
    with pytest.raises(UsageError) as refused:
        fault_of(word)
    assert (refused.value.what, refused.value.hint) == (f"unknown fault: {word}", hint)
