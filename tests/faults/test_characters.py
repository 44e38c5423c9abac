"""Characters that are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessionkit.core.jsonl import loads
from sessionkit.faults.base import Severity, State
from sessionkit.faults.characters import BadUtf8, Bom, LoneSurrogate, NulEscape
from tests.faults.recipes.lines import with_word
from tests.faults.single import cured, findings
from tests.faults.structure_bases import chain, of_codex, of_pi
from tests.faults.workshop import Session

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Fault


@pytest.mark.parametrize(
    ("fault", "word", "expected"),
    [
        (BadUtf8(), b"\xff", b"?"),
        (BadUtf8(), b"caf\xe9 \xf0\x9f\x98", b"caf? ???"),
        (BadUtf8(), b"\xed\xa0\x80", b"???"),
        (LoneSurrogate(), rb"\ud83d", rb"\ufffd"),
        (LoneSurrogate(), rb"\uDE00", rb"\ufffd"),
        (LoneSurrogate(), rb"\ud83d\ud83d\ude00", rb"\ufffd\ud83d\ude00"),
        (LoneSurrogate(), rb"\ud83d\n\ude00", rb"\ufffd\n\ufffd"),
        (LoneSurrogate(), rb"\\\ud83d", rb"\\\ufffd"),
        (NulEscape(), rb"a\u0000b", rb"a\ufffdb"),
        (NulEscape(), rb"\u0000\\u0000", rb"\ufffd\\u0000"),
    ],
)
def test_characters_give_way_to_as_many_bytes(fault: Fault, word: bytes, expected: bytes, tmp_path: Path) -> None:
    assert cured(fault, tmp_path, with_word(chain, 3, word)) == with_word(chain, 3, expected)


@pytest.mark.parametrize(
    ("fault", "word"),
    [
        (BadUtf8(), "café 😀".encode()),
        (LoneSurrogate(), rb"\ud83d\ude00 \uD83D\uDE00"),
        (LoneSurrogate(), rb"\\ud83d"),
        (NulEscape(), rb"\\u0000"),
        (NulEscape(), rb"\u00001".replace(b"0000", b"0001")),
    ],
)
def test_what_is_in_order_is_silent(fault: Fault, word: bytes, tmp_path: Path) -> None:
    assert findings(fault, tmp_path, with_word(chain, 3, word)) == []


@pytest.mark.parametrize(
    ("make", "severity"), [(chain, Severity.HARMLESS), (of_pi, Severity.BRICKS), (of_codex, Severity.BRICKS)], ids=["claude", "pi", "codex"]
)
def test_a_byte_order_mark(make: object, severity: Severity, tmp_path: Path) -> None:
    assert callable(make)
    bad = b"\xef\xbb\xbf" + make().content
    assert [(finding.severity, finding.spot.line) for finding in findings(Bom(), tmp_path, bad)] == [(severity, 1)]
    assert cured(Bom(), tmp_path, bad).content == b"   " + make().content
    assert findings(Bom(), tmp_path, make().content + b"\xef\xbb\xbf\n") == []


@pytest.mark.parametrize(("line", "state"), [(8, State.LIVE), (9, State.ASLEEP), (1, State.LIVE)])
def test_codex_drops_a_record_that_may_be_asleep(line: int, state: State, tmp_path: Path) -> None:
    """The first line may never be lost; line 9 is an event, which is never sent."""
    session = of_codex()
    bad = session.with_line(line, session.lines[line - 1].replace(b'":"', b'":"\xff', 1))
    assert [(finding.severity, finding.state) for finding in findings(BadUtf8(), tmp_path, bad)] == [(Severity.DEGRADES, state)]


def test_the_place_of_the_first_is_told(tmp_path: Path) -> None:
    (finding,) = findings(BadUtf8(), tmp_path, with_word(of_pi, 7, b"\xff \xff\xfe"))
    assert finding.spot.pointer == "/message/content/0/text"
    assert finding.cause.startswith("bytes that are no UTF-8: 3, ")


@settings(max_examples=20, deadline=None)
@given(parts=st.lists(st.sampled_from([rb"\ud83d", rb"\ude00", rb"\n", rb"\\", b"a", "é".encode(), b"\xff", rb"\u0000"]), max_size=8))
def test_cured_lines_are_good_text_of_the_same_length(parts: list[bytes], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("law")
    bad = with_word(chain, 3, b" ".join(parts) or b"-")
    after = bad
    for fault in (BadUtf8(), LoneSurrogate(), NulEscape()):
        after = cured(fault, folder, after)
        assert findings(fault, folder, after) == []
    assert list(map(len, after.lines)) == list(map(len, bad.lines))
    text = str(loads(after.lines[2]))
    assert "\0" not in text
    text.encode()


def test_many_bad_bytes_take_no_time(tmp_path: Path) -> None:
    """They are counted in one pass over their line."""
    bad = Session((*chain().lines[:2], chain().lines[2].replace(b"Compare", b"\xff." * 100_000, 1), *chain().lines[3:]))
    (finding,) = findings(BadUtf8(), tmp_path, bad)
    assert finding.cause.startswith("bytes that are no UTF-8: 100000, ")
