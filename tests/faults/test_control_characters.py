"""Raw control characters in strings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.faults.base import Choices, Lengths, Severity, State
from sessionkit.faults.broken_lines import GluedLines, TornLine
from sessionkit.faults.control_characters import ControlCharacters
from tests.faults.recipes import lines
from tests.faults.recipes.lines import with_word
from tests.faults.repairing import repaired
from tests.faults.single import cured, findings, refusals
from tests.faults.structure_bases import glued, of_codex, of_pi
from tests.faults.workshop import Session

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Finding

ALL = frozenset({"all"})


def with_tab(session: Session, at: int) -> Session:
    return lines.with_tab(lambda: session, at)


def escaped(session: Session, at: int) -> Session:
    return session.with_line(at, session.lines[at - 1].replace(b"\t", rb"\u0009"))


def told(found: list[Finding]) -> list[tuple[int, Severity, State]]:
    return [(finding.spot.line, finding.severity, finding.state) for finding in found]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        (b"\t", rb"\u0009"),
        (b"\x1b[31m\x01", rb"\u001b[31m\u0001"),
        (b"\\\\\x1f", rb"\\\u001f"),
        (b'\\"\t\\"', rb"\"\u0009\""),
        ("é\r".encode(), "é".encode() + rb"\u000d"),
    ],
)
def test_each_gives_way_to_its_escape(word: bytes, expected: bytes, tmp_path: Path) -> None:
    bad = with_word(of_pi, 7, word)
    assert cured(ControlCharacters(), tmp_path, bad) == with_word(of_pi, 7, expected)
    assert findings(TornLine(), tmp_path, bad) == []


def test_the_first_is_told_with_its_column(tmp_path: Path) -> None:
    (finding,) = findings(ControlCharacters(), tmp_path, with_word(of_pi, 7, "é\t\x01".encode()))
    column = of_pi().lines[6].index(b"Compare the two") + 2
    assert (finding.spot.pointer, finding.is_lossless) == ("/message/content/0/text", True)
    assert finding.cause.startswith(f"a raw control character U+0009 (a tab) stands in a string at column {column}, and 1 more: ")


@pytest.mark.parametrize("word", [rb"\t\u0001", b"\x7f", "\u0085".encode()])
def test_what_json_allows_is_silent(word: bytes, tmp_path: Path) -> None:
    assert findings(ControlCharacters(), tmp_path, with_word(of_pi, 7, word)) == []


def test_tabs_around_values_are_white_space(tmp_path: Path) -> None:
    session = of_pi()
    loose = session.with_line(7, session.lines[6].replace(b',"', b',\t"').replace(b"\n", b"\t\r\n"))
    assert findings(ControlCharacters(), tmp_path, loose) == []
    assert cured(ControlCharacters(), tmp_path, with_tab(loose, 7)).lines[6].count(b"\t") == loose.lines[6].count(b"\t")


@pytest.mark.parametrize(
    ("session", "line", "expected"),
    [
        (of_pi(), 1, (Severity.BRICKS, State.LIVE)),
        (of_codex(), 1, (Severity.BRICKS, State.LIVE)),
        (of_codex(), 8, (Severity.DEGRADES, State.LIVE)),
        (of_codex(), 9, (Severity.DEGRADES, State.ASLEEP)),
        (Session.recorded("pi/branches"), 3, (Severity.DEGRADES, State.LIVE)),
        (Session.recorded("pi/branches"), 7, (Severity.DEGRADES, State.ASLEEP)),
        (Session.recorded("pi/branches"), 19, (Severity.DEGRADES, State.LIVE)),
        (Session.recorded("claude-code/compacted"), 7, (Severity.DEGRADES, State.ASLEEP)),
    ],
    ids=["header", "header of codex", "message", "event", "link", "other branch", "leaf", "before a compaction"],
)
def test_what_it_does_depends_on_the_record(session: Session, line: int, expected: tuple[Severity, State], tmp_path: Path) -> None:
    assert told(findings(ControlCharacters(), tmp_path, with_tab(session, line))) == [(line, *expected)]


def test_what_is_asleep_waits_for_all(tmp_path: Path) -> None:
    bad = with_tab(Session.recorded("pi/branches"), 7)
    assert repaired(tmp_path, bad.content).content == bad.content
    assert repaired(tmp_path, bad.content, ALL).content == escaped(bad, 7).content


def test_two_that_hang_on_each_other_are_both_live(tmp_path: Path) -> None:
    bad = with_tab(with_tab(of_pi(), 8), 9)
    assert [finding.state for finding in findings(ControlCharacters(), tmp_path, bad)] == [State.LIVE, State.LIVE]


def test_beside_other_faults_of_the_line(tmp_path: Path) -> None:
    """A glued record, a torn one and NULs: each is a fault of its own."""
    session = of_pi()
    bad = with_tab(glued(session, 8), 8)
    assert [len(findings(fault, tmp_path, bad)) for fault in (GluedLines(), TornLine())] == [1, 0]
    assert repaired(tmp_path, bad.content).content == escaped(with_tab(session, 9), 9).content
    torn = with_tab(session, 9)
    torn = replace(torn, lines=(*torn.lines[:7], session.lines[7][:90] + torn.lines[8], *torn.lines[9:]))
    assert len(findings(ControlCharacters(), tmp_path, torn)) == 1
    assert rb"\u0009" in repaired(tmp_path, torn.content).content
    filled = with_word(of_pi, 7, b"a\0\tb")
    assert repaired(tmp_path, filled.content).content == with_word(of_pi, 7, rb"a \u0009b").content


def test_what_is_torn_stays_torn(tmp_path: Path) -> None:
    bad = of_pi().with_line(8, with_tab(of_pi(), 8).lines[7][:-3] + b"\n")
    assert findings(ControlCharacters(), tmp_path, bad) == []
    assert len(findings(TornLine(), tmp_path, bad)) == 1


def test_lines_of_codex_stay_where_they_are(tmp_path: Path) -> None:
    bad = with_tab(of_codex(), 8)
    (why,) = refusals(ControlCharacters(), tmp_path, bad, Choices(lengths=Lengths.KEPT))
    assert "write a copy with -o" in why
    assert cured(ControlCharacters(), tmp_path, bad) == escaped(bad, 8)


def test_lines_of_nobody_knows_whom_do_no_harm(tmp_path: Path) -> None:
    bad = b'{"a":"\t"}\n{"a":"b"}\n'
    assert told(findings(ControlCharacters(), tmp_path, bad)) == [(1, Severity.HARMLESS, State.LIVE)]
    assert repaired(tmp_path, bad).content == b'{"a":"\\u0009"}\n{"a":"b"}\n'
