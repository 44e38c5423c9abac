"""The system's prompt and the tools: one text and one list, however many messages a session keeps them in."""

from __future__ import annotations

from itertools import dropwhile
from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Media, Role, Text
from sessionkit.errors import UsageError
from sessionkit.providers.replay.remarks import Note, Outcome
from sessionkit.providers.tools import read_tools, vendor_tools

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Conversation, Json, Message
    from sessionkit.providers.base import Tool


_LATE: Final = "a message of the system stands behind others: it is sent before them all"


def system_text(messages: tuple[Message, ...]) -> str:
    """Join all texts, then the sections: a later one of a name takes the place of the earlier, null removes it."""
    spoken = [message for message in messages if message.role is Role.SYSTEM]
    texts = [block.text for message in spoken for block in message.content if isinstance(block, Text)]
    sections: dict[str, str] = {}
    for message in spoken:
        _patch(sections, message.carried.get("sections"))
    return "\n\n".join(text for text in (*texts, *sections.values()) if text.strip())


def without_system(messages: tuple[Message, ...]) -> Outcome:
    """Take out the system's messages, whose text is sent apart, before all others; media in them have no place there."""
    media = (block for message in messages if message.role is Role.SYSTEM for block in message.content if isinstance(block, Media))
    notes = (Note(f"the {medium.kind} stands in the system's prompt: it is not sent", medium.origin) for medium in media)
    late = (Note(_LATE, message.origin) for message in dropwhile(_is_system, messages) if _is_system(message) and _says(message))
    return Outcome(tuple(message for message in messages if not _is_system(message)), (*notes, *late))


def _is_system(message: Message) -> bool:
    return message.role is Role.SYSTEM


def _says(message: Message) -> bool:
    return any(isinstance(block, Text) and block.text.strip() for block in message.content)


def choose_system(held: str, given: str | None) -> tuple[str, tuple[Note, ...]]:
    """Take what the session holds, else what was given; a text without a letter is none."""
    if held and given is not None:
        return held, (Note("the session holds a system prompt: the given one is not sent"),)
    if given is not None and not given.strip():
        return held, (Note("the given system prompt is blank: it is not sent"),)
    return held or given or "", ()


def choose_tools(conversation: Conversation, given: tuple[Tool, ...] | None) -> tuple[tuple[Tool, ...], tuple[Note, ...]]:
    """Take the tools that the session holds, else those that were given. What only a vendor has is not sent."""
    held: list[Tool] = []
    notes: list[Note] = []
    for definition in conversation.tools:
        try:
            held += read_tools(definition)
            notes += (Note(f"the tool {name} is known to its vendor alone: it is not sent") for name in vendor_tools(definition))
        except UsageError as error:
            notes.append(Note(f"a tool of the session is not sent: {error.why}"))
    if held and given is not None:
        notes.append(Note("the session holds tools: the given ones are not sent"))
    return tuple(held) or given or (), tuple(notes)


def _patch(sections: dict[str, str], patch: Json | None) -> None:
    for name, text in _members(patch):
        if text is None:
            sections.pop(name, None)
        elif isinstance(text, str):
            sections[name] = text


def _members(value: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict):
        yield from value.items()
