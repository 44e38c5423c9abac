"""Parts of Gemini's API as JSON, which its agents keep in memory and count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.ecmajson import dumps

if TYPE_CHECKING:
    from sessionkit.core.model import ToolCall


def call_part(call: ToolCall) -> str:
    """Write the part of a call."""
    return dumps({"functionCall": {"id": call.id, "name": call.name, "args": call.arguments}})
