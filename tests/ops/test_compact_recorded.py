"""The context after a compaction, held against what recorded agents had and sent then, save the summary's words."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.core.model import Conversation
from sessionkit.ops.compact import Options, Show, Telling, compacting
from sessionkit.ops.conversations import Selection
from sessionkit.ops.rehydrate import Rehydrated
from tests.formats.outlines import outline, read
from tests.ops.previews import BEFORE, KEEPING, PROVIDER, RECORDED, source
from tests.ops.runs import FIXTURES
from tests.providers.test_recorded_openai import wire, without_greeting, without_summary

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.model import Message
    from tests.providers.test_recorded_openai import Items

QWEN = FIXTURES / "qwen-code" / "compacted" / "session.jsonl"


@dataclass(frozen=True)
class Recording:
    """A session that its agent has compacted, and the entries that its branches before and with the compaction end in."""

    session: Path
    before: Selection
    compaction: str
    strategy: str

    def projected(self) -> tuple[list[Message], Items]:
        """The context after our own compaction with the recorded summary, and the messages of its body."""
        options = Options(
            self.strategy,
            KEEPING,
            selection=self.before,
            provider=PROVIDER,
            summary=summary_of(self.session),
            telling=Telling(show=Show.PROJECTION),
        )
        with compacting(source(self.session), options) as opened:
            body = opened.body()
            assert opened.compacted.projected
            assert isinstance(body, Rehydrated)
            items: Items = json.loads(b"".join(body.pieces()))["messages"]
            return [*opened.compacted.projected.messages], items


def summary_of(session: Path) -> str:
    lines: list[dict[str, Any]] = [json.loads(line) for line in session.read_bytes().splitlines()]
    [text] = [text for line in lines for text in _summaries(line)]
    return text


def _summaries(line: dict[str, Any]) -> list[str]:
    match line:
        case {"type": "compaction", "summary": str(text)}:
            return [text]
        case {"systemPayload": {"compressedHistory": [{"parts": [{"text": str(text)}]}, *_]}}:
            return [text]
        case _:
            return []


PI = Recording(RECORDED, BEFORE, "c854c654", "pi")
QWEN_CODE = Recording(QWEN, Selection(leaf="d3035090-1a8f-485e-ac6c-9d5461eba639"), "df5d087e-aa0a-4584-915e-3b365ddf1661", "qwen-split")


@pytest.mark.parametrize("recording", [PI, QWEN_CODE], ids=["pi", "qwen-code"])
def test_the_agents_context(recording: Recording) -> None:
    messages, _ = recording.projected()
    assert outline(Conversation("", tuple(messages))) == outline(read(recording.session, recording.compaction))


def test_what_pi_sent_next() -> None:
    _, ours = PI.projected()
    theirs = wire("pi-compacted-openai-chat")
    assert without_summary(theirs)[: len(ours) - 1] == without_summary(ours)
    assert [item["role"] for item in theirs[len(ours) :]] == ["user", "assistant", "tool", "user"]


def test_what_qwen_code_sent_next() -> None:
    _, ours = QWEN_CODE.projected()
    theirs = without_greeting(wire("qwen-code-compacted-openai-chat"))
    assert theirs[: len(ours)] == ours
    assert [item["role"] for item in theirs[len(ours) :]] == ["user", "assistant", "tool"]
