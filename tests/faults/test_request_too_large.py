"""Requests with too many bytes; none of them is small enough to be kept as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.faults import fault_of
from sessionkit.faults.base import Choices, Severity
from sessionkit.faults.open import NO_OPTIONS, Options
from sessionkit.faults.profiles import Wish
from tests.faults.media_bases import of_pi, pasted, read, swollen
from tests.faults.sending import told
from tests.faults.surgery import changed, done
from tests.faults.workshop import Session, opened

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Finding


def found(session: Session, folder: Path, options: Options = NO_OPTIONS) -> list[Finding]:
    with opened(folder, session, options) as case:
        return list(fault_of("request-too-large").find(case))


THREE = 3_100_000


def test_the_largest_go_and_the_newest_five_lines_stay(tmp_path: Path) -> None:
    session = swollen(of_pi(), 900, THREE, THREE, *[THREE + 30_000] * 6)
    with opened(tmp_path, session) as case:
        fault = fault_of("request-too-large")
        findings = list(fault.find(case))
        after = done(case, *(fault.cure(case, finding, Choices()) for finding in findings))
    assert [finding.spot.line for finding in findings] == [5, 11], "of lines 5, 9 and 11 those with the largest, the oldest of equal ones"
    assert {finding.severity for finding in findings} == {Severity.DEGRADES}
    assert changed(session, after) == {5, 11}
    with opened(tmp_path, after) as case:
        assert case.wire.size <= 28_800_000
        assert told(case) == []
        assert list(fault.find(case)) == []


def test_a_small_one_is_silent(tmp_path: Path) -> None:
    assert found(swollen(of_pi(), *[2_600_000] * 9), tmp_path) == [], "31 million characters"


def test_hosts_that_take_less(tmp_path: Path) -> None:
    assert found(swollen(of_pi(), *[2_000_000] * 9), tmp_path, Options(wish=Wish("bedrock"))) != []


def test_hosts_that_take_more(tmp_path: Path) -> None:
    assert found(swollen(Session.recorded("codex/session"), *[2_700_000] * 9), tmp_path) == []


def test_twins_do_not_count(tmp_path: Path) -> None:
    session = swollen(read(), *[THREE] * 5)
    assert len(session.content) > 32_000_000
    assert found(session, tmp_path) == []


def test_what_nothing_helps(tmp_path: Path) -> None:
    """Two pasted ones on one line and two that were read: all stand on the newest five lines."""
    (finding,) = found(swollen(pasted(), *[6_100_000] * 4), tmp_path)
    assert (finding.cure, finding.counts) == ("", True)
    assert "compact" in finding.obstacle


@pytest.mark.parametrize(("size", "count"), [(0, 0), (1, 1)])
def test_edge(size: int, count: int, tmp_path: Path) -> None:
    session = swollen(pasted(), 4_500_000, *[5_000_000] * 3)
    with opened(tmp_path, session) as case:
        left = 32_000_000 - case.wire.size
    assert left > 0
    text = b"First the old page:"
    longer = Session(tuple(line.replace(text, text + b"x" * (left + size)) for line in session.lines[:9]))
    assert len(found(Session((*longer.lines, *session.lines[9:])), tmp_path)) == count
