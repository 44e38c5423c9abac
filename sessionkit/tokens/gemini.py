"""Gemini CLI: a quarter of a token for ASCII, one and a half for the rest, over the whole history, without the system prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import Media, Role, Text
from sessionkit.dataclass import dataclass
from sessionkit.tokens.base import Kind, Profile, Rounding, Scope, Share
from sessionkit.tokens.parts import call_part
from sessionkit.tokens.text import ascii_characters, utf16_units

if TYPE_CHECKING:
    from sessionkit.core.model import ToolCall, ToolResult
    from sessionkit.tokens.base import Parcel

_LONG = 100_000
"""UTF-16 units of a text beyond which Gemini CLI does not look at its characters."""

_OTHER_UNITS = 6
_PDF_UNITS = 4 * 25_800


@dataclass(frozen=True, slots=True)
class Gemini(Profile):
    """Rounded down once; an image is 3000 tokens, a PDF 25,800, any other medium as an image. JSON and names count by four."""

    name = "gemini"
    formats = frozenset({"gemini-cli"})
    rounding = Rounding.DOWN
    scope = Scope.CONVERSATION
    medium_units = 12_000
    unseen = frozenset({Role.META, Role.SYSTEM})

    def text(self, text: str) -> int:
        """Weigh UTF-16 units, all alike in long texts."""
        units = utf16_units(text)
        if units > _LONG:
            return units
        ascii_units = ascii_characters(text)
        return ascii_units + _OTHER_UNITS * (units - ascii_units)

    def constant(self, media: Media) -> int:
        """Weigh a PDF as one, whatever images cost."""
        return _PDF_UNITS if (media.media_type or "").lower().startswith("application/pdf") else Profile.constant(self, media)

    def call(self, call: ToolCall) -> int:
        """Count the JSON of the part."""
        return utf16_units(call_part(call))

    def result(self, result: ToolResult) -> Parcel:
        """Count the tool's name and the JSON of its response, beside the media."""
        media = (self.result_share(block) for block in result.content if isinstance(block, Media))
        text = "".join(block.text for block in result.content if isinstance(block, Text))
        response = dumps({"error" if result.is_error else "output": text})
        return Share(Kind.TOOL_RESULTS, utf16_units(result.name) + utf16_units(response)), *media
