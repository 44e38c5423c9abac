"""Images that a model made: no interface takes them in the model's own turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Media, Message, Role, Text, UserKind
from sessionkit.dataclass import replace
from sessionkit.providers.replay.contents import with_content
from sessionkit.providers.replay.remarks import Note, Outcome
from sessionkit.providers.replay.thinking import shareable

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADING: Final = "Attached image(s) from assistant:"


def hand_over_images(messages: tuple[Message, ...]) -> Outcome:
    """Let the user attach the media of the assistant's turns, behind the results of their calls."""
    moved = (medium for message in messages for medium in _parted(message)[1])
    notes = (Note(f"the {medium.kind} stands in a turn of the model: the user attaches it behind that", medium.origin) for medium in moved)
    return Outcome(tuple(_handed_over(messages)), tuple(notes))


def _handed_over(messages: tuple[Message, ...]) -> Iterator[Message]:
    waiting: Message | None = None
    for message in messages:
        if waiting and message.role is not Role.TOOL:
            yield waiting
            waiting = None
        kept, moved = _parted(message)
        if kept.content or not moved:
            yield kept
        if moved:
            attached = (replace(medium, carried=shareable(medium.carried)) for medium in moved)
            waiting = Message(Role.USER, (Text(_HEADING, message.origin), *attached), message.origin, UserKind.NOTE)
    if waiting:
        yield waiting


def _parted(message: Message) -> tuple[Message, tuple[Media, ...]]:
    """Take the media out of an answer; one that is an item of its own, as Codex records it, is sent as that item."""
    if message.role is not Role.ASSISTANT:
        return message, ()
    moved = tuple(block for block in message.content if isinstance(block, Media) and "type" not in block.carried)
    kept = (block for block in message.content if not isinstance(block, Media) or "type" in block.carried)
    return with_content(message, kept), moved
