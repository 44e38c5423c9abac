"""Conversations without their media: what a summary is made from."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.compaction.base import Compat
from sessionkit.compaction.payloads import clear_json, clear_text
from sessionkit.compaction.placeholders import placeholder
from sessionkit.compaction.rewriting import Rewriting
from sessionkit.core.model import Media, Text, ToolResult
from sessionkit.dataclass import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sessionkit.compaction.base import Marker
    from sessionkit.core.model import Block, Message

StandIn: TypeAlias = "Callable[[Media], str]"
"""Writes what stands for a medium; nothing, if nothing does."""

_NO_BASE64 = Rewriting(clear_text, clear_json)


def strip(messages: Sequence[Message], marker: Marker, compat: Compat = Compat.NO) -> Sequence[Message]:
    """Put placeholders, or nothing, in the place of media; and of base64 in texts and arguments, which the agents themselves leave there.

    A message in which nothing changes is the same object, and so is the whole sequence.
    """
    write = partial(placeholder, marker=marker, compat=compat)
    stripped = [_without_media(message, write) for message in messages]
    if compat is Compat.NO:
        stripped = _NO_BASE64.messages(stripped)
    return messages if all(one is other for one, other in zip(stripped, messages, strict=True)) else stripped


def media_in(block: Block) -> tuple[Media, ...]:
    """Return the medium that a block is, or the media of a result."""
    match block:
        case Media():
            return (block,)
        case ToolResult(content=content):
            return tuple(part for part in content if isinstance(part, Media))
        case _:
            return ()


def clear_media(block: Block, write: StandIn) -> tuple[Block, ...]:
    """Put texts in the place of the media of a block; the very same block if it has none."""
    match block:
        case Media():
            return _text(block, write)
        case ToolResult() if media_in(block):
            parts = (_text(part, write) if isinstance(part, Media) else (part,) for part in block.content)
            return (replace(block, content=tuple(chain.from_iterable(parts))),)
        case _:
            return (block,)


def _without_media(message: Message, write: StandIn) -> Message:
    if not any(map(media_in, message.content)):
        return message
    return replace(message, content=tuple(chain.from_iterable(clear_media(block, write) for block in message.content)))


def _text(media: Media, write: StandIn) -> tuple[Text, ...]:
    text = write(media)
    return (Text(text, media.origin),) if text else ()
