"""Where things stand in the next request, as its client counts; held against requests that clients sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sessionkit.faults.base import Spot
from sessionkit.faults.open import Options, open_case
from sessionkit.faults.wire import Wire
from sessionkit.providers import provider_of
from tests.faults.workshop import FIXTURES, Session, opened

if TYPE_CHECKING:
    from pathlib import Path

SENT = [
    # what was sent, to whom, session, its last entry at that time
    ("claude-code-session-anthropic", "anthropic", "claude-code/session", "da9c7af9-1933-4c45-a296-040d7685b9a6"),
    ("codex-session-openai-responses", "openai-responses", "codex/session", None),
    ("pi-anthropic", "anthropic", "pi/session", "94ffdd7a"),
    ("pi-openai-chat", "openai-chat", "pi/session", "ca76dbc8"),
    ("pi-openai-responses", "openai-responses", "pi/session", "d02af2bb"),
    ("pi-gemini", "gemini", "pi/session", "e14ef23d"),
]


@pytest.mark.parametrize("row", SENT, ids=[row[0] for row in SENT])
def test_every_image_is_where_its_client_sent_it(row: tuple[str, str, str, str | None]) -> None:
    sent, provider, session, leaf = row
    body = json.loads((FIXTURES / "wires" / f"{sent}.json").read_text())
    with open_case(FIXTURES / session / "session.jsonl", Options(leaf=leaf)) as case:
        assert case.image_count
        wire = Wire(case.conversation, provider_of(provider))
        for exhibit in case.gallery.live:
            way = wire.way(exhibit.line, exhibit.block)
            assert exhibit.text in json.dumps(followed(body, way)), way
            origin = wire.origin_at(tuple(int(step) if step.isdecimal() else step for step in way.split(".")))
            assert origin
            assert (origin.line, origin.pointer.removesuffix("/inlineData")) == (exhibit.line, exhibit.block)


@pytest.mark.parametrize("case", ["claude-code/session", "codex/session", "pi/session", "gemini-cli/session", "qwen-code/compacted"])
def test_what_is_asleep_stands_nowhere(case: str) -> None:
    with open_case(FIXTURES / case / "session.jsonl") as found:
        assert {found.way(exhibit) for exhibit in found.exhibits if not exhibit.is_live} <= {""}


def followed(body: object, way: str) -> object:
    for step in way.split("."):
        body = body[int(step)] if isinstance(body, list) else body[step]  # type: ignore[index]
    return body


DAMAGES = {
    "nothing is there": "",
    "no base64": "[image removed]",
    "a path": "/home/user/a.png",
    "a reference": "blob:sha256:00",
}


@pytest.mark.parametrize("text", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.parametrize("case", ["claude-code/session", "codex/session", "pi/session", "gemini-cli/session", "qwen-code/compacted"])
def test_a_damaged_picture_moves_nothing(case: str, text: str, tmp_path: Path) -> None:
    session = Session.recorded(case)
    number = -1 if case == "qwen-code/compacted" else 0
    with opened(tmp_path, session) as before:
        ways = [before.way(exhibit) for exhibit in before.exhibits]
        size = before.wire.size
    with opened(tmp_path, session.with_text(number, text)) as after:
        assert [after.way(exhibit) for exhibit in after.exhibits] == ways
        assert after.wire.size < size


@pytest.mark.parametrize("pointer", ["/message/content/1/source", "/message/content/1/source/data", "/message/content/1/source/type"])
def test_a_block_without_its_source_moves_nothing(pointer: str, tmp_path: Path) -> None:
    with opened(tmp_path, Session.recorded("claude-code/session").without(3, pointer)) as case:
        live = {exhibit.block: case.way(exhibit) for exhibit in case.gallery.live if exhibit.line == 3}
    assert live == {"/message/content/1": "messages.0.content.2", "/message/content/3": "messages.0.content.4"}


def test_an_empty_text_in_a_result_moves_nothing(tmp_path: Path) -> None:
    texts = ({"type": "text", "text": text} for text in ("", "x"))
    session = Session.recorded("claude-code/session").with_items(7, "/message/content/0/content", *texts)
    with opened(tmp_path, session) as case:
        ways = [case.wire.way(7, f"/message/content/0/content/{at}") for at in range(3)]
    assert ways == [f"messages.3.content.0.content.{at}" for at in range(3)]


def test_an_image_of_the_assistant_stands_where_it_is(tmp_path: Path) -> None:
    session = Session.recorded("claude-code/session")
    line = next(at for at, raw in enumerate(session.lines, 1) if b'"type":"assistant"' in raw)
    block = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    with opened(tmp_path, session.with_items(line, "/message/content", block)) as case:
        (found,) = (exhibit for exhibit in case.gallery.live if exhibit.role == "assistant")
        assert case.way(found).startswith("messages.2.content.")
        after = case.exhibit(Spot(7, "/message/content/0/content/0/source/data"))
        assert case.way(after) == "messages.3.content.0.content.0"


@pytest.mark.parametrize("row", SENT[2:4], ids=[row[0] for row in SENT[2:4]])
def test_the_size_is_that_of_what_was_sent(row: tuple[str, str, str, str | None]) -> None:
    """But for what only the client knows."""
    name, provider, session, leaf = row
    sent = len(json.dumps(json.loads((FIXTURES / "wires" / f"{name}.json").read_bytes()), separators=(",", ":")))
    with open_case(FIXTURES / session / "session.jsonl", Options(leaf=leaf)) as case:
        assert Wire(case.conversation, provider_of(provider)).size == pytest.approx(sent, rel=0.05)
