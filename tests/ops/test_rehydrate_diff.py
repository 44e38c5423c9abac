from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import RefusedError, UsageError
from sessionkit.ops.conversations import Selection
from sessionkit.ops.rehydrate import Options, Unsendable
from sessionkit.ops.rehydrate.diff import compare_requests
from sessionkit.ops.targets import Mirror
from sessionkit.providers import provider_of
from sessionkit.providers.prefix import Comparison, Outcome
from tests.ops.bodies import image, make, pi
from tests.ops.runs import FIXTURES, migrate_one, png

if TYPE_CHECKING:
    from pathlib import Path

PI = FIXTURES / "pi" / "session" / "session.jsonl"
WIRES = FIXTURES / "wires"


def compared(earlier: Path, later: Path, provider: str | None = None, leaf: str | None = None) -> Comparison:
    options = Options(provider_of(provider), selection=Selection(leaf=leaf)) if provider else None
    result = compare_requests(str(earlier), str(later), options)
    assert isinstance(result, Comparison)
    return result


def recorded(folder: Path, provider: str, leaf: str | None = None) -> Path:
    """A body of the session, in a file."""
    path = folder / f"{provider}-{leaf}.json"
    path.write_bytes(make(PI, provider, selection=Selection(leaf=leaf)).raw)
    return path


def test_a_session_and_its_twin_are_equal(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    inline = tmp_path / "home" / "session.jsonl"
    inline.write_bytes(PI.read_bytes())
    migrate_one(inline, Mirror(tmp_path / "out"))
    result = compared(inline, tmp_path / "out" / "session.jsonl", "anthropic")
    assert result.outcome is Outcome.EQUAL
    assert result.uploaded == len(make(inline).raw)


@pytest.mark.parametrize("provider", ["anthropic", "openai-chat", "openai-responses", "gemini"])
def test_a_later_turn_begins_with_the_earlier_one(tmp_path: Path, provider: str) -> None:
    assert compared(recorded(tmp_path, provider, "94f08d54"), PI, provider).outcome is Outcome.EXTENDED
    assert compared(PI, recorded(tmp_path, provider, "94f08d54"), provider).outcome is Outcome.SHORTENED


def test_requests_that_a_client_sent() -> None:
    result = compared(WIRES / "gemini-cli-session-gemini.json", WIRES / "gemini-cli-resumed-gemini.json")
    assert result.outcome is Outcome.BROKEN
    assert result.earlier.spot
    assert result.earlier.spot.steps == ("contents", 1, "parts", 0, "thoughtSignature")


def test_a_session_against_what_its_agent_sent() -> None:
    result = compared(WIRES / "pi-openai-chat.json", PI, "openai-chat", "ca76dbc8")
    assert result.outcome is Outcome.EQUAL


def test_a_stand_in_for_the_model_is_no_other_model(tmp_path: Path) -> None:
    session = pi(tmp_path, {"role": "user", "content": "Hi"})
    body = tmp_path / "body.json"
    body.write_text(json.dumps({"model": "claude-opus-5", "messages": [{"role": "user", "content": "Hi"}]}))
    assert compared(body, session, "anthropic").outcome is Outcome.EQUAL


def test_a_document_of_an_agent_is_a_session() -> None:
    legacy = FIXTURES / "gemini-cli" / "legacy" / "session.json"
    assert compared(legacy, legacy, "gemini").outcome is Outcome.EQUAL
    with pytest.raises(UsageError, match="no recorded body"):
        compared(legacy, legacy)


def test_bodies_for_two_interfaces(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="two interfaces"):
        compared(recorded(tmp_path, "gemini"), recorded(tmp_path, "openai-responses"))


def test_what_is_neither(tmp_path: Path) -> None:
    strange = tmp_path / "a.json"
    strange.write_text('{"what": "ever"}')
    with pytest.raises(RefusedError):
        compared(strange, PI, "gemini")


def test_a_session_that_cannot_be_sent(tmp_path: Path) -> None:
    session = pi(tmp_path / "home", {"role": "user", "content": [image(png(1))]})
    migrate_one(session, Mirror(tmp_path / "out"))
    for asset in (tmp_path / "out" / "images").iterdir():
        asset.unlink()
    result = compare_requests(str(session), str(tmp_path / "out" / "session.jsonl"), Options(provider_of("gemini")))
    assert isinstance(result, Unsendable)
    assert len(result.faults) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '{"model": "m", "messages": [{"role": "user", "content": "hi',
            ":1: not a JSON document: unterminated string starting at, column 57",
        ),
        (
            '{\n "messages": [\n  {"role": "user",}\n]}',
            ":3: not a JSON document: expecting property name enclosed in double quotes, column 19",
        ),
        (
            '{"messages": [\n{"role": "user"},\n{"role": "assistant"}\n],}',
            ":4: not a JSON document: expecting property name enclosed in double quotes, column 3",
        ),
        ('{"messages": [%s' % ('"x", ' * 300_000), ":1: not a JSON document: expecting value, column 1500015"),
        ('{"messages": %s}' % ("[" * 5000 + "]" * 5000), ": not a JSON document: nested too deep"),
    ],
    ids=["cut off", "of many lines", "a line of which is an object", "longer than what is looked at", "too deep"],
)
def test_a_broken_body_is_told_with_the_place(tmp_path: Path, text: str, said: str) -> None:
    body = tmp_path / "body.json"
    body.write_text(text)
    for earlier, later in ((body, PI), (PI, body)):
        with pytest.raises(UsageError, match=re.escape(f"{body}{said}")):
            compared(earlier, later, "anthropic")


def test_a_session_whose_first_line_is_broken_is_no_body(tmp_path: Path) -> None:
    session = tmp_path / "a.jsonl"
    session.write_text('{"torn": \n{"role": "user", "content": "Hi"}\n')
    assert compared(session, session, "anthropic").outcome is Outcome.EQUAL
