"""Who speaks, by name: no interface is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.providers.replay.remarks import Note, Outcome

if TYPE_CHECKING:
    from sessionkit.core.model import Message


def tell_names(messages: tuple[Message, ...]) -> Outcome:
    """Tell of messages that name their speaker, as those of Chat Completions may."""
    named = (message for message in messages if message.carried.get("name"))
    return Outcome(messages, tuple(Note("the name of who speaks is not sent", message.origin) for message in named))
