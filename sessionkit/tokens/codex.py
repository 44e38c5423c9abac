"""Codex: bytes by four, item by item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import Thinking, ToolCall, ToolResult
from sessionkit.dataclass import dataclass
from sessionkit.tokens.base import Kind, Profile, Share
from sessionkit.tokens.text import utf8_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Message
    from sessionkit.tokens.base import Parcel

_NAMESPACE_BYTES = len("functions")
_ENCRYPTION_BYTES = 650
"""What encryption adds to reasoning, beside base64's third."""


@dataclass(frozen=True, slots=True)
class Codex(Profile):
    """Four UTF-8 bytes make a token, rounded up per item; a medium is 7373 bytes. Reasoning counts in its encrypted form only."""

    name = "codex"
    formats = frozenset({"codex"})
    medium_units = 7373

    def text(self, text: str) -> int:
        """Count UTF-8 bytes."""
        return utf8_bytes(text)

    def parcels(self, message: Message) -> Iterator[Parcel]:
        """Weigh the items that a message is made of: its texts and media together; each thought, call and result by itself."""
        if message.role in self.unseen:
            return
        yield tuple(self.share(block, message.role) for block in message.content if not isinstance(block, Thinking | ToolCall | ToolResult))
        for block in message.content:
            match block:
                case ToolResult():
                    yield self.result(block)
                case Thinking() | ToolCall():
                    yield (self.share(block, message.role),)

    def thinking(self, block: Thinking) -> int:
        """Guess the size of reasoning behind its encrypted form; what is not encrypted is not sent again."""
        return max(0, 3 * len(block.signature) // 4 - _ENCRYPTION_BYTES)

    def call(self, call: ToolCall) -> int:
        """Count name, namespace and arguments."""
        return utf8_bytes(call.name) + _NAMESPACE_BYTES + utf8_bytes(dumps(call.arguments))

    def result(self, result: ToolResult) -> Parcel:
        """Count the content and the id of the call."""
        return (*Profile.result(self, result), Share(Kind.TOOL_RESULTS, utf8_bytes(result.call_id)))
