"""Bodies for Anthropic of recorded sessions, held against what the agents themselves sent; every difference that is meant has a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.providers.anthropic import Anthropic
from sessionkit.providers.base import Cache, Style, Target
from tests.formats.outlines import read
from tests.formats.test_claude_code_conversation import without_last_line_ends, without_reminder, without_system
from tests.formats.wires import FIXTURES, pieces
from tests.providers.replayed import replayed, wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.formats.wires import Piece

PI = Target("mockant", "anthropic-messages", "mock")
CLAUDE_CODE = Target("anthropic", "anthropic-messages", "claude-sonnet-4-5")


def test_pi() -> None:
    conversation = read(FIXTURES / "pi" / "session" / "session.jsonl", "94ffdd7a")
    assert replayed(conversation, Anthropic(), PI, Style(cache=Cache.MARK)) == wire("pi-anthropic")


def without_stand_ins(sent: list[Piece]) -> list[Piece]:
    """Claude Code sends results that are an image and nothing else."""
    return [piece for piece in sent if piece != ("tool", "(see attached image)")]


@pytest.mark.parametrize(
    ("case", "leaf", "differences"),
    [
        ("session", "30aa0818-986f-4341-b9b0-c06885b4b396", [without_system, without_reminder]),
        ("compacted", "6efce5ff-9adf-4e9d-9448-0b2ff0b83d36", [without_system, without_reminder, without_last_line_ends]),
    ],
)
def test_claude_code(case: str, leaf: str, differences: list[Callable[[list[Piece]], list[Piece]]]) -> None:
    theirs = pieces(wire(f"claude-code-{case}-anthropic"))
    for difference in differences:
        theirs = difference(theirs)
    conversation = read(FIXTURES / "claude-code" / case / "session.jsonl", leaf)
    assert without_stand_ins(pieces(replayed(conversation, Anthropic(), CLAUDE_CODE))) == theirs
