"""Arguments are an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import ToolCall
from sessionkit.providers.replay.arguments import wrap_arguments
from tests.providers.prompts import assistant
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
        ([1], "[1]", ({"input": [1]}, None), WRAPPED),
        (False, None, ({"input": False}, None), WRAPPED),
    ],
)
def test_arguments(arguments: Json, raw: str | None, expected: tuple[Json, str | None], notes: list[str]) -> None:
    outcome = wrap_arguments((assistant(ToolCall("a", "read", arguments, raw)),))
    assert outcome.messages == (assistant(ToolCall("a", "read", *expected)),)
    assert noted(outcome) == notes
