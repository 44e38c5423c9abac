"""Blocks that are cleared in place: the calls, their results and all ids stay."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Self

from sessionkit.compaction.base import Compat, Group, Marker
from sessionkit.compaction.placeholders import RESULT_CLEARED, placeholder
from sessionkit.compaction.slimming import clear_media
from sessionkit.core.model import Text, ToolResult
from sessionkit.dataclass import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionkit.compaction.base import Reference, Settings
    from sessionkit.compaction.slimming import StandIn
    from sessionkit.core.model import Block, Message


@dataclass(frozen=True, slots=True)
class Clearing:
    """What comes in the place of media, and whether qwen-code's own losses are wanted."""

    write: StandIn
    compat: Compat = Compat.NO

    @classmethod
    def by(cls, settings: Settings) -> Self:
        """Write placeholders."""
        marker = Marker.CLEARED if settings.marker is None else settings.marker
        return cls(partial(placeholder, marker=marker, compat=settings.compat), settings.compat)

    def clear(self, messages: Sequence[Message], references: Iterable[Reference]) -> Sequence[Message]:
        """Clear the blocks that are referred to; all other messages stay the same objects."""
        groups: dict[int, dict[int, Group]] = {}
        for reference in references:
            groups.setdefault(reference.message, {})[reference.block] = reference.group
        return tuple(self._message(message, groups[at]) if at in groups else message for at, message in enumerate(messages))

    def _message(self, message: Message, groups: dict[int, Group]) -> Message:
        blocks = (self._block(block, groups[at]) if at in groups else (block,) for at, block in enumerate(message.content))
        return replace(message, content=tuple(chain.from_iterable(blocks)))

    def _block(self, block: Block, group: Group) -> tuple[Block, ...]:
        match group, block:
            case Group.TOOL, ToolResult():
                return (replace(block, content=(Text(RESULT_CLEARED, block.origin),)),)
            case Group.NESTED_MEDIA, ToolResult() if self.compat is Compat.UPSTREAM:
                return (replace(block, content=tuple(part for part in block.content if isinstance(part, Text) and not _is_beside(part))),)
            case _:
                return clear_media(block, self.write)


def _is_beside(text: Text) -> bool:
    """Whether a text stands with the media in the list of parts that qwen-code drops, and is not what the tool said."""
    return "/functionResponse/parts/" in text.origin.pointer
