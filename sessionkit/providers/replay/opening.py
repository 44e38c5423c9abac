"""How a conversation begins."""

from __future__ import annotations

from typing import Final

from sessionkit.core.model import Message, Role, Text, UserKind
from sessionkit.providers.replay.remarks import Note, Outcome

_OPENING: Final = "(earlier messages omitted)"


def begin_with_user(messages: tuple[Message, ...]) -> Outcome:
    """Let the user speak first, as all interfaces want it."""
    if not messages or messages[0].role is Role.USER:
        return Outcome(messages)
    note = Note(f"the user does not speak first: `{_OPENING}` stands before it", messages[0].origin)
    return Outcome((Message(Role.USER, (Text(_OPENING),), kind=UserKind.NOTE), *messages), (note,))
