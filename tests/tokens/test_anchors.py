from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Message, Role, StopReason, Text, Usage
from sessionkit.tokens import NEUTRAL
from sessionkit.tokens.anchors import Anchor, AnchorKind, context, find_anchor
from tests.formats.outlines import read
from tests.formats.wires import FIXTURES

if TYPE_CHECKING:
    from pathlib import Path

USER = Message(Role.USER, (Text("abcd"),))
OWN_ESTIMATE = Usage(total=50, estimated=True)


def turn(usage: Usage | None, stop_reason: StopReason = StopReason.STOP) -> Message:
    return Message(Role.ASSISTANT, (Text("abcd"),), usage=usage, stop_reason=stop_reason)


def summary(kept: int, usage: Usage | None = None) -> Message:
    return Message(Role.COMPACTION, (Text("abcd"),), kept=kept, usage=usage)


def billed(total: int) -> Message:
    return turn(Usage(total=total))


# Every message is one token.
CASES = [
    ("nothing recorded", [USER, turn(None)], None, 2),
    ("the newest counts", [USER, billed(10), USER, billed(30), USER], Anchor(3, 30, AnchorKind.USAGE), 31),
    ("zero is no usage", [billed(10), turn(Usage())], Anchor(0, 10, AnchorKind.USAGE), 11),
    ("parts where the total is missing", [turn(Usage(1, 2, 30, 4))], Anchor(0, 37, AnchorKind.USAGE), 37),
    ("a turn that broke off", [billed(10), turn(Usage(total=90), StopReason.ERROR)], Anchor(0, 10, AnchorKind.USAGE), 11),
    ("the client's own estimate", [turn(OWN_ESTIMATE), USER], Anchor(0, 50, AnchorKind.CLIENT_ESTIMATE), 51),
    ("its estimate up to a summary", [billed(90), replace(USER, usage=OWN_ESTIMATE)], Anchor(1, 50, AnchorKind.CLIENT_ESTIMATE), 50),
    ("no bill is the user's", [billed(10), replace(USER, usage=Usage(total=90))], Anchor(0, 10, AnchorKind.USAGE), 11),
    ("what a compaction kept is stale", [summary(2), USER, billed(90), USER], None, 4),
    ("what came after it is not", [summary(1), billed(90), billed(20), USER], Anchor(2, 20, AnchorKind.USAGE), 21),
    ("only the latest compaction counts", [summary(9), billed(90), summary(0), billed(20)], Anchor(3, 20, AnchorKind.USAGE), 20),
    ("what stands before a compaction is stale", [billed(90), summary(0), USER], None, 3),
    ("a compaction's estimate covers what it kept", [summary(1, OWN_ESTIMATE), USER, USER], Anchor(1, 50, AnchorKind.CLIENT_ESTIMATE), 51),
    ("a compaction's bill is a cost, not a context", [summary(0, Usage(total=70)), USER], None, 2),
    ("a compaction may have kept more than is left", [summary(9, OWN_ESTIMATE), USER], Anchor(1, 50, AnchorKind.CLIENT_ESTIMATE), 50),
]


@pytest.mark.parametrize(("messages", "anchor", "tokens"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_anchors(messages: list[Message], anchor: Anchor | None, tokens: int) -> None:
    assert find_anchor(messages) == anchor
    assert context(messages, NEUTRAL) == tokens


def test_what_codex_estimated_right_after_a_compaction(tmp_path: Path) -> None:
    lines = (FIXTURES / "codex" / "compacted" / "session.jsonl").read_bytes().splitlines(keepends=True)
    session = tmp_path / "session.jsonl"
    session.write_bytes(b"".join(lines[:60]))
    messages = read(session).messages
    assert find_anchor(messages) == Anchor(len(messages) - 1, 6113, AnchorKind.CLIENT_ESTIMATE)
