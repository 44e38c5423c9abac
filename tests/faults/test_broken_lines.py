"""Torn and glued lines, and a last one without a line feed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import BIN
from sessionkit.faults.base import Choices, Kept, Lengths, Severity, Uncured
from sessionkit.faults.broken_lines import GluedLines, TornLine
from sessionkit.faults.final_newline import NoFinalNewline
from tests.faults.repairing import repaired
from tests.faults.single import cured, findings, refusals
from tests.faults.structure_bases import chain, cut, glued, of_codex, of_gemini, of_pi, of_qwen, stubbed
from tests.faults.workshop import FIXTURES, Session, opened

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEPT = Choices(lengths=Lengths.KEPT)
MAKERS = {"claude-code": chain, "pi": of_pi, "codex": of_codex, "qwen-code": of_qwen, "gemini-cli": of_gemini}

each_format = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


@each_format
@pytest.mark.parametrize("count", [2, 3, 5])
def test_glued_records_come_apart_as_they_were(make: Callable[[], Session], count: int, tmp_path: Path) -> None:
    assert cured(GluedLines(), tmp_path, glued(make(), 8, count)) == make()


def test_padding_between_glued_records_stays(tmp_path: Path) -> None:
    session = of_pi()
    bad = session.with_line(8, session.lines[7].replace(b"\n", b" ") + session.lines[8])
    bad = replace(bad, lines=(*bad.lines[:8], *bad.lines[9:]))
    assert cured(GluedLines(), tmp_path, bad).content == session.content.replace(session.lines[7], session.lines[7].replace(b"\n", b" \n"))


@each_format
def test_a_stub_leaves_and_is_kept(make: Callable[[], Session], tmp_path: Path) -> None:
    session = make()
    with opened(tmp_path, stubbed(session, 7, 200)) as case:
        cures = [TornLine().cure(case, finding, Choices()) for finding in TornLine().find(case)]
    (splice,) = (splice for cure in cures if not isinstance(cure, Uncured) for splice in cure)
    assert splice.kept == Kept(AssetName.of(session.lines[6][:200], BIN), session.lines[6][:200])
    rest = tuple(raw for at, raw in enumerate(session.lines) if at != 6)
    assert cured(TornLine(), tmp_path, stubbed(session, 7, 200)) == Session(rest)


@each_format
@pytest.mark.parametrize("size", [1, 30, 150, 2500])
def test_a_torn_end_is_cut_off(make: Callable[[], Session], size: int, tmp_path: Path) -> None:
    """Also in the middle of base64: line 9 of most of them holds a picture."""
    session = make()
    at = max(range(1, len(session.lines) + 1), key=lambda line: len(session.lines[line - 1]))
    assert cured(TornLine(), tmp_path, cut(session, at, size)) == Session(session.lines[: at - 1])


def test_the_record_before_a_torn_end_stays(tmp_path: Path) -> None:
    session = of_pi()
    glued_to_it = replace(session, lines=(*session.lines[:8], session.lines[8].rstrip(b"\n") + session.lines[9][:50]))
    assert cured(TornLine(), tmp_path, glued_to_it) == Session(session.lines[:9])


def test_a_record_before_a_torn_one_is_saved(tmp_path: Path) -> None:
    """The torn one in the middle of the session gets a line of its own, and stays."""
    session = of_pi()
    torn = session.lines[9][:50] + b"\n"
    bad = replace(session, lines=(*session.lines[:8], session.lines[8].rstrip(b"\n") + torn, *session.lines[10:]))
    assert cured(TornLine(), tmp_path, bad) == session.with_line(10, torn)


@each_format
def test_commas_go(make: Callable[[], Session], tmp_path: Path) -> None:
    session = make()
    listed = b"," + session.lines[6].rstrip(b"\n") + b"," + session.lines[7].rstrip(b"\n") + b",\n"
    bad = replace(session, lines=(*session.lines[:6], listed, *session.lines[8:]))
    (finding,) = findings(TornLine(), tmp_path, bad)
    assert (finding.cause, finding.cure) == ("a comma stands beside 2 whole records: the line is no JSON value", "the comma is taken out")
    assert cured(TornLine(), tmp_path, bad) == session


def test_torn_and_glued_on_one_line(tmp_path: Path) -> None:
    session = chain()
    line = session.lines[6][:100] + session.lines[7].rstrip(b"\n") + session.lines[8].rstrip(b"\n") + session.lines[9]
    bad = replace(session, lines=(*session.lines[:6], line, *session.lines[10:]))
    after = cured(GluedLines(), tmp_path, cured(TornLine(), tmp_path, bad))
    assert after == Session((*session.lines[:6], *session.lines[7:]))


def test_what_is_torn_in_the_middle_stays(tmp_path: Path) -> None:
    bad = chain().with_line(7, chain().lines[6][:500] + b"\n")
    assert refusals(TornLine(), tmp_path, bad) == ["the rest of the record is nowhere: it stays as it is"]


@pytest.mark.parametrize("make", [of_codex, of_gemini])
def test_where_nothing_hangs_on_a_lost_record_it_counts(make: Callable[[], Session], tmp_path: Path) -> None:
    bad = make().with_line(8, make().lines[7][:500] + b"\n")
    assert [finding.severity for finding in findings(TornLine(), tmp_path, bad)] == [Severity.DEGRADES]


@pytest.mark.parametrize("bad", [glued(of_codex(), 8), stubbed(of_codex(), 7, 100), cut(of_codex(), 13, 900)])
def test_lines_of_codex_stay_where_they_are(bad: Session, tmp_path: Path) -> None:
    for fault in (TornLine(), GluedLines()):
        assert len(refusals(fault, tmp_path, bad, KEPT)) == len(findings(fault, tmp_path, bad))


def test_a_document_of_many_lines_has_no_torn_ones(tmp_path: Path) -> None:
    document = (FIXTURES / "gemini-cli/legacy/session.json").read_bytes()
    for fault in (TornLine(), GluedLines(), NoFinalNewline()):
        assert findings(fault, tmp_path, document) == []


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    text = b'{"a":1}{"b":2}\nsome words\nand an end'
    assert refusals(TornLine(), tmp_path, text) == ["nobody knows what its lines should be"] * 2
    assert refusals(GluedLines(), tmp_path, text) == ["nobody knows what its lines should be"]


def test_a_line_feed_is_added_only_beside_another_cure(tmp_path: Path) -> None:
    unended = chain().content.rstrip(b"\n")
    assert repaired(tmp_path, unended).content == unended
    assert repaired(tmp_path, b"\xef\xbb\xbf" + unended).content == b"   " + chain().content


def test_codex_ends_its_last_line_itself(tmp_path: Path) -> None:
    unended = of_codex().content.rstrip(b"\n")
    assert repaired(tmp_path, b"\xef\xbb\xbf" + unended).content == b"   " + unended
