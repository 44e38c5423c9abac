"""qwen-code: UTF-16 units over the whole history, without the system prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import Role
from sessionkit.dataclass import dataclass
from sessionkit.tokens.base import Kind, Profile, Scope, Share
from sessionkit.tokens.parts import call_part
from sessionkit.tokens.text import utf16_units

if TYPE_CHECKING:
    from sessionkit.core.model import ToolCall, ToolResult
    from sessionkit.tokens.base import Parcel

_RESULT_UNITS = 64
"""What a result costs beside its content."""


@dataclass(frozen=True, slots=True)
class Qwen(Profile):
    """Four units make a token, rounded up once; every medium is 1600 tokens, a call its part's JSON."""

    name = "qwen"
    formats = frozenset({"qwen-code"})
    scope = Scope.CONVERSATION
    medium_units = 6400
    unseen = frozenset({Role.META, Role.SYSTEM})

    def text(self, text: str) -> int:
        """Count UTF-16 units."""
        return utf16_units(text)

    def call(self, call: ToolCall) -> int:
        """Count the JSON of the Gemini part that qwen-code keeps."""
        return utf16_units(call_part(call))

    def result(self, result: ToolResult) -> Parcel:
        """Count the content, and a sum for the rest of the part."""
        return (*Profile.result(self, result), Share(Kind.TOOL_RESULTS, _RESULT_UNITS))
