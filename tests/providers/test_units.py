"""Which interface a request body is for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.providers.units import Wire, read_body

if TYPE_CHECKING:
    from sessionkit.core.model import Json

WIRES = sorted((Path(__file__).parents[2] / "fixtures" / "wires").glob("*.json"))
TOOL: Any = {"name": "read", "description": "d", "input_schema": {"type": "object", "properties": {}}}


@pytest.mark.parametrize(
    ("body", "wire"),
    [
        *((json.loads(path.read_text()), Wire(next(wire for wire in Wire if path.stem.endswith(wire)))) for path in WIRES),
        ({"messages": [], "system": "s"}, Wire.ANTHROPIC),
        ({"messages": [], "tools": [TOOL]}, Wire.ANTHROPIC),
        ({"messages": [], "tools": [{"type": "function", "function": {"name": "f"}}]}, Wire.OPENAI_CHAT),
        ({"messages": []}, Wire.OPENAI_CHAT),
        ({"input": "hello"}, Wire.OPENAI_RESPONSES),
    ],
)
def test_interfaces_are_recognised_by_their_shape(body: Json, wire: Wire) -> None:
    assert read_body(body).wire is wire


@pytest.mark.parametrize("body", [None, [], 7, "x", {}, {"messages": "x"}, {"contents": {}}, {"input": 7}])
def test_what_is_no_request_body(body: Json) -> None:
    with pytest.raises(ValueError, match="not a request body"):
        read_body(body)
