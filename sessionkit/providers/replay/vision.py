"""Images for models that take none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Media, MediaKind, Text, ToolResult
from sessionkit.providers.replay.contents import with_contents
from sessionkit.providers.replay.remarks import Outcome

if TYPE_CHECKING:
    from sessionkit.core.model import Block, Message
    from sessionkit.providers.replay.contents import Holder

_OMITTED: Final = "(image omitted: model does not support images)"
_OMITTED_FROM_TOOL: Final = "(tool image omitted: model does not support images)"


def omit_images(messages: tuple[Message, ...]) -> Outcome:
    """Put one text in the place of each run of images, none if that text stands before it already. Nothing is read."""
    return Outcome(with_contents(messages, _without_images))


def _without_images(holder: Holder) -> list[Block]:
    text = _OMITTED_FROM_TOOL if isinstance(holder, ToolResult) else _OMITTED
    blocks: list[Block] = []
    for block in holder.content:
        match block, blocks[-1:]:
            case Media(MediaKind.IMAGE), [Text(before)] if before == text:
                pass
            case Media(MediaKind.IMAGE), _:
                blocks.append(Text(text, block.origin))
            case _:
                blocks.append(block)
    return blocks
