"""NUL bytes on the lines of records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.faults.base import Severity
from sessionkit.faults.broken_lines import TornLine
from sessionkit.faults.nul_run import NulRun
from tests.faults.repairing import repaired
from tests.faults.single import cured, findings
from tests.faults.structure_bases import chain

if TYPE_CHECKING:
    from pathlib import Path

NULS = b"\0" * 7
FIRST, SECOND = chain().lines[6].rstrip(b"\n"), chain().lines[7]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (NULS + SECOND, b" " * 7 + SECOND),
        (SECOND.rstrip(b"\n") + NULS + b"\n", SECOND.rstrip(b"\n") + b" " * 7 + b"\n"),
        (FIRST + NULS + SECOND, FIRST + b" " * 7 + SECOND),
        (b"\0 \0" + SECOND, b"   " + SECOND),
        (NULS + b"\n", b" " * 7 + b"\n"),
        (FIRST[:90] + NULS + SECOND, FIRST[:90] + b" " * 7 + SECOND),
    ],
)
def test_each_becomes_a_space(line: bytes, expected: bytes, tmp_path: Path) -> None:
    session = chain()
    assert cured(NulRun(), tmp_path, session.with_line(8, line)) == session.with_line(8, expected)


@pytest.mark.parametrize("start", [20, 900], ids=["text", "base64"])
def test_a_record_with_a_hole_is_read_again(start: int, tmp_path: Path) -> None:
    bad = chain().with_line(7, FIRST[:start] + NULS + FIRST[start + 7 :] + b"\n")
    after = cured(NulRun(), tmp_path, bad)
    assert after == chain().with_line(7, FIRST[:start] + b" " * 7 + FIRST[start + 7 :] + b"\n")
    assert findings(TornLine(), tmp_path, after) == []


def test_those_within_a_torn_record_stay(tmp_path: Path) -> None:
    bad = chain().with_line(7, FIRST[:60] + NULS + FIRST[67:900] + b"\n")
    assert findings(NulRun(), tmp_path, bad) == []
    assert [finding.spot.line for finding in findings(TornLine(), tmp_path, bad)] == [7]


def test_a_line_of_nothing_else_does_no_harm(tmp_path: Path) -> None:
    bad = chain().with_line(8, NULS + b"\n" + SECOND)
    assert [(finding.severity, finding.spot.line) for finding in findings(NulRun(), tmp_path, bad)] == [(Severity.HARMLESS, 8)]


def test_an_end_of_nothing_else_becomes_white_space(tmp_path: Path) -> None:
    """What is appended next is read then."""
    assert repaired(tmp_path, chain().content + NULS).content.rstrip(b" \n") == chain().content.rstrip(b"\n")


def test_a_torn_end_leaves_with_the_nuls_behind_it(tmp_path: Path) -> None:
    assert repaired(tmp_path, chain().content + FIRST[:90] + NULS).content == chain().content
