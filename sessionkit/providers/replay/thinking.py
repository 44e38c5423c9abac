"""What only the model that made it may see again: its thoughts, its signatures, and the ids of its items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sessionkit.core.model import Media, Model, Role, Text, Thinking, ToolCall, ToolResult
from sessionkit.providers.base import Thoughts
from sessionkit.providers.reasoning import is_complete, item_of
from sessionkit.providers.replay.contents import with_content
from sessionkit.providers.replay.remarks import Note, Outcome
from sessionkit.providers.signatures import checked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Block, Carried, Message
    from sessionkit.providers.base import Provider, Target

INCOMPLETE = "reasoning without its encrypted form is not sent: nobody could look it up by its id"
_ONLY_THOUGHTS = "the turn is nothing but thinking that cannot be sent back: it is not sent"
_FOR_ALL = frozenset({"name", "detail", "source", "file_id", "file_url"})
"""Carried members that any model may see: who speaks, how closely to look, and the addresses of files."""


@dataclass(frozen=True, slots=True)
class OwnThoughts:
    """Keeps what the target itself has made, if the interface takes it back; all the rest of it goes. Thinking never becomes text.

    A message that was nothing else goes as a whole.
    """

    provider: Provider
    target: Target

    def __call__(self, messages: tuple[Message, ...]) -> Outcome:
        told = [self._own(message) if self._is_own(message) else _foreign(message) for message in messages]
        pairs = list(zip(messages, told, strict=True))
        left = tuple(after for before, after in pairs if after.content or not before.content)
        gone = (before for before, after in pairs if before.content and not after.content)
        return Outcome(left, (*self._notes(messages), *(Note(_ONLY_THOUGHTS, message.origin) for message in gone)))

    def _notes(self, messages: tuple[Message, ...]) -> Iterator[Note]:
        if self.provider.thoughts is Thoughts.ENCRYPTED:
            blocks = (block for message in messages if self._is_own(message) for block in message.content)
            yield from (Note(INCOMPLETE, block.origin) for block in blocks if isinstance(block, Thinking) and not self._goes_back(block))

    def _is_own(self, message: Message) -> bool:
        model = Model(self.target.vendor, self.target.api, self.target.model)
        return bool(model.model) and message.role is Role.ASSISTANT and message.model == model

    def _own(self, message: Message) -> Message:
        kept = (self._with_item(block) for block in message.content if not isinstance(block, Thinking) or self._goes_back(block))
        return with_content(message, kept)

    def _goes_back(self, thinking: Thinking) -> bool:
        match self.provider.thoughts:
            case Thoughts.NONE:
                return False
            case Thoughts.SIGNED:
                return bool(thinking.signature)
            case Thoughts.ENCRYPTED:
                return is_complete(item_of(thinking))
            case Thoughts.ALL:
                return bool(checked(thinking.signature) or thinking.text.strip())

    def _with_item(self, block: Block) -> Block:
        """Tell the id of a call's item, which sessions write behind the call's own: `call|item`."""
        if not isinstance(block, ToolCall) or not self.provider.ids.item:
            return block
        item = block.id.partition("|")[2]
        return replace(block, carried={**block.carried, "id": item}) if item.startswith(self.provider.ids.item) else block


def _foreign(message: Message) -> Message:
    told = with_content(message, (_without_secrets(block) for block in message.content if not isinstance(block, Thinking)))
    return replace(told, carried=shareable(told.carried)) if told.carried else told


def _without_secrets(block: Block) -> Block:
    match block:
        case ToolResult(content=content) if block.carried or any(part.carried for part in content):
            return replace(block, content=tuple(map(_shared_content, content)), carried=shareable(block.carried))
        case ToolCall() if block.carried:
            return replace(block, carried=shareable(block.carried))
        case Text() | Media():
            return _shared_content(block)
        case _:
            return block


def _shared_content(block: Text | Media) -> Text | Media:
    return replace(block, carried=shareable(block.carried)) if block.carried else block


def shareable(carried: Carried) -> Carried:
    """Leave out what only the same model may see."""
    return {name: value for name, value in carried.items() if name in _FOR_ALL}
