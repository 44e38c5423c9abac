"""How a conversation begins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Origin, Text
from sessionkit.providers.replay.opening import begin_with_user
from tests.providers.prompts import assistant, user
from tests.providers.replay.told import noted, told

if TYPE_CHECKING:
    from sessionkit.core.model import Message


@pytest.mark.parametrize(
    ("messages", "opened"),
    [
        ([], []),
        ([user(Text("1")), assistant(Text("2"))], ["user: 1", "assistant: 2"]),
        ([assistant(Text("2")), user(Text("1"))], ["user/note: (earlier messages omitted)", "assistant: 2", "user: 1"]),
    ],
)
def test_the_user_speaks_first(messages: list[Message], opened: list[str]) -> None:
    assert told(begin_with_user(tuple(messages)).messages) == opened


def test_it_is_told() -> None:
    outcome = begin_with_user((replace(assistant(Text("2")), origin=Origin(line=3)),))
    assert noted(outcome) == ["line 3: the user does not speak first: `(earlier messages omitted)` stands before it"]
