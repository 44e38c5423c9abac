"""Lines by their numbers: every byte of the file is in one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.entries import Entry
from sessionkit.core.slices import Slice
from sessionkit.errors import ChangedError
from sessionkit.faults.lines import open_lines
from sessionkit.faults.places import NoPlaceError
from tests.faults.workshop import FIXTURES, Session

if TYPE_CHECKING:
    from pathlib import Path

CONTENTS = {
    "empty": b"",
    "one line": b'{"a":1}\n',
    "no line feed at the end": b'{"a":1}\n{"b":2}',
    "blank lines": b"\n\n{}\n\n",
    "only one, unended": b"{}",
    "carriage returns and separators stay": b'{"a":"\xe2\x80\xa8"}\r\n{}\n',
}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_lines_are_the_file(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(content)
    expected = [line + b"\n" for line in content.split(b"\n")]
    expected[-1] = expected[-1][:-1]
    expected = [line for line in expected if line]
    with open_lines(path) as lines:
        assert [lines.raw(at + 1) for at in range(lines.count)] == expected
        assert lines.size == len(content)
        assert lines.ends_whole is (content[-1:] in {b"", b"\n"})
        assert b"".join(lines.pieces(0, lines.size)) == content


@given(st.lists(st.sampled_from([b"\n", b"{}", b"\0", b'"' + b"x" * 1000 + b'"'])).map(b"".join))
def test_offsets_add_up(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("lines") / "session.jsonl"
    path.write_bytes(content)
    with open_lines(path) as lines:
        list(lines.entries())
        assert lines.count == len(content.splitlines(keepends=False)) if b"\0" not in content else True
        spans = [(lines.offset(at), lines.offset(at) + lines.length(at)) for at in range(1, lines.count + 1)]
        assert b"".join(content[start:stop] for start, stop in spans) == content


def test_what_is_appended_later_is_not_seen(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"{}\n" * 3)
    with open_lines(path) as lines, path.open("ab") as more:
        assert len(list(lines.entries())) == 3
        more.write(b"{}\n")
        more.flush()
        assert (lines.count, len(list(lines.entries())), sum(block.stop for block in lines.blocks())) == (3, 3, 9)


def test_a_file_that_got_shorter_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"{}\n" * 3)
    with open_lines(path) as lines:
        assert lines.count == 3
        path.write_bytes(b"{}\n")
        with pytest.raises(ChangedError, match="changed while it was being read"):
            lines.raw(3)


def test_an_entry_is_found_again_with_its_media_in_the_file() -> None:
    path = FIXTURES / "pi" / "session" / "session.jsonl"
    with open_lines(path) as lines:
        whole = [entry for entry in lines.entries() if isinstance(entry, Entry)]
        for entry in whole:
            assert lines.entries_of(entry.line) == (entry,)
        piece = whole[4].value["message"]["content"][1]["data"]  # type: ignore[index]
    assert isinstance(piece, Slice)
    assert piece.read() == Session.recorded("pi/session").exhibits[0].text


def test_places_are_those_of_the_line_that_was_asked_for() -> None:
    with open_lines(FIXTURES / "pi" / "session" / "session.jsonl") as lines:
        assert [lines.places(at).text("/id") for at in (5, 9, 5)] == [b'"64a16a4e"', b'"e123bdf6"', b'"64a16a4e"']


def test_glued_lines_have_no_places(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b'{"a":1}{"a":2}\n')
    with open_lines(path) as lines, pytest.raises(NoPlaceError, match="2 values are glued"):
        lines.places(1)
