"""Blocks that stand where no interface takes them."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from sessionkit.core.model import Media, Message, Role, StandIn, Thinking, ToolCall, ToolResult, Unsupported
from sessionkit.dataclass import replace
from sessionkit.providers.replay.contents import with_content
from sessionkit.providers.replay.remarks import Note, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sessionkit.core.model import Block


def put_in_place(messages: tuple[Message, ...]) -> Outcome:
    """Give results messages of their own, texts and media beside results to the user; what only a model can say goes elsewhere."""
    notes = [
        Note(f"{_NAMES[type(block)]} in a {message.role} message is not sent", block.origin)
        for message in messages
        for block in message.content
        if _home(block, message.role) is None
    ]
    return Outcome(tuple(part for message in messages for part in _parted(message)), tuple(notes))


def without_unsupported(messages: tuple[Message, ...]) -> Outcome:
    """Leave out blocks of unknown types: nobody can say what they mean to another interface."""
    return _without(messages, lambda block, _: isinstance(block, Unsupported))


def without_incomplete(messages: tuple[Message, ...]) -> Outcome:
    """Leave out blocks of unknown types that had media in them, which stand beside them now."""
    return _without(messages, lambda block, message: isinstance(block, Unsupported) and _lacks_media(block, message))


def tell_stand_ins(messages: tuple[Message, ...], is_sent: Callable[[StandIn], bool] = lambda _: False) -> Outcome:
    """Tell of blocks in results for which a reader had to put a text, but for those that are sent as they were recorded."""
    parts = (part for message in messages for block in message.content for part in _flat(block))
    found = (part for part in parts if isinstance(part, StandIn) and not is_sent(part))
    return Outcome(messages, tuple(Note(f"a block cannot be sent in a result: `{part.text}` stands for it", part.origin) for part in found))


_NAMES = {Thinking: "thinking", ToolCall: "a call"}


def _flat(block: Block) -> Iterator[Block]:
    """Give the parts of a result, and any other block as it is: the user may tell what was in a result."""
    yield from block.content if isinstance(block, ToolResult) else (block,)


def _home(block: Block, role: Role) -> Role | None:
    """Tell in whose message a block belongs; None if there is none."""
    match block:
        case ToolResult():
            return Role.TOOL
        case Thinking() | ToolCall():
            return role if role is Role.ASSISTANT else None
        case _:
            return Role.USER if role is Role.TOOL else role


def _parted(message: Message) -> Iterator[Message]:
    if not message.content:
        yield message
    homes = ((_home(block, message.role), block) for block in message.content)
    for role, run in groupby((pair for pair in homes if pair[0]), key=itemgetter(0)):
        part = message if role is message.role else replace(message, role=role or message.role)
        yield with_content(part, (block for _, block in run))


def _without(messages: tuple[Message, ...], goes: Callable[[Block, Message], bool]) -> Outcome:
    left: list[Message] = []
    notes: list[Note] = []
    for message in messages:
        kept = tuple(block for block in message.content if not goes(block, message))
        gone = (block for block in message.content if len(kept) < len(message.content) and goes(block, message))
        notes += (Note(f"a block of the unknown type {_type(block)} is not sent", block.origin) for block in gone)
        if kept or not message.content:
            left.append(with_content(message, kept))
    return Outcome(tuple(left), tuple(notes))


def _type(block: Block) -> str:
    return (isinstance(block, Unsupported) and block.type) or "(none)"


def _lacks_media(block: Unsupported, message: Message) -> bool:
    inside = f"{block.origin.pointer}/"
    return any(isinstance(other, Media) and other.origin.pointer.startswith(inside) for other in message.content)
