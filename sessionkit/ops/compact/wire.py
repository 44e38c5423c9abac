"""Whole requests: their bytes are the wall that no count of tokens sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass, replace
from sessionkit.ops.rehydrate.aim import take_aim
from sessionkit.ops.rehydrate.options import Options
from sessionkit.ops.rehydrate.result import Rehydrated
from sessionkit.ops.rehydrate.session import Builder
from sessionkit.providers.limits import LIMITS, Rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.core.model import Conversation, Message
    from sessionkit.core.pictures import Pictures
    from sessionkit.ops.rehydrate.result import Unsendable
    from sessionkit.ops.sources import Source
    from sessionkit.providers.base import Provider


@dataclass(frozen=True, slots=True)
class Wire:
    """Requests to a provider for a conversation and for what becomes of it, both to the model that it had before."""

    conversation: Conversation
    builder: Builder

    @classmethod
    def to(cls, provider: Provider, source: Source, conversation: Conversation, pictures: Pictures) -> Wire:
        """Take aim."""
        options = Options(provider)
        return cls(conversation, Builder(source, options, pictures, take_aim(conversation, options)))

    @property
    def limit(self) -> int | None:
        """Bytes that the interface takes; None if nobody knows."""
        return LIMITS[self.builder.options.provider.api].allowed.get(Rule.REQUEST)

    def body(self, messages: Sequence[Message]) -> Rehydrated | Unsendable:
        """Build the body for these messages. It tells of no option, since there are none for it here."""
        result = self.builder.built(replace(self.conversation, messages=tuple(messages)))
        notes = tuple(replace(note, option="") for note in result.notes)
        if isinstance(result, Rehydrated):
            return replace(result, notes=notes)
        return replace(result, notes=notes, faults=tuple(replace(fault, option="") for fault in result.faults))

    def size(self, messages: Sequence[Message]) -> int | None:
        """Count the bytes of the body for these messages; None if nothing can be sent."""
        body = self.body(messages)
        return body.verdict.size if isinstance(body, Rehydrated) else None
