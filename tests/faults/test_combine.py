"""Several cures at once: what they share is settled, and what they cannot share waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.faults.base import Lengths, Splice, Uncured
from sessionkit.faults.cures import Combined, applied, combine, gathered, put_note, relabel, say_empty, take_out
from sessionkit.faults.lines import open_lines
from sessionkit.faults.note import Note
from tests.faults.surgery import done, value
from tests.faults.workshop import Session, opened

if TYPE_CHECKING:
    from pathlib import Path

NOTE = Note("empty")


def test_a_cure_that_would_lengthen_such_a_line_waits(tmp_path: Path) -> None:
    with opened(tmp_path, Session.recorded("codex/session").with_label(0, "image/png")) as case:
        cure = relabel(case.lines, [case.exhibits[0]], "image/jpeg")
        assert not isinstance(cure, Uncured)
        assert combine(case.lines, [cure], Lengths.KEPT).waiting == (0,)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_parts_that_go_together_share_their_commas(count: int, tmp_path: Path) -> None:
    before = Session.recorded("qwen-code/compacted").grown(1, 2)
    with opened(tmp_path, before) as case:
        parts = [one for one in case.exhibits if one.line == 7]
        for chosen in (parts[:count], parts[-count:], parts[::2]):
            cured = done(case, *(put_note(case.lines, [one], NOTE) for one in chosen))
            response = value(cured, 7, "/message/parts/0/functionResponse")
            assert isinstance(response, dict)
            assert len(response["parts"]) == 3 - len(chosen)
            assert response["response"]["output"].count("\n") == len(chosen) - 1


def test_of_two_cures_for_the_same_bytes_the_later_one_waits(tmp_path: Path) -> None:
    with opened(tmp_path, Session.recorded("claude-code/session")) as case:
        one = case.exhibits[:1]
        label, note = relabel(case.lines, one, "image/webp"), put_note(case.lines, one, NOTE)
        assert not isinstance(label, Uncured)
        assert not isinstance(note, Uncured)
        assert combine(case.lines, [label, note]) == Combined(label, (1,))
        assert combine(case.lines, [note, label]).splices == note
        assert combine(case.lines, [label, label]) == combine(case.lines, [label])


def test_glued_lines_are_not_cured(tmp_path: Path) -> None:
    session = Session.recorded("claude-code/session")
    glued = session.with_line(3, session.lines[2].rstrip() + b"{}\n")
    with opened(tmp_path, glued) as case:
        assert relabel(case.lines, case.exhibits[:1], "image/webp") == Uncured("2 values are glued on its line")


def test_blocks_go_with_their_comma_and_the_last_text_stays(tmp_path: Path) -> None:
    line = b'{"content":[{"type":"text","text":""}, {"type":"image"} ,{"type":"text","text":" "}],"lone":[{"type":"text","text":"\\n"}]}\n'
    path = tmp_path / "session.jsonl"
    path.write_bytes(line)
    with open_lines(path) as lines:
        gone = (take_out(lines, 1, block) for block in ("/content/0", "/content/2"))
        cures = [gathered([splice]) for splice in (*gone, say_empty(lines, 1, "/lone/0"))]
        made = [cure for cure in cures if not isinstance(cure, Uncured)]
        cured = b"".join(applied(lines, combine(lines, made).splices))
        assert cured == b'{"content":[{"type":"image"}],"lone":[{"type":"text","text":"[empty]"}]}\n'
        assert gathered(take_out(lines, 1, pointer) for pointer in ["/nowhere"]) == Uncured("nothing stands at /nowhere")


@st.composite
def splices(draw: st.DrawFn, line: int, length: int) -> Splice:
    start, stop = sorted((draw(st.integers(0, length)), draw(st.integers(0, length))))
    return Splice(line, start, stop, draw(st.binary(max_size=5)), "")


@given(st.data())
def test_splices_change_nothing_outside_their_spans(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    raw = data.draw(st.lists(st.binary(max_size=20).map(lambda line: line.replace(b"\n", b"")), min_size=1, max_size=5))
    content = b"\n".join(raw)
    path = tmp_path_factory.mktemp("splices") / "session.jsonl"
    path.write_bytes(content)
    with open_lines(path) as lines:
        numbers = data.draw(st.lists(st.integers(1, lines.count), max_size=5) if lines.count else st.just([]))
        cures = [(data.draw(splices(line, lines.length(line))),) for line in numbers]
        combined = combine(lines, cures)
        expected, shift = content, 0
        for splice in combined.splices:
            start, stop = (lines.offset(splice.line) + at + shift for at in (splice.start, splice.stop))
            expected = expected[:start] + splice.new + expected[stop:]
            shift += len(splice.new) - (splice.stop - splice.start)
        assert b"".join(applied(lines, combined.splices)) == expected
        assert {cure[0] for at, cure in enumerate(cures) if at not in combined.waiting} == set(combined.splices)
