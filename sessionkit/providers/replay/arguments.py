"""Arguments of calls, which must be an object."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sessionkit.core.model import ToolCall
from sessionkit.providers.replay.contents import with_contents
from sessionkit.providers.replay.remarks import Note, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Block, Message
    from sessionkit.providers.replay.contents import Holder


def wrap_arguments(messages: tuple[Message, ...]) -> Outcome:
    """Make an object of what is none: no arguments of null, and of any other value one that is called `input`."""
    calls = (block for message in messages for block in message.content if isinstance(block, ToolCall))
    notes = (
        Note(f"the arguments of {call.name} call {call.id} are no object: they are sent as one, under `input`", call.origin)
        for call in calls
        if not isinstance(call.arguments, dict | None)
    )
    return Outcome(with_contents(messages, _wrapped), tuple(notes))


def _wrapped(holder: Holder) -> Iterator[Block]:
    for block in holder.content:
        match block:
            case ToolCall(arguments=dict()):
                yield block
            case ToolCall(arguments=None):
                yield replace(block, arguments={}, raw=None)
            case ToolCall(arguments=value):
                yield replace(block, arguments={"input": value}, raw=None)
            case _:
                yield block
