"""Pretty-printed JSON objects, which are looked at as one line."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.core.entries import Defect, Entry
from sessionkit.core.slices import Slice
from sessionkit.faults.lines import open_lines
from tests.faults.workshop import opened
from tests.pictures import picture

if TYPE_CHECKING:
    from pathlib import Path

PNG = base64.b64encode(picture("PNG", size=(90, 80))).decode()
VALUE = {
    "sessionId": "s",
    "messages": [
        {"id": "1", "type": "user", "content": [{"text": "a\nb \u2028"}, {"inlineData": {"mimeType": "image/png", "data": PNG}}]},
        {"id": "2", "type": "gemini", "content": "I see.", "tokens": {"total": 1e5}},
    ],
}
PRETTY = json.dumps(VALUE, indent=2, ensure_ascii=False).encode()


def written(folder: Path, content: bytes) -> Path:
    path = folder / "session.json"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("content", [PRETTY, PRETTY + b"\n", b"\n " + PRETTY, PRETTY.replace(b"\n", b"\r\n")])
def test_a_document_is_one_line(tmp_path: Path, content: bytes) -> None:
    with open_lines(written(tmp_path, content)) as lines:
        document = lines.as_document()
        assert (document.count, document.size, document.ends_whole) == (1, len(content), True)
        assert document.raw(1) == content
        assert b"".join(document.pieces(0, document.size)) == content
        (entry,) = document.entries()
        assert isinstance(entry, Entry)
        assert (entry.line, json.dumps(entry.value, default=Slice.read)) == (1, json.dumps(VALUE))
        assert document.entries_of(1) == (entry,)
        assert document.entries_of(2) == ()


@pytest.mark.parametrize("pointer", ["/messages/0/content/0/text", "/messages/0/content/1/inlineData/data", "/messages/1/tokens", ""])
def test_places_are_those_of_the_file(tmp_path: Path, pointer: str) -> None:
    with open_lines(written(tmp_path, PRETTY)) as lines:
        span = lines.as_document().places(1).value(pointer)
    value: Any = VALUE
    for step in pointer.split("/")[1:]:
        value = value[int(step) if step.isdigit() else step]
    assert json.loads(PRETTY[span.start : span.stop]) == value


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"{\n",
        PRETTY[:-1],
        PRETTY + b"}",
        PRETTY.replace(b"I see.", b"I\nsee."),
        json.dumps(VALUE).encode(),
        json.dumps([VALUE], indent=2).encode(),
        b'{"type":"session"}\n{"type":"message"}\n',
    ],
)
def test_what_is_no_document_stays_lines(tmp_path: Path, content: bytes) -> None:
    with open_lines(written(tmp_path, content)) as lines:
        assert lines.as_document() is lines


def test_a_case_has_the_pictures_of_a_document(tmp_path: Path) -> None:
    with opened(tmp_path, PRETTY) as case:
        assert case.format == "gemini-cli"
        (exhibit,) = case.exhibits
        assert (exhibit.is_live, exhibit.text) == (True, PNG)
        assert not any(isinstance(entry, Defect) for entry in case.lines.entries())
        assert len(case.outline.records) == 1
        assert case.outline.odd == ()
