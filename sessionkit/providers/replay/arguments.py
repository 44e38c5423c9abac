"""Arguments of calls, which must be an object that JSON can hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.codex import recorded
from sessionkit.core.model import Shell, ToolCall, ToolResult
from sessionkit.dataclass import replace
from sessionkit.providers.replay.contents import with_contents
from sessionkit.providers.replay.numbers import finite, non_finite, told
from sessionkit.providers.replay.remarks import Note, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Block, Message
    from sessionkit.providers.replay.contents import Holder


def wrap_arguments(messages: tuple[Message, ...]) -> Outcome:
    """Make an object of what is none: no arguments of null, and of any other value one that is called `input`.

    Calls that were recorded as something else than those of functions have what they take.
    """
    calls = (block for message in messages for block in message.content if _is_function(block))
    notes = (
        Note(f"the arguments of {call.name} call {call.id} are no object: they are sent as one, under `input`", call.origin)
        for call in calls
        if isinstance(call, ToolCall) and not isinstance(call.arguments, dict | None)
    )
    return Outcome(with_contents(messages, _wrapped), tuple(notes))


def replace_numbers(messages: tuple[Message, ...]) -> Outcome:
    """Put null in the place of numbers that JSON does not know, as every runtime does that writes them."""
    notes: list[Note] = []

    def replaced(holder: Holder) -> Iterator[Block]:
        for block in holder.content:
            places = non_finite(block.arguments) if isinstance(block, ToolCall) else []
            if isinstance(block, ToolCall) and places:
                notes.append(Note(f"{told(places)} in the arguments of {block.name} call {block.id}", block.origin))
                yield replace(block, arguments=finite(block.arguments), raw=None)
            else:
                yield block

    return Outcome(with_contents(messages, replaced), tuple(notes))


def tell_numbers(messages: tuple[Message, ...]) -> Outcome:
    """Tell of such numbers in what else was recorded of an item: null is written for them, too."""
    found = (
        (part, non_finite(dict(recorded(part.carried) or part.carried)))
        for part in _parts(messages)
        if not isinstance(part, Shell) and part.carried
    )
    return Outcome(messages, tuple(Note(f"{told(places)} of what was recorded", part.origin) for part, places in found if places))


def _parts(messages: tuple[Message, ...]) -> Iterator[Message | Block]:
    """Messages, their blocks, and the parts of results."""
    for message in messages:
        yield message
        for block in message.content:
            yield block
            yield from block.content if isinstance(block, ToolResult) else ()


def _is_function(block: Block) -> bool:
    """Whether it is a call whose arguments are JSON, and no free text or action."""
    return isinstance(block, ToolCall) and (recorded(block.carried) or {}).get("type", "function_call") == "function_call"


def _wrapped(holder: Holder) -> Iterator[Block]:
    for block in holder.content:
        match block:
            case ToolCall() if not _is_function(block):
                yield block
            case ToolCall(arguments=dict(), raw=raw) if raw is None or raw.strip():
                yield block
            case ToolCall(arguments=dict() as members):
                yield replace(block, arguments=members, raw=None)
            case ToolCall(arguments=None):
                yield replace(block, arguments={}, raw=None)
            case ToolCall(arguments=value):
                yield replace(block, arguments={"input": value}, raw=None)
            case _:
                yield block
