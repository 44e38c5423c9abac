"""Turns that broke off: what a model had begun to say is no good history, and its calls may be half written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import Role, StopReason
from sessionkit.providers.replay.contents import with_content
from sessionkit.providers.replay.pairing import pair
from sessionkit.providers.replay.remarks import Note, Outcome

if TYPE_CHECKING:
    from sessionkit.core.model import Message

_ENDS = {StopReason.ERROR: "an error", StopReason.ABORTED: "an interruption"}


def drop_broken_turns(messages: tuple[Message, ...]) -> Outcome:
    """Leave out the model's turns that ended in an error or were aborted, and the results of their calls."""
    broken = {at: _end(message) for at, message in enumerate(messages) if _end(message)}
    if not broken:
        return Outcome(messages)
    results = {result for result, (at, _) in pair(messages).calls.items() if at in broken}
    left: list[Message] = []
    for at, message in enumerate(messages):
        kept = tuple(block for index, block in enumerate(message.content) if (at, index) not in results)
        if at not in broken and (kept or not message.content):
            left.append(with_content(message, kept))
    notes = (Note(f"the turn ended in {end}: it is not sent", messages[at].origin) for at, end in broken.items())
    return Outcome(tuple(left), tuple(notes))


def _end(message: Message) -> str:
    """Say how a turn of the model broke off; empty if it did not."""
    return _ENDS.get(message.stop_reason or StopReason.STOP, "") if message.role is Role.ASSISTANT else ""
