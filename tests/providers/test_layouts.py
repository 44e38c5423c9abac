"""How clients number messages, both ways; `test_rehydrate` compares with what they sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Origin
from sessionkit.errors import UsageError
from sessionkit.providers.body import Placed
from sessionkit.providers.layouts import LAYOUTS, from_client, layout_of, to_client, turns_of

if TYPE_CHECKING:
    from sessionkit.providers.body import Steps, Tree
    from sessionkit.providers.layouts import Shift

SUMMARY = Origin(line=1)


def shifts(client: str, *messages: Tree) -> list[Shift]:
    return list(layout_of(client).shifts(turns_of([*messages], {SUMMARY})))


def user(*blocks: str) -> Tree:
    return {"role": "user", "content": [{"type": block} for block in blocks]}


ANSWER: Tree = {"role": "assistant", "content": [{"type": "text"}]}
RESULTS: Tree = {"role": "user", "content": [{"type": "tool_result"}, {"type": "tool_result"}]}
INSTRUCTIONS: Tree = {"role": "developer", "content": "Be brief."}
NOTE: Tree = {"role": "user", "content": "note"}

WAYS: list[tuple[str, list[Tree], list[tuple[Steps, Steps]]]] = [
    (
        "claude-code",
        [user("text", "image"), ANSWER, RESULTS, NOTE, ANSWER, user("text"), ANSWER],
        [
            (("messages", 0, "content", 1), ("messages", 0, "content", 2)),
            (("messages", 1, "content", 0), ("messages", 2, "content", 0)),
            (("messages", 2, "content", 1, "content", 5), ("messages", 3, "content", 1, "content", 5)),
            (("messages", 3, "content", 0), ("messages", 3, "content", 2)),
            (("messages", 4, "content", 0), ("messages", 4, "content", 0)),
            (("messages", 5, "content", 0), ("messages", 5, "content", 0)),
            (("messages", 6, "content", 0), ("messages", 7, "content", 0)),
            (("messages", 6), ("messages", 7)),
            (("tools", 0), ("tools", 0)),
            ((), ()),
        ],
    ),
    ("codex", [INSTRUCTIONS, NOTE], [(("input", 1, "content", 3), ("input", 1, "content", 3))]),
    (
        "codex",
        [ANSWER, NOTE],
        [(("input", 0, "content", 3), ("input", 1, "content", 3)), (("input", 1, "output", 0), ("input", 2, "output", 0))],
    ),
    ("pi", [ANSWER, NOTE], [(("contents", 1, "parts", 0, "x", 2), ("contents", 1, "parts", 0, "x", 2))]),
]


@pytest.mark.parametrize(("client", "messages", "ways"), WAYS, ids=[row[0] for row in WAYS])
def test_both_ways(client: str, messages: list[Tree], ways: list[tuple[Steps, Steps]]) -> None:
    moved = shifts(client, *messages)
    for ours, theirs in ways:
        assert to_client(ours, moved) == theirs
        assert from_client(theirs, moved) == ours


@pytest.mark.parametrize("theirs", [("messages", 0, "content", 0), ("messages", 1, "content", 0), ("messages", 1), ("messages", 99)])
def test_what_only_the_client_has(theirs: Steps) -> None:
    assert from_client(theirs, shifts("claude-code", user("text"), ANSWER)) is None


def test_a_message_that_holds_several_of_ours_is_the_first_of_them() -> None:
    assert from_client(("messages", 0), shifts("claude-code", NOTE, NOTE)) == ("messages", 0)
    assert from_client(("messages", 0, "content", 2), shifts("claude-code", NOTE, NOTE)) == ("messages", 1, "content", 0)


def test_no_instructions_follow_a_summary() -> None:
    assert [shift.index for shift in shifts("claude-code", Placed(NOTE, SUMMARY), ANSWER)] == [0, 1]
    assert [shift.index for shift in shifts("claude-code", Placed(NOTE, Origin(line=2)), ANSWER)] == [0, 2]


def test_unknown_client() -> None:
    with pytest.raises(UsageError, match="unknown client: cursor") as refused:
        layout_of("cursor")
    assert all(layout.id in refused.value.hint for layout in LAYOUTS)
