"""What is odd in a record: empty texts, lists that do not fit, and what can only be told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sessionkit.faults.base import Severity, State
from sessionkit.faults.codex_history import CodexHistoryShape
from sessionkit.faults.compact_metadata import CompactMetadata
from sessionkit.faults.doubled_results import DoubledResults
from sessionkit.faults.empty_text import EmptyText
from sessionkit.faults.missing_header import HeaderMissing
from sessionkit.faults.mixed_sessions import MixedSessions
from sessionkit.faults.open import Options
from sessionkit.faults.text_bomb import TextBomb
from sessionkit.faults.wrong_picture import WrongPicture
from tests.faults.recipes.contents import BLANK, EMPTY, pasted_again, with_text_bomb, without_metadata
from tests.faults.single import cured, findings, refusals
from tests.faults.structure_bases import chain, of_codex, of_gemini, of_pi, of_qwen
from tests.faults.surgery import value
from tests.faults.workshop import Session, opened

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Fault

TEXT = {"type": "text", "text": "a"}
RESULT = "/message/content/0/content"


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ([EMPTY, TEXT], [TEXT]),
        ([TEXT, EMPTY], [TEXT]),
        ([EMPTY, TEXT, BLANK, TEXT], [TEXT, TEXT]),
        ([EMPTY, EMPTY, TEXT], [TEXT]),
        ([EMPTY], [{"type": "text", "text": "[empty]"}]),
        ([EMPTY, BLANK, EMPTY], [{"type": "text", "text": "[empty]"}]),
        ([{"type": "text", "text": "\n" * 999}, TEXT], [TEXT]),
        ([{"type": "text", "text": "", "cache_control": {"type": "ephemeral"}}, TEXT], [TEXT]),
    ],
)
def test_empty_texts_leave_their_list(blocks: list[object], expected: list[object], tmp_path: Path) -> None:
    bad = chain().with_value(9, RESULT, blocks)
    assert {finding.severity for finding in findings(EmptyText(), tmp_path, bad)} == {Severity.BRICKS}
    after = cured(EmptyText(), tmp_path, bad)
    assert after == chain().with_value(9, RESULT, expected)
    assert findings(EmptyText(), tmp_path, after) == []


@pytest.mark.parametrize("content", [[TEXT], "", [], [{"type": "text"}], None])
def test_what_is_no_empty_block_is_silent(content: object, tmp_path: Path) -> None:
    assert findings(EmptyText(), tmp_path, chain().with_value(9, RESULT, content)) == []


def test_answers_are_nobodys_to_change(tmp_path: Path) -> None:
    assert findings(EmptyText(), tmp_path, chain().with_value(12, "/message/content/0/text", "")) == []


@pytest.mark.parametrize(
    ("session", "severity"),
    [
        (of_pi().with_value(9, "/message/content/0/text", " "), Severity.BRICKS),
        (of_pi().with_value(9, "/message/content", [EMPTY]), Severity.HARMLESS),
        (of_pi().with_value(7, "/message/content/0/text", ""), Severity.HARMLESS),
    ],
    ids=["beside an image", "alone", "of the user"],
)
def test_pi_joins_texts_that_have_no_image_beside_them(session: Session, severity: Severity, tmp_path: Path) -> None:
    assert [finding.severity for finding in findings(EmptyText(), tmp_path, session)] == [severity]


def test_other_vendors_take_empty_texts(tmp_path: Path) -> None:
    session = Session.recorded("pi/session", 24).with_value(9, "/message/content/0/text", "")
    assert findings(EmptyText(), tmp_path, session) == []
    assert findings(EmptyText(), tmp_path, of_codex()) == []


def test_on_a_branch_that_was_left_an_empty_text_is_asleep(tmp_path: Path) -> None:
    bad = chain().with_value(9, RESULT, [EMPTY, TEXT]).with_value(10, "/parentUuid", value(chain(), 7, "/uuid"))
    assert [(finding.state, finding.option) for finding in findings(EmptyText(), tmp_path, bad)] == [(State.ASLEEP, "all")]


def test_metadata_of_a_compaction_that_are_null_are_made_good(tmp_path: Path) -> None:
    bad = Session.recorded("claude-code/compacted").with_value(28, "/compactMetadata", None)
    made = {"trigger": "manual", "preTokens": 0}
    assert cured(CompactMetadata(), tmp_path, bad) == bad.with_value(28, "/compactMetadata", made)
    assert value(cured(CompactMetadata(), tmp_path, without_metadata()), 28, "/compactMetadata") == made


def test_an_older_compaction_of_codex_is_asleep(tmp_path: Path) -> None:
    session = Session.recorded("codex/compacted")
    bad = session.without(56, "/payload/replacement_history_metadata/0")
    later = bad.with_line(57, session.lines[55] + session.lines[56])
    assert [(finding.spot.line, finding.state) for finding in findings(CodexHistoryShape(), tmp_path, bad)] == [(56, State.LIVE)]
    assert [(finding.spot.line, finding.state) for finding in findings(CodexHistoryShape(), tmp_path, later)] == [(56, State.ASLEEP)]


def bomb(text: str) -> Session:
    return chain().with_value(11, RESULT, text)


PICTURE = json.loads(with_text_bomb().lines[10])["message"]["content"][0]["content"].partition('"data": "')[2]


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        (PICTURE[:5000], True),
        (f"see data:image/png;base64,{PICTURE[:5000]}", True),
        (f"![plot](data:image/x-odd;base64,{'AAAA' * 2000})", True),
        (f'{{"data": "{"AAAA" * 2000}"}}', True),
        (PICTURE[:4000], False),
        ("AAAA" * 2000, False),
        ("0123456789abcdef" * 1000, False),
        ("words " * 2000, False),
    ],
)
def test_a_text_bomb_is_a_picture_that_is_read_as_words(text: str, is_found: bool, tmp_path: Path) -> None:
    assert bool(findings(TextBomb(), tmp_path, bomb(text))) is is_found


@pytest.mark.parametrize(
    ("session", "is_missing"),
    [
        (of_pi(), False),
        (Session(of_pi().lines[1:]), True),
        (Session((of_pi().lines[1], of_pi().lines[0], *of_pi().lines[2:])), True),
        (Session((b"\n", b"\0\0\n", *of_pi().lines)), False),
        (of_codex(), False),
        (Session(of_codex().lines[1:]), True),
        (Session.recorded("codex/old"), False),
        (Session.recorded("ink/session"), False),
        (Session.recorded("ink/parallel"), False),
    ],
)
def test_a_header_comes_first(session: Session, is_missing: bool, tmp_path: Path) -> None:
    assert bool(findings(HeaderMissing(), tmp_path, session)) is is_missing


@pytest.mark.parametrize("format_", ["pi", "codex"])
def test_a_session_whose_format_was_named_has_a_header_too(format_: str, tmp_path: Path) -> None:
    with opened(tmp_path, b'{"type":"message","id":"a","parentId":null}\n', Options(format=format_)) as case:
        assert [finding.severity for finding in HeaderMissing().find(case)] == [Severity.BRICKS]


def test_each_other_session_is_told_once(tmp_path: Path) -> None:
    bad = chain()
    for at, name in ((7, "b"), (8, "b"), (9, "c"), (10, "b")):
        bad = bad.with_value(at, "/sessionId", name)
    assert [finding.spot.line for finding in findings(MixedSessions(), tmp_path, bad)] == [7, 9]


def test_results_that_are_sent_once_are_silent(tmp_path: Path) -> None:
    assert findings(DoubledResults(), tmp_path, of_gemini()) == []


def test_another_picture_between_two_equal_ones_is_enough(tmp_path: Path) -> None:
    """Only pastes that follow each other are looked at, and in messages of the user alone."""
    other = value(pasted_again(), 3, "/message/content/3")
    assert findings(WrongPicture(), tmp_path, pasted_again().with_value(13, "/message/content/0", other)) != []
    assert findings(WrongPicture(), tmp_path, pasted_again().with_value(3, "/message/content/1", other)) == []
    assert findings(WrongPicture(), tmp_path, chain()) == []


@pytest.mark.parametrize(
    ("fault", "session"),
    [
        (CodexHistoryShape(), Session.recorded("codex/compacted").without(56, "/payload/replacement_history_metadata/0")),
        (TextBomb(), with_text_bomb()),
        (HeaderMissing(), Session(of_codex().lines[1:])),
        (MixedSessions(), of_qwen().with_value(9, "/sessionId", "b")),
        (DoubledResults(), Session.recorded("gemini-cli/session")),
        (WrongPicture(), pasted_again()),
    ],
)
def test_what_can_only_be_told_says_why(fault: Fault, session: Session, tmp_path: Path) -> None:
    found = findings(fault, tmp_path, session)
    assert found
    assert refusals(fault, tmp_path, session) == [finding.obstacle for finding in found]
    assert all(finding.obstacle and not finding.cure for finding in found)
