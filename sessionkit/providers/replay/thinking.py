"""What only the model that made it may see again: its thoughts, its signatures, and the ids of its items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import Media, Model, Role, Text, Thinking, ToolCall, ToolResult
from sessionkit.dataclass import dataclass, replace
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
        notes = (note for message in messages for note in self._notes(message))
        return Outcome(left, (*notes, *(Note(_ONLY_THOUGHTS, message.origin) for message in gone)))

    def _notes(self, message: Message) -> Iterator[Note]:
        """Tell of each thought that goes, all of one reason alike; of those that say nothing there is nothing to tell."""
        is_own = self._is_own(message)
        for block in message.content:
            if isinstance(block, Thinking) and (block.text.strip() or block.signature) and not (is_own and self._goes_back(block)):
                yield Note(self._reason(block) if is_own else self._foreign_reason(message), block.origin)

    def _reason(self, thinking: Thinking) -> str:
        """Say why the model does not get back what it has thought itself."""
        match self.provider.thoughts:
            case Thoughts.ENCRYPTED:
                return INCOMPLETE
            case Thoughts.NONE:
                return "reasoning is not sent: the interface takes none back"
            case _ if thinking.text.strip():
                return "reasoning without a signature is not sent: its model would refuse it"
            case _:
                return "reasoning whose signature is none is not sent"

    def _foreign_reason(self, message: Message) -> str:
        """Say why a model does not get what another has thought."""
        made_by = message.model or Model()
        if not self.target.model:
            return "reasoning is not sent: it is for its own model alone, and the body is for no model in particular"
        if not made_by.model:
            return "reasoning is not sent: the session does not say which model's it is"
        if made_by.model != self.target.model:
            return f"reasoning is not sent: it is another model's ({made_by.model})"
        return f"reasoning is not sent: {made_by.model} was another host's ({made_by.provider or '?'}, {made_by.api or '?'})"

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
