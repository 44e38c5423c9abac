"""my-pi-agent and Ink, where the vectors do not look."""

from __future__ import annotations

import pytest

from sessionkit.compaction.base import Compat, Nothing, Plan, Reason, Settings
from sessionkit.compaction.ink import Ink
from sessionkit.compaction.my_pi import MyPi
from sessionkit.core.model import Inline, Media, MediaKind, Message, Role, Shell, Text, ToolCall, ToolResult

WORDS = "w" * 400
PICTURE = Media(MediaKind.IMAGE, Inline("AAAA"), "image/png")
SHOT = Message(Role.USER, (PICTURE,))
BOTH = [MyPi(), Ink()]

Strategy = MyPi | Ink


def message(role: Role, text: str = WORDS) -> Message:
    return Message(role, (Text(text),))


def conversation(outline: str) -> tuple[Message, ...]:
    """A message of a hundred tokens for each letter: `SCMuau`."""
    roles = {"S": Role.SYSTEM, "C": Role.COMPACTION, "M": Role.META, "u": Role.USER, "a": Role.ASSISTANT}
    return tuple(Message(Role.META, ()) if letter == "M" else message(roles[letter]) for letter in outline)


@pytest.mark.parametrize("strategy", BOTH, ids=lambda strategy: strategy.name)
@pytest.mark.parametrize(
    ("outline", "keep", "expected"),
    [
        ("SCMuauaua", 200, (3, 7)),
        ("uaua", 100, (0, 2)),
        ("uaua", 0, (0, 2)),
        ("aua", 200, (0, 1)),
        ("uaMua", 200, (0, 3)),
        ("uaua", 401, Reason.UNDER_BUDGET),
        ("uaua", 300, Reason.SINGLE_TURN),
        ("uaaa", 100, Reason.SINGLE_TURN),
        ("SCM", 0, Reason.UNDER_BUDGET),
        ("", 0, Reason.UNDER_BUDGET),
    ],
)
def test_cuts(strategy: Strategy, outline: str, keep: int, expected: tuple[int, int] | Reason) -> None:
    match strategy.plan(conversation(outline), Settings(keep_recent_tokens=keep)):
        case Plan(history=history):
            assert (history.start, history.stop) == expected
        case Nothing(reason=reason):
            assert reason == expected


def test_talk_between_results_moves_the_cut_back() -> None:
    call = Message(Role.ASSISTANT, (ToolCall("1", "read", {}),))
    answer = Message(Role.TOOL, (ToolResult("1", "read", (Text(WORDS),)),))
    messages = (*conversation("uau"), call, *conversation("u"), answer)
    plan = MyPi().plan(messages, Settings(keep_recent_tokens=200))
    assert isinstance(plan, Plan)
    assert (plan.cut, plan.snapped_from) == (2, 4)


def test_the_earlier_summary_is_known() -> None:
    plan = MyPi().plan((message(Role.COMPACTION, "before"), *conversation("uaua")), Settings(keep_recent_tokens=1))
    assert isinstance(plan, Plan)
    assert plan.previous_summary == "before"


@pytest.mark.parametrize(
    ("messages", "keep", "cut"),
    [
        (conversation("uauaua"), 101, 3),  # moved back behind a prompt
        (conversation("uaua"), 100, 3),
        (conversation("uaua"), 300, None),  # only the first prompt would go
        (conversation("uaa"), 1000, None),
        ((*conversation("uau"), SHOT, SHOT, *conversation("a")), 150, None),  # images are free: the first prompt would fill it
        ((*conversation("uau"), Message(Role.USER, (Shell("w" * 200, "w" * 200),)), *conversation("a")), 200, 3),
        ((*conversation("uau"), Message(Role.TOOL, (ToolResult("1", "read", (Text(WORDS), PICTURE)),)), *conversation("a")), 200, 3),
    ],
)
def test_the_stored_code(messages: tuple[Message, ...], keep: int, cut: int | None) -> None:
    plan = MyPi().plan(messages, Settings(keep_recent_tokens=keep, compat=Compat.UPSTREAM))
    assert (plan.cut if isinstance(plan, Plan) else None) == cut
