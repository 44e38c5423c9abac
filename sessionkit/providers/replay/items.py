"""Items that an interface takes as they were recorded: those that are broken, or of another model, go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.dialects.codex import ITEMS, forgetting, recorded
from sessionkit.core.model import Media, Role, Thinking, ToolCall, Unsupported
from sessionkit.dataclass import dataclass, replace
from sessionkit.providers.reasoning import is_complete, item_of
from sessionkit.providers.replay.contents import with_content
from sessionkit.providers.replay.remarks import Note, Outcome
from sessionkit.providers.replay.thinking import INCOMPLETE, shareable

if TYPE_CHECKING:
    from sessionkit.core.model import Block, Message, StandIn

_KNOWN: Final = ITEMS | {"input_text", "output_text", "text", "refusal", "summary_text", "reasoning_text"}
"""Types that we know: what is of one of them, and could not be read, lacks something."""
_ID: Final = frozenset({"id"})
_FOREIGN: Final = "what another model has thought is not sent"


def keep_own_items(messages: tuple[Message, ...], model: str) -> Outcome:
    """Leave out what is no whole item, and what only another model than this one may see; for no model in particular nothing is foreign.

    Where nobody knows whose an item is, it is taken for the target's if the session has been talking to it.
    """
    known = {message.model.model for message in messages if message.model}
    unknown = model if model in known else ""
    notes: list[Note] = []
    left = []
    for message in messages:
        made_by = (message.model and message.model.model) or unknown
        is_foreign = message.role is Role.ASSISTANT and bool(model) and made_by != model
        kept = _Sieve(notes, is_foreign).left(message)
        if kept.content or not message.content:
            left.append(kept)
    return Outcome(tuple(left), tuple(notes))


def is_sent_as_recorded(part: StandIn) -> bool:
    """Whether a part of an output, for which a text stands, is sent all the same: it is of a type that nobody here knows."""
    type_ = (recorded(part.carried) or {}).get("type")
    return isinstance(type_, str) and bool(type_) and type_ not in _KNOWN


@dataclass(frozen=True, slots=True)
class _Sieve:
    """Takes out of a message what has to go, and notes it."""

    notes: list[Note]
    is_foreign: bool

    def left(self, message: Message) -> Message:
        found = with_content(message, (self._shared(block) for block in message.content if not self._goes(block)))
        return replace(found, carried=shareable(found.carried)) if self.is_foreign and found.carried else found

    def _goes(self, block: Block) -> bool:
        why = self._why(block)
        if why:
            self.notes.append(Note(why, block.origin))
        return bool(why)

    def _why(self, block: Block) -> str:
        match block:
            case Thinking() if self.is_foreign:
                return _FOREIGN
            case Thinking() if not is_complete(item_of(block)):
                return INCOMPLETE
            case Unsupported(type=type_, carried=members) if members.get("type") != type_ or not type_ or type_ in _KNOWN:
                return f"a block of the type {type_ or '(none)'} that lacks something is not sent"
            case Unsupported(type=type_) if self.is_foreign:
                return f"a block of the unknown type {type_} is not sent"
            case _:
                return ""

    def _shared(self, block: Block) -> Block:
        """Let a call keep what it is, which decides what its result is; the rest is told anew."""
        match block:
            case ToolCall(carried=carried) if self.is_foreign:
                return replace(block, carried=forgetting({name: value for name, value in carried.items() if name not in _ID}, _ID))
            case Media(carried=carried) if self.is_foreign and carried:
                return replace(block, carried=shareable(carried))
            case _:
                return block
