"""Records that stand in a session twice."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.faults.base import Choices, Lengths, Severity
from sessionkit.faults.duplicate_lines import DuplicateLines
from tests.faults.single import cured, findings, refusals
from tests.faults.structure_bases import chain, doubled, of_codex, of_gemini, of_pi, of_qwen
from tests.faults.workshop import RECORDED, Session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def twice(session: Session) -> Session:
    """The whole session behind itself."""
    return replace(session, lines=session.lines * 2)


@pytest.mark.parametrize("make", [of_codex, of_pi, of_qwen])
@pytest.mark.parametrize("repeat", [doubled, twice])
def test_the_first_copies_stay(make: Callable[[], Session], repeat: Callable[[Session], Session], tmp_path: Path) -> None:
    assert cured(DuplicateLines(), tmp_path, repeat(make())) == make()


def test_lines_without_an_id_may_repeat(tmp_path: Path) -> None:
    """Claude Code writes its mode and its last prompt again and again."""
    found = findings(DuplicateLines(), tmp_path, doubled(chain()))
    assert {finding.spot.line // 2 for finding in found} == set(range(3, 14))


def test_plain_messages_may_repeat(tmp_path: Path) -> None:
    assert findings(DuplicateLines(), tmp_path, doubled(Session.recorded("plain/chat"))) == []
    assert findings(DuplicateLines(), tmp_path, doubled(of_gemini())) == []


@pytest.mark.parametrize(
    ("make", "severity"),
    [(of_codex, Severity.DEGRADES), (of_qwen, Severity.DEGRADES), (of_pi, Severity.HARMLESS), (chain, Severity.HARMLESS)],
)
def test_what_is_sent_twice_counts(make: Callable[[], Session], severity: Severity, tmp_path: Path) -> None:
    found = findings(DuplicateLines(), tmp_path, doubled(make()))
    assert max(found, key=lambda finding: finding.severity is Severity.DEGRADES).severity is severity
    assert {finding.option for finding in found} == {"dedupe"}


def test_the_bytes_to_win_are_those_of_the_line(tmp_path: Path) -> None:
    found = findings(DuplicateLines(), tmp_path, doubled(of_pi()))
    assert sum(finding.bytes_won for finding in found) == len(of_pi().content)


def test_another_time_is_no_other_record(tmp_path: Path) -> None:
    again = of_pi().with_value(5, "/timestamp", "2026-11-30T14:00:00.000Z").lines[4]
    bad = of_pi().with_line(5, of_pi().lines[4] + again)
    assert cured(DuplicateLines(), tmp_path, bad) == of_pi()


def test_another_record_of_the_same_id_is_only_told(tmp_path: Path) -> None:
    again = of_pi().with_value(7, "/message/content", "something else").lines[6]
    bad = of_pi().with_line(7, of_pi().lines[6] + again)
    assert [(finding.severity, finding.spot.line, finding.cure) for finding in findings(DuplicateLines(), tmp_path, bad)] == [
        (Severity.HARMLESS, 8, "")
    ]
    assert refusals(DuplicateLines(), tmp_path, bad) == ["nobody knows which of the two counts"]


def test_fragments_of_qwen_code_share_an_id(tmp_path: Path) -> None:
    (session,) = (path for path in RECORDED if path.parts[-2] == "fragments")
    assert findings(DuplicateLines(), tmp_path, session.read_bytes()) == []


def test_no_line_of_codex_is_taken_out_in_place(tmp_path: Path) -> None:
    found = findings(DuplicateLines(), tmp_path, doubled(of_codex()))
    assert len(refusals(DuplicateLines(), tmp_path, doubled(of_codex()), Choices(lengths=Lengths.KEPT))) == len(found)
