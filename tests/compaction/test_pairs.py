from __future__ import annotations

import pytest

from sessionkit.compaction.pairs import last_whole
from sessionkit.core.model import Message, Role, Text, ToolCall, ToolResult


def messages(outline: str) -> list[Message]:
    """`a` calls, `A` answers it, anything else is talk: `ab A B .`."""
    return [Message(Role.USER, tuple(map(block, word))) for word in outline.split()]


def block(letter: str) -> Text | ToolCall | ToolResult:
    if letter.islower():
        return ToolCall(letter, "read", {})
    return ToolResult(letter.lower(), "read", ()) if letter.isupper() else Text(letter)


@pytest.mark.parametrize(
    ("outline", "cuts", "expected"),
    [
        ("", [0], 0),
        (". . .", [0, 1, 2, 3], 3),
        (". a A .", [1, 2, 3], 3),
        (". a A .", [1, 2], 1),
        (". ab A . B .", [0, 1, 3], 1),
        (". ab A . B .", [2, 3], None),
        (". A .", [1], 1),  # a result that never had a call
        ("a A . a . A", [3, 4], 3),  # an id that is used again
        ("a . a A", [1], 1),  # the nearest call counts
        ("a . A A", [2, 3], None),  # told twice
        ("A . a", [1, 2], 2),  # too early for its call
        ("aA . .", [1, 2], 2),
    ],
)
def test_cuts_that_part_nothing(outline: str, cuts: list[int], expected: int | None) -> None:
    assert last_whole(cuts, messages(outline)) == expected


def test_a_call_in_front_of_the_range_is_not_there_to_be_parted_from() -> None:
    assert last_whole([1, 2], messages("a . A"), 1) == 2
    assert last_whole([1, 2], messages("a . A")) is None
