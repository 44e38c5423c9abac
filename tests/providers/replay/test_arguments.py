"""Arguments are an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Origin, Text, ToolCall, ToolResult, Unsupported
from sessionkit.providers.replay.arguments import replace_numbers, tell_numbers, wrap_arguments
from tests.providers.prompts import assistant, tool
from tests.providers.replay.told import noted

if TYPE_CHECKING:
    from sessionkit.core.model import Json

WRAPPED = ["the arguments of read call a are no object: they are sent as one, under `input`"]


@pytest.mark.parametrize(
    ("arguments", "raw", "expected", "notes"),
    [
        ({"b": 1, "a": 2}, None, ({"b": 1, "a": 2}, None), []),
        ({"b": 1}, ' {"b": 1.0}', ({"b": 1}, ' {"b": 1.0}'), []),
        (None, "null", ({}, None), []),
        ("free text", "free text", ({"input": "free text"}, None), WRAPPED),
        ({}, " ", ({}, None), []),
        ([1], "[1]", ({"input": [1]}, None), WRAPPED),
        (False, None, ({"input": False}, None), WRAPPED),
    ],
)
def test_arguments(arguments: Json, raw: str | None, expected: tuple[Json, str | None], notes: list[str]) -> None:
    outcome = wrap_arguments((assistant(ToolCall("a", "read", arguments, raw)),))
    assert outcome.messages == (assistant(ToolCall("a", "read", *expected)),)
    assert noted(outcome) == notes


def test_free_text_of_a_recorded_call_is_no_json() -> None:
    for type_ in ("custom_tool_call", "local_shell_call"):
        free = assistant(ToolCall("a", "sh", "ls", "ls", carried={"recorded": {"type": type_}}))
        assert wrap_arguments((free,)).messages == (free,)


NAN, INFINITY = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("arguments", "expected", "where"),
    [
        ({"a": INFINITY}, {"a": None}, "/a"),
        ({"a": [1, {"b/c": NAN}, -INFINITY]}, {"a": [1, {"b/c": None}, None]}, "/a/1/b~1c, /a/2"),
        ({"a": [NAN] * 5}, {"a": [None] * 5}, "/a/0, /a/1, /a/2 and 2 more"),
    ],
)
def test_numbers_that_json_does_not_know(arguments: Json, expected: Json, where: str) -> None:
    made_by = assistant(ToolCall("a", "read", arguments, '{"a": NaN}', Origin(line=3)))
    outcome = replace_numbers((made_by,))
    assert outcome.messages == (assistant(ToolCall("a", "read", expected, None, Origin(line=3))),)
    assert noted(outcome) == [f"line 3: null stands for a number that JSON does not know at {where} in the arguments of read call a"]


def test_such_numbers_in_what_was_recorded() -> None:
    """As in items of Codex and their parts; unknown items have their members themselves."""
    part = Text("1", Origin(line=4), carried={"recorded": {"type": "output_text", "score": [NAN]}})
    item = Unsupported("web_search_call", Origin(line=5), carried={"action": {"n": INFINITY}})
    messages = (assistant(item), tool(ToolResult("a", "read", (part,), carried={"recorded": {"n": 1}})))
    outcome = tell_numbers(messages)
    assert outcome.messages == messages
    told = "null stands for a number that JSON does not know at"
    assert noted(outcome) == [f"line 5: {told} /action/n of what was recorded", f"line 4: {told} /score/0 of what was recorded"]


def test_numbers_that_json_knows() -> None:
    sound = assistant(ToolCall("a", "read", {"a": [1.5, 2**70, -0.0, True]}, '{"a": [1.50]}'))
    assert replace_numbers((sound,)).messages == (sound,)
