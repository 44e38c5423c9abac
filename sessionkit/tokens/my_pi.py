"""my-pi-agent: characters of the list of messages, dumped as Python dumps it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import Media, Role, Shell, Text, ToolCall, ToolResult
from sessionkit.dataclass import dataclass
from sessionkit.tokens.base import Kind, Profile, Rounding, Scope, Share, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.model import Block, Json, Message
    from sessionkit.tokens.base import Parcel

_LIST_CHARACTERS = 2
"""Of the list around the messages: two brackets, and two characters between neighbours, are two for each message."""


@dataclass(frozen=True, slots=True)
class MyPi(Profile):
    """Four code points make a token, rounded down once; a medium is 1200 tokens beside its place in the dump, and reasoning is free."""

    name = "my-pi"
    formats = frozenset({"native"})
    rounding = Rounding.DOWN
    scope = Scope.CONVERSATION
    least = 1

    def text(self, text: str) -> int:
        """Count code points."""
        return len(text)

    def parcels(self, message: Message) -> Iterator[Parcel]:
        """Weigh one record for each result, and one for all the rest of a message."""
        if message.role in self.unseen:
            return
        rest = [block for block in message.content if not isinstance(block, ToolResult)]
        if rest or message.role is not Role.TOOL:
            yield self._record(message.role, rest)
        for block in message.content:
            if isinstance(block, ToolResult):
                yield self.result(block)

    def result(self, result: ToolResult) -> Parcel:
        """Weigh the record of a result."""
        record: Json = {"role": "tool", "content": _content(result.content), "metadata": {"tool_call_id": result.call_id}}
        return Share(Kind.TOOL_RESULTS, _size(record)), *self._media(result.content, Role.TOOL)

    def _record(self, role: Role, blocks: Sequence[Block]) -> Parcel:
        calls: list[Json] = [_call(block) for block in blocks if isinstance(block, ToolCall)]
        record: Json = {"role": _ROLES.get(role, role), "content": _content(blocks), "metadata": {"tool_calls": calls} if calls else None}
        of_calls = len(_dump(calls)) if calls else 0
        kind = Kind.SYSTEM if role is Role.SYSTEM else Kind.TEXT
        return Share(kind, _size(record) - of_calls), Share(Kind.TOOL_CALLS, of_calls), *self._media(blocks, role)

    def _media(self, blocks: Sequence[Block], role: Role) -> Iterator[Share]:
        for block in blocks:
            if isinstance(block, Media):
                yield Share(kind_of(block), self.medium(block, role))


_ROLES = {Role.COMPACTION: Role.USER}


def _content(blocks: Sequence[Block]) -> Json:
    """Join the texts of a message without media; keep the order of one that has some."""
    if any(isinstance(block, Media) for block in blocks):
        return [part for block in blocks for part in _part(block)]
    return "".join(_text(block) for block in blocks)


def _text(block: Block) -> str:
    match block:
        case Text():
            return block.text
        case Shell():
            return block.command + block.output
        case _:
            return ""


def _part(block: Block) -> Iterator[Json]:
    match block:
        case Text():
            yield {"type": "text", "text": block.text}
        case Media():
            yield {"type": "image", "mime_type": block.media_type}


def _call(call: ToolCall) -> Json:
    arguments = dumps(call.arguments) if call.raw is None else call.raw
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _size(record: Json) -> int:
    return len(_dump(record)) + _LIST_CHARACTERS


def _dump(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
