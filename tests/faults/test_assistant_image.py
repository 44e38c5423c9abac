"""Images in what the model said."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.base64 import encode
from sessionkit.faults import fault_of
from sessionkit.faults.base import Choices, Severity, Uncured
from sessionkit.faults.open import NO_OPTIONS, Options
from sessionkit.faults.profiles import Wish
from tests.faults.media_bases import PNG, of_gemini, of_pi, plain, read
from tests.faults.surgery import changed, done, value
from tests.faults.workshop import Session, opened

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Finding

FAULT = fault_of("assistant-image")
DATA = encode(PNG).decode()
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DATA}}
THOUGHT = {"type": "thinking", "thinking": "Two of them.", "signature": "c2ln"}


def found(session: Session, folder: Path, options: Options = NO_OPTIONS) -> list[Finding]:
    with opened(folder, session, options) as case:
        return list(FAULT.find(case))


def test_a_note_takes_its_place(tmp_path: Path) -> None:
    session = read().with_items(23, "/message/content", IMAGE)
    with opened(tmp_path, session) as case:
        (finding,) = FAULT.find(case)
        assert (finding.severity, finding.option) == (Severity.BRICKS, "")
        after = done(case, FAULT.cure(case, finding, Choices()))
    assert changed(session, after) == {23}
    note = str(value(after, 23, "/message/content/1/text"))
    assert note.startswith("[image removed: not permitted in an answer; image/png 48x32, ")
    assert found(after, tmp_path) == []


@pytest.mark.parametrize("line", [23, 22])
def test_thinking_is_never_touched(line: int, tmp_path: Path) -> None:
    """Blocks of one answer stand on one line, or on several."""
    session = read().with_items(23, "/message/content", IMAGE)
    if line == 23:
        session = session.with_items(23, "/message/content", THOUGHT)
    else:
        record = json.loads(session.lines[22])
        before = {**record, "uuid": "d0c00000-0000-4000-8000-000000000002"}
        before["message"] = {**record["message"], "content": [THOUGHT]}
        session = session.with_value(23, "/parentUuid", before["uuid"])
        session = session.with_line(22, json.dumps(before, separators=(",", ":")).encode() + b"\n")
    with opened(tmp_path, session) as case:
        (finding,) = FAULT.find(case)
        assert (finding.cure, finding.counts) == ("", True)
        assert FAULT.cure(case, finding, Choices()) == Uncured(finding.obstacle)
        assert "thinking" in finding.obstacle


def test_on_a_branch_that_was_left(tmp_path: Path) -> None:
    session = Session.recorded("claude-code/compacted").with_items(23, "/message/content", IMAGE)
    (finding,) = found(session.with_value(28, "/compactMetadata/preservedMessages/uuids", []), tmp_path)
    assert (finding.cure, finding.counts) == ("", False)
    assert finding.obstacle


def test_plain_messages(tmp_path: Path) -> None:
    session = plain().with_items(4, "/content", IMAGE)
    assert [finding.severity for finding in found(session, tmp_path)] == [Severity.HARMLESS]
    assert [finding.severity for finding in found(session, tmp_path, Options(wish=Wish("anthropic")))] == [Severity.BRICKS]


def test_agents_that_get_by(tmp_path: Path) -> None:
    pi = of_pi().with_items(6, "/message/content", {"type": "image", "data": DATA, "mimeType": "image/png"})
    assert found(pi, tmp_path) == []
    drawn = {"id": "g", "type": "gemini", "content": [{"inlineData": {"mimeType": "image/png", "data": DATA}}]}
    gemini = of_gemini().with_line(36, json.dumps(drawn).encode() + b"\n")
    assert found(gemini, tmp_path) == []
